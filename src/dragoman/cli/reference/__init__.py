"""What is declared, for reading: the transition registry, the phase table, the schemas; as text and pictures.

Every renderer is a pure function of what it renders; `commands` alone prints.
"""

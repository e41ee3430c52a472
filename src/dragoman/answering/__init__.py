"""What is said back: the coverage gate, the figures and rows, the words."""

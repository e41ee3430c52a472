"""The turn that the benchmark `turns` measures: ten stages, taken through Dragoman and through LangGraph."""

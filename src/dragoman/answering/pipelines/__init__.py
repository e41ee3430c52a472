"""What is said of a pipeline: what it will do, what came of it, how to run it again."""

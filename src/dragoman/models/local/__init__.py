"""A small language model on this machine: llama.cpp in a process of its own, which can be ended."""

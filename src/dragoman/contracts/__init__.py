"""The words everybody shares: state, events, the vocabulary of transitions, answers, programs, errors.

Data and its validation only: nothing here reads, writes or decides.
"""

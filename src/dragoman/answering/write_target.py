"""What a program writes, and where, in a few words."""

from dragoman.contracts.program import Program, Text


def written_by(program: Program) -> str:
    """What the last step of a program writes, and where."""
    writer = program[-1]
    told = {a.name: a.display or a.value.value for a in writer.arguments if isinstance(a.value, Text)}
    if "path" in told:
        return f"{told['path']} ({told.get('format', '')})"
    if "table" in told:
        return f"{told['table']} → {told.get('connection', writer.verb)}"
    return f"{writer.verb} {', '.join(told.values())}"

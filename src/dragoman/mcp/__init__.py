"""A door for other agents: `dragoman mcp`, over the Model Context Protocol. It needs the extra `mcp`."""

"""Built-in tools; wired by the runtime alone."""

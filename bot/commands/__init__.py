"""One typer application per command group."""

"""`redis-guard config schema`."""

import click


@click.command("schema")
def command() -> int:
    """Print the JSON Schema (2020-12) of the table [tool.redis-guard], for editors and other tools."""
    from redis_guard.config.schema import schema_text

    click.echo(schema_text(), nl=False)
    return 0

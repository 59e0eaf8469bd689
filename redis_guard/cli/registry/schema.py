"""`redis-guard registry schema`."""

import click


@click.command("schema")
def command() -> int:
    """Print the JSON Schema (2020-12) of registry files, with which editors complete and check them."""
    from redis_guard.registry.schema import schema_text

    click.echo(schema_text(), nl=False)
    return 0

"""`redis-guard rule`."""

import sys
from typing import Literal

import click

from redis_guard.cli.failing import UserError


@click.command("rule")
@click.argument("rule", required=False)
@click.option("--all", "every", is_flag=True, help="All rules.")
@click.option("--output-format", type=click.Choice(["text", "json", "md"]), default="text", show_default=True)
def command(rule: str | None, every: bool, output_format: Literal["text", "json", "md"]) -> int:
    """Explain a rule, by its code (RG202) or its name (incr-then-expire); the beginning of codes (RG2) lists them."""
    from redis_guard.report.rule_page import rule_page, rule_pages
    from redis_guard.rules import load_rules
    from redis_guard.select import means, unknown_rule

    rules = load_rules()
    if every or rule is None:
        if rule is not None:
            raise click.UsageError("give a rule or --all, not both")
        sys.stdout.write(rule_pages(rules, output_format))
        return 0
    for found in rules:
        if rule.upper() == found.code or rule.lower() == found.name:
            sys.stdout.write(rule_page(found, output_format))
            return 0
    if several := [found for found in rules if means(rule, found.code, found.name)]:
        sys.stdout.write(rule_pages(several, output_format))
        return 0
    raise UserError(unknown_rule(rule, {found.code: found.name for found in rules}))

"""The `countersign` command."""

import sys

import typer

from bot.commands.approvals import approvals_app
from bot.commands.ask import ask
from bot.commands.audit import audit_app
from bot.commands.catalog import catalog_app
from bot.commands.chat import chat
from bot.commands.demo import demo_app
from bot.commands.doctor import doctor
from bot.commands.evaluate import evaluate
from bot.commands.models import models_app
from bot.commands.playground import playground
from bot.commands.run_demo import run
from bot.commands.schedules import schedules_app
from bot.commands.serve import all_in_one, serve, worker
from bot.commands.sql import sql_app
from bot.logs import configure_logs
from semantic_catalog.errors import AskerError, OperatorError


def create_cli() -> typer.Typer:
    """All commands."""
    cli = typer.Typer(
        no_args_is_help=True, add_completion=False, help="A data analyst whose every query is countersigned."
    )
    for command in (ask, chat, serve, worker, doctor):
        cli.command()(command)
    cli.command("all-in-one")(all_in_one)
    cli.command("eval")(evaluate)
    demo_app.command("run")(run)
    demo_app.command("playground")(playground)
    groups = {
        "demo": demo_app,
        "catalog": catalog_app,
        "sql": sql_app,
        "audit": audit_app,
        "approvals": approvals_app,
        "models": models_app,
        "schedules": schedules_app,
    }
    for name, group in groups.items():
        cli.add_typer(group, name=name)
    return cli


def main() -> None:
    """Entry point: our own errors become one line on standard error and exit code 1."""
    try:
        configure_logs("WARNING")
        create_cli()()
    except OperatorError as error:
        sys.exit(f"countersign: {error.code}: {error.detail}")
    except AskerError as error:
        sys.exit(f"countersign: {error.code}")

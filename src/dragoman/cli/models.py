"""`dragoman models`: the language models of a workspace."""

from pathlib import Path

import click

from dragoman.cli.display import show_json
from dragoman.cli.failures import printable
from dragoman.cli.options import json_option, workspace_option
from dragoman.workspace.language_models import LanguageModels, ProviderAnswer, ProviderState


@click.command()
@click.option("--check", is_flag=True, help="Ask each model for one word. This may cost a few tokens.")
@workspace_option
@json_option
@click.pass_context
def models(ctx: click.Context, check: bool, workspace: str, as_json: bool) -> None:
    """List the language models of dragoman.yaml in the order in which they are asked."""
    known = LanguageModels(Path(workspace).resolve())
    states, settings = known.states(), known.settings
    answers = tuple(known.answer(state.name) for state in states) if check else ()
    if as_json:
        show_json(
            {
                "when": settings.when if settings else None,
                "send_values": settings.send_values if settings else None,
                "providers": states,
                "answers": answers,
            }
        )
    elif settings is None:
        click.echo("no models are configured; Dragoman works without any")
    else:
        for state in states:
            click.echo(printable(_state(state)))
        values = "values of rows are sent" if settings.send_values else "no values of rows are sent"
        click.echo(f"asked {_WHEN[settings.when]}; {values}")
        for answer in answers:
            click.echo(printable(_answer(answer)))
    ctx.exit(0 if all(answer.ok for answer in answers) else 1)


_WHEN = {"unsure": "when Dragoman is not sure", "always": "for every question", "never": "never"}


def _state(state: ProviderState) -> str:
    problem = f"  ({state.problem})" if state.problem else ""
    return f"{state.name}  {state.kind}  {state.model}  {state.base_url}{problem}"


def _answer(answer: ProviderAnswer) -> str:
    if answer.ok:
        return f"{answer.name}  answers in {answer.seconds:.1f} s, {answer.tokens:,} tokens: {answer.said}"
    return f"{answer.name}  does not answer ({answer.code}): {answer.said}"

"""`dragoman metrics`: the metrics of the report guard in a workspace."""

import click

from dragoman.cli.display import show_json
from dragoman.cli.options import json_option, workspace_options
from dragoman.workspace import Workspace


@click.command()
@click.option("--prometheus", is_flag=True, help="Print in the Prometheus exposition format.")
@json_option
@workspace_options
def metrics(prometheus: bool, as_json: bool, workspace: str, store: str | None) -> None:
    """Show how many reports of this workspace passed or failed their guard, and the recoveries."""
    if prometheus and as_json:
        raise click.UsageError("give either --json or --prometheus")
    with Workspace.open(workspace, store=store, create=False) as opened:
        counted = opened.metrics()
    if prometheus:
        from dragoman.workspace.reports import prometheus_text

        click.echo(prometheus_text(counted), nl=False)
    elif as_json:
        show_json(counted)
    else:
        click.echo(
            f"mode {counted.mode}, canary {'acknowledged' if counted.canary_acknowledged else 'not set'}"
        )
        click.echo(
            f"failures: {counted.total_failures:,} in all, {counted.failures_last_hour:,} in the last hour"
            f" ({counted.recent_failure_rate:.1%} of its checks)"
        )
        for code, count in sorted(counted.failures_by_code.items()):
            click.echo(f"  {code}: {count:,}")
        done = counted.recoveries
        click.echo(
            f"recoveries: {done.retries:,} retries, {done.reassignments:,} reassignments,"
            f" {done.failures:,} given up"
        )

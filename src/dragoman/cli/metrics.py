"""`dragoman metrics`: the metrics of the report guard and of the stages of turns in a workspace."""

import click

from dragoman.cli.display import show_json
from dragoman.cli.options import json_option, workspace_options
from dragoman.contracts.stages import StageMetrics
from dragoman.workspace import Workspace


@click.command()
@click.option("--prometheus", is_flag=True, help="Print in the Prometheus exposition format.")
@click.option("--stages", is_flag=True, help="Show the guardian's verdicts and the time of the stages.")
@json_option
@workspace_options
def metrics(prometheus: bool, stages: bool, as_json: bool, workspace: str, store: str | None) -> None:
    """Show how many reports of this workspace passed or failed their guard, and the recoveries.

    With --stages: what the guardian said of the drafts, by track, and how long each stage of a turn took.
    --prometheus prints both.
    """
    if prometheus and (as_json or stages):
        raise click.UsageError("give --prometheus alone")
    with Workspace.open(workspace, store=store, create=False) as opened:
        counted, staged = opened.metrics(), opened.stage_metrics()
    if prometheus:
        from dragoman.workspace.reports import prometheus_text

        click.echo(prometheus_text(counted, staged), nl=False)
    elif stages:
        _show_stages(staged, as_json=as_json)
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


def _show_stages(staged: StageMetrics, *, as_json: bool) -> None:
    if as_json:
        show_json(staged)
        return
    for track, verdicts in staged.verdicts.items():
        told = ", ".join(f"{count:,} {verdict}" for verdict, count in verdicts.items())
        click.echo(f"{track}: {told}, {staged.retries.get(track, 0):,} retries")
    for status, count in staged.evidence_coverage.items():
        click.echo(f"coverage {status}: {count:,}")
    for stage, time in staged.stages.items():
        mean = 1000 * time.seconds / time.turns if time.turns else 0.0
        click.echo(f"{stage}: {mean:.2f} ms a turn ({time.turns:,} turns)")

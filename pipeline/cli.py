# ruff: noqa: PLC0415, PLR0913, PLR0917, FBT002 - imports wait for their command; options are parameters
"""The command line: what users type. Every command imports what it needs when it is called, so that
``groundsmith --help`` answers at once.
"""

from __future__ import annotations

import logging
import sys
from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(
    name="groundsmith",
    help="Explore real apps and turn what they can do into executable, proven GUI-agent tasks in Parquet.",
    no_args_is_help=True,
    # plain help: drawing boxes would double the time to answer
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

Apps = Annotated[list[str] | None, typer.Option("--app", help="Recipe name or TOML file; may be repeated.")]
Langs = Annotated[list[str] | None, typer.Option("--lang", help="BCP-47 tag; may be repeated.")]
Out = Annotated[Path, typer.Option("--out", help="Run folder; the same folder goes on where it stopped.")]
Budget = Annotated[int | None, typer.Option("--budget-actions", help="Actions per app and language.")]
Seed = Annotated[int | None, typer.Option("--seed", help="Seed of everything that is drawn.")]
File = Annotated[Path | None, typer.Option("--config", help="TOML file with any of the settings.")]
Runner = Annotated[str | None, typer.Option("--runner", help="memory or beam.")]
Model = Annotated[
    str | None, typer.Option("--model", help="Who writes: none, embedded, or NAME@http://host:port/v1.")
]
Sites = Annotated[
    list[str] | None,
    typer.Option("--site", help="Domain of a public site, which is only read; may be repeated."),
]
Contact = Annotated[
    str | None, typer.Option("--contact", help="Your mail or web address, which public sites are told.")
]
Lines = Annotated[
    bool,
    typer.Option(
        "--lines", help="Crawl Python apps under coverage.py and count the lines that run; it is slower."
    ),
]
Json = Annotated[bool, typer.Option("--json", help="End with one JSON object on stdout.")]
Folder = Annotated[Path, typer.Argument(metavar="DIR", help="Run folder.")]
DEFAULT_OUT = Path("data/runs/default")


@app.command(epilog="Example: groundsmith run --app ihatemoney --lang en --lang zh-Hans --out data/runs/mine")
def run(
    app: Apps = None,
    lang: Langs = None,
    out: Out = DEFAULT_OUT,
    budget_actions: Budget = None,
    seed: Seed = None,
    config: File = None,
    runner: Runner = None,
    model: Model = None,
    site: Sites = None,
    contact: Contact = None,
    lines: Lines = False,
    as_json: Json = False,
) -> None:
    """Do everything: crawl, find tasks, prove them, vote, publish. Rerunning resumes."""
    from pipeline.commands import work

    given = work.given(app, lang, budget_actions, seed, runner, model, site, contact, lines=lines)
    raise typer.Exit(work.run(out, config, given, as_json=as_json))


@app.command(epilog="Example: groundsmith plan --app trac --budget-actions 400")
def plan(
    app: Apps = None,
    lang: Langs = None,
    out: Out = DEFAULT_OUT,
    budget_actions: Budget = None,
    seed: Seed = None,
    config: File = None,
    model: Model = None,
    site: Sites = None,
    contact: Contact = None,
    lines: Lines = False,
    as_json: Json = False,
) -> None:
    """Say what a run would do and what of it is done already; do nothing."""
    from pipeline.commands import look, work

    given = work.given(app, lang, budget_actions, seed, None, model, site, contact, lines=lines)
    look.plan(out, config, given, as_json=as_json)


@app.command(epilog="Example: groundsmith crawl --app ihatemoney --lang en --out data/runs/mine")
def crawl(
    app: Apps = None,
    lang: Langs = None,
    out: Out = DEFAULT_OUT,
    budget_actions: Budget = None,
    seed: Seed = None,
    config: File = None,
    runner: Runner = None,
    model: Model = None,
    site: Sites = None,
    contact: Contact = None,
    lines: Lines = False,
    as_json: Json = False,
) -> None:
    """Begin a run and only explore the apps."""
    from pipeline.commands import work

    given = work.given(app, lang, budget_actions, seed, runner, model, site, contact, lines=lines)
    work.crawl(out, config, given, as_json=as_json)


@app.command(epilog="Example: groundsmith synthesize data/runs/mine")
def synthesize(folder: Folder, as_json: Json = False) -> None:
    """Go on until the instructions are written and sifted."""
    from pipeline.commands import work

    work.go_on(folder, "candidates", as_json=as_json)


@app.command(epilog="Example: groundsmith prove data/runs/mine --again")
def prove(
    folder: Folder,
    again: Annotated[
        bool, typer.Option("--again", help="Re-execute every published task in freshly reset apps.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Go on until every task is proven or rejected, or prove what was published again."""
    from pipeline.commands import work

    if again:
        from pipeline.commands.again import again as prove_again

        raise typer.Exit(prove_again(folder, as_json=as_json))
    work.go_on(folder, "proved", as_json=as_json)


@app.command(epilog="Example: groundsmith judge data/runs/mine")
def judge(folder: Folder, as_json: Json = False) -> None:
    """Go on until every proving trajectory has its verdict."""
    from pipeline.commands import work

    work.go_on(folder, "verdicts", as_json=as_json)


@app.command(epilog="Example: groundsmith publish data/runs/mine")
def publish(folder: Folder, as_json: Json = False) -> None:
    """Write shards, views, data card, quality docs and gallery, doing first what is left to do."""
    from pipeline.commands import work

    raise typer.Exit(work.publish(folder, as_json=as_json))


@app.command(epilog="Example: groundsmith status data/runs/mine --json")
def status(folder: Folder, as_json: Json = False) -> None:
    """Count what every stage of a run has made, kept and rejected."""
    from pipeline.commands import look

    look.status(folder, as_json=as_json)


@app.command(epilog="Example: groundsmith check data/runs/mine")
def check(folder: Folder, as_json: Json = False) -> None:
    """Check a published run: files, schemas, references and the quality suite. Exit code 1 when it fails."""
    from pipeline.commands import look

    raise typer.Exit(look.check(folder, as_json=as_json))


@app.command(epilog='Example: groundsmith query data/runs/mine "SELECT lang, count(*) FROM tasks GROUP BY 1"')
def query(folder: Folder, sql: Annotated[str, typer.Argument(metavar="SQL")], as_json: Json = False) -> None:
    """Ask a published run in SQL (DuckDB, read-only)."""
    from pipeline.commands import look

    look.query(folder, sql, as_json=as_json)


@app.command(epilog="Example: groundsmith show tk_0123456789abcdef --out data/runs/mine")
def show(
    name: Annotated[str, typer.Argument(metavar="ID", help="Id of a task, capability or trajectory.")],
    out: Out = DEFAULT_OUT,
    as_json: Json = False,
) -> None:
    """Show one task, capability or trajectory in words."""
    from pipeline.commands import show as showing

    showing.show(out, name, as_json=as_json)


@app.command(epilog="Example: groundsmith gallery data/runs/mine")
def gallery(folder: Folder) -> None:
    """Write the gallery of a published run again and say where it is."""
    from pipeline.commands import look

    look.gallery(folder)


@app.command(epilog="Example: groundsmith apps --lang zh-Hans")
def apps(
    platform: Annotated[str, typer.Option("--platform", help="Only web, android or desktop apps.")] = "",
    lang: Langs = None,
    as_json: Json = False,
) -> None:
    """List the apps that ship: name, title, category, platform, languages, licence."""
    from pipeline.commands import pool

    pool.apps(platform, lang or [], as_json=as_json)


@app.command(epilog="Example: groundsmith sites --category news --lang zh-Hans --count 5")
def sites(
    category: Annotated[
        list[str] | None, typer.Option("--category", help="Only sites of this category; may be repeated.")
    ] = None,
    lang: Langs = None,
    count: Annotated[
        int, typer.Option("--count", min=1, help="So many, drawn across categories and languages.")
    ] = 20,
    seed: Annotated[int, typer.Option("--seed", help="Another seed draws other sites.")] = 0,
    as_json: Json = False,
) -> None:
    """Draw some of the public sites that can be crawled with --site; ask none of them anything."""
    from pipeline.commands import pool

    pool.draw(count, seed, category or [], lang or [], as_json=as_json)


@app.command(epilog="Example: groundsmith doctor --apps trac fossil")
def doctor(
    names: Annotated[list[str] | None, typer.Argument(metavar="[NAME]...", help="Apps to try.")] = None,
    app: Apps = None,
    apps: Annotated[bool, typer.Option("--apps", help="Try apps: those named, else all that ship.")] = False,
    browser: Annotated[bool, typer.Option("--browser", help="Look at the browser alone.")] = False,
    pictures: Annotated[Path, typer.Option("--pictures", help="Takes a screenshot of each app.")] = Path(
        "data/runs/doctor"
    ),
    as_json: Json = False,
) -> None:
    """Look at what this machine offers: browser, fonts, clock, model, installers. Asked to, try apps: start
    each, look at it in each of its languages, write something, and see that a reset takes it back.
    """
    from pipeline.commands import doctor as medicine

    chosen = [*(app or []), *(names or [])]
    code = medicine.doctor(chosen, pictures, every=apps, browser=browser, as_json=as_json)
    raise typer.Exit(code)


def main(argv: list[str] | None = None) -> None:
    """The console script. An error that is nobody's bug is one line on stderr and an exit code."""
    logging.basicConfig(level=logging.ERROR, format="%(levelname)s: %(message)s")
    for ours in ("crawlers", "pipeline"):  # other people's warnings are not for our users
        logging.getLogger(ours).setLevel(logging.WARNING)
    # A signal to the whole process group also ends the browser's helper; its loop need not complain.
    logging.getLogger("asyncio").setLevel(logging.CRITICAL)
    try:
        app(args=argv, prog_name="groundsmith")
    except Exception as error:
        from pipeline.commands.sentence import explained

        code, sentence = explained(error)
        if not sentence:
            raise
        typer.echo(f"groundsmith: {sentence}", err=True)
        sys.exit(code)

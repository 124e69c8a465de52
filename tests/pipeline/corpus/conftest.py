"""A small made-up corpus: a bill-sharing App in two languages, with real PNGs and every kind of record."""

from __future__ import annotations

import io
import shutil
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from PIL import Image, ImageDraw

from pipeline.corpus.images import ImageStore
from pipeline.corpus.shards import Content, publish
from schemas.action import Action, Click, Finish, Select, Target, Type, action_id
from schemas.app import App, Locale, Locus, Platform
from schemas.capability import (
    Capability,
    CapabilityTree,
    Choice,
    Level,
    Parameter,
    ParameterKind,
    Slot,
    Variant,
)
from schemas.effect import Delta, Effect, EffectClass, Evidence, Gesture, Outcome, Request
from schemas.graph import Coverage, FunctionGraph, Risk, Transition, Untried
from schemas.proof import Check, Execution, Gate, Proof, Proved
from schemas.record import digest
from schemas.rejection import Rejection
from schemas.run import Manifest, ModelEntry
from schemas.screen import Box, Element, Locator, Option, State
from schemas.task import (
    Carried,
    Forbidden,
    Happened,
    Instruction,
    Keypoint,
    NearMiss,
    Shown,
    Span,
    Task,
    TaskPlan,
    Value,
    Visited,
)
from schemas.trajectory import Policy, Step, Trajectory
from schemas.verdict import Ballot, Decision, KeypointVerdict, Rule, Verdict

WORDS = {
    "en": {
        "title": "Shared purse",
        "bills": "Bills",
        "add": "Add a bill",
        "what": "What?",
        "amount": "Amount",
        "payer": "Who paid?",
        "save": "Save",
        "delete": "Delete",
        "settle": "Settle up",
        "stats": "Statistics",
        "task": "Add a bill called {what} over {amount} that {payer} paid.",
        "lunch": "Lunch at the café",
        "drop": "Delete the bill {what}.",
        "Bob": "Bob",
        "Ann": "Ann",
        "see": "Open the statistics.",
    },
    "zh-Hans": {
        "title": "共享钱包",
        "bills": "账单",
        "add": "添加账单",
        "what": "事项",
        "amount": "金额",
        "payer": "付款人",
        "save": "保存",
        "delete": "删除",
        "settle": "结算",
        "stats": "统计",
        "task": "添加一笔名为{what}、金额为{amount}、由{payer}付款的账单。",
        "lunch": "咖啡馆午餐",
        "drop": "删除账单{what}。",
        "Bob": "小明",
        "Ann": "小红",
        "see": "打开统计页面。",
    },
}
APP = App(
    name="purse",
    title="Shared purse",
    platform=Platform.WEB,
    licence="BSD-3-Clause",
    version="1.2",
    homepage="https://example.org",
    category="finance",
    description="Shares bills among friends.",
    serve=("purse", "--port", "{port}"),
    locale=Locale(via="header", codes={"en": "en", "zh-Hans": "zh_Hans"}),
    secrets={"password": "sesame-open-1"},
)
WIDTH, HEIGHT = 640, 400


class Maker:
    """Makes the records of one language."""

    def __init__(self, lang: str, images: ImageStore) -> None:
        self.lang, self.words, self.images = lang, WORDS[lang], images
        self.home = self._home([("Bob", "12.00")])
        self.form = self._form("", "")
        self.saved = self._home([("Bob", "12.00"), ("lunch", "31.50")])
        self.empty = self._home([])
        self.stats = self._screen("stats", "/stats", [("heading", "h1", self.words["stats"], 40, 60)])

    def _screen(self, kind: str, route: str, lines: list[tuple[str, str, str, int, int]]) -> State:
        nav = [
            ("link", "nav.bills", self.words["bills"], 40, 14),
            ("link", "nav.add", self.words["add"], 140, 14),
            ("link", "nav.settle", self.words["settle"], 260, 14),
            ("link", "nav.stats", self.words["stats"], 370, 14),
        ]
        elements = [
            Element(
                key="root", template="root", role="main", tag="main", box=Box(x1=0, y1=0, x2=WIDTH, y2=HEIGHT)
            )
        ]
        for role, key, name, x, y in [*nav, *lines]:
            wide = 220 if role in {"textbox", "combobox"} else 92
            elements.append(
                Element(
                    key=key,
                    template=key.rstrip("0123456789"),
                    parent=0,
                    role=role,
                    tag=role,
                    name=name,
                    box=Box(x1=x, y1=y, x2=x + wide, y2=y + 26),
                    clickable=role in {"link", "button"},
                    editable=role in {"textbox", "combobox"},
                    field=key if role == "textbox" else "",
                    options=(
                        Option(value="1", label=self.words["Ann"]),
                        Option(value="2", label=self.words["Bob"]),
                    )
                    if role == "combobox"
                    else (),
                    locators=(Locator(kind="css", value=f"#{key}"),),
                )
            )
        image = self.images(_picture(elements, f"{self.lang} {kind}"))
        texts = [element.name for element in elements]
        return State(
            id=digest("st", APP.id, self.lang, kind, texts),
            structure=digest("sc", kind),
            app=APP.name,
            lang=self.lang,
            address=route,
            route=route,
            title=f"{self.words['title']} <{kind}>",
            elements=tuple(elements),
            width=WIDTH,
            height=HEIGHT,
            status=200,
            image=image,
        )

    def _home(self, bills: list[tuple[str, str]]) -> State:
        lines = [("heading", "h1", self.words["bills"], 40, 60)]
        for at, (who, amount) in enumerate(bills):
            lines += [
                ("text", f"row.{at}", f"{self.words[who]} {amount}", 40, 110 + 40 * at),
                ("button", f"del.{at}", self.words["delete"], 300, 110 + 40 * at),
            ]
        return self._screen("home", "/", lines)

    def _form(self, what: str, amount: str) -> State:
        fields = [
            ("heading", "h1", self.words["add"], 40, 60),
            ("textbox", "what", self.words["what"] + what, 40, 110),
            ("textbox", "amount", self.words["amount"] + amount, 40, 160),
            ("combobox", "payer", self.words["payer"], 40, 210),
            ("button", "save", self.words["save"], 40, 270),
        ]
        return self._screen("form", "/add", fields)

    def edge(self, source: State, action: Action, target: State, effect: Effect) -> Transition:
        return Transition(
            id=digest("ed", source.id, action_id(action), target.id),
            source=source.id,
            action=action,
            target=target.id,
            effect=effect,
            risk=Risk.REVERSIBLE if effect.writes else Risk.NONE,
        )

    def graph(self) -> FunctionGraph:
        edges = [
            self.edge(before, step.action, after, step.effect)
            for steps, seen in (self.add(), self.drop(), self.see())
            for step, before, after in zip(steps, seen, seen[1:], strict=False)
            if not isinstance(step.action, Finish)
        ]
        states = {s.id: s for s in (self.home, self.form, self.saved, self.empty, self.stats)}
        for _, seen in (self.add(), self.drop(), self.see()):
            states |= {state.id: state for state in seen}
        return FunctionGraph(
            app=APP.name,
            app_id=APP.id,
            lang=self.lang,
            root=self.home.id,
            states=tuple(states.values()),
            transitions=tuple(edges),
            untried=(Untried(state=self.home.id, key="nav.out", label="Log <out>", reason="risk_account"),),
            coverage=Coverage(
                states=len(states),
                structures=3,
                transitions=len(edges),
                actions=30,
                clickables=12,
                clickables_tried=9,
                forms=1,
                forms_tried=1,
                routes=("GET /", "GET /add", "POST /add"),
                routes_reached=2 if self.lang == "en" else None,
                routes_known=4 if self.lang == "en" else None,
                lines=40 if self.lang == "en" else None,
                statements=90 if self.lang == "en" else None,
                wall_s=9.0,
            ),
        )

    def tree(self) -> CapabilityTree:
        top = Capability(
            id=digest("fn", "bills"),
            app=APP.name,
            lang=self.lang,
            level=Level.CAPABILITY,
            name=self.words["bills"],
        )
        nodes = [
            top,
            *(
                Capability(
                    id=plan.capabilities[0],
                    app=APP.name,
                    lang=self.lang,
                    parent=top.id,
                    level=Level.ATOMIC,
                    name=plan.name,
                    verb=plan.verb,
                    object=plan.object,
                    effect=plan.effect,
                    labels=plan.labels,
                    signature=plan.capabilities[0],
                    title=plan.title,
                    parameters=tuple(
                        Parameter(
                            name=value.name,
                            label=value.label,
                            kind=value.kind,
                            required=True,
                            choices=(Choice(value="1", label=self.words["Ann"]),)
                            if value.kind is ParameterKind.CHOICE
                            else (),
                        )
                        for value in plan.values
                    ),
                    variants=(
                        Variant(
                            path=plan.path,
                            slots=plan.slots,
                            signatures=("POST /add",),
                            states=(self.home.id,),
                        ),
                    ),
                    evidence=(self.graph().transitions[0].id,),
                )
                for plan in self.plans()
            ),
        ]
        return CapabilityTree(
            app=APP.name, app_id=APP.id, lang=self.lang, root=self.home.id, entry="/", nodes=tuple(nodes)
        )

    def _do(
        self, state: State, key: str, kind: type[Action] = Click, **values: object
    ) -> tuple[Action, Gesture | None]:
        element = state.find(key)
        assert element is not None
        assert element.box is not None
        x, y = element.box.centre
        return kind(target=Target.of(element), **values), Gesture(x=x, y=y, box=element.box)

    def _steps(
        self, plan: list[tuple[tuple[Action, Gesture | None], Effect, State]], start: State
    ) -> tuple[tuple[Step, ...], tuple[State, ...]]:
        steps, seen = [], [start]
        for (action, gesture), effect, after in plan:
            full = effect.model_copy(
                update={"evidence": effect.evidence.model_copy(update={"gesture": gesture})}
            )
            steps.append(Step(index=len(steps), action=action, effect=full, ms=17))
            seen.append(after)
        steps.append(
            Step(
                index=len(steps),
                action=Finish(),
                effect=Effect(classes=(EffectClass.NONE,), outcome=Outcome.UNCHANGED),
            )
        )
        return tuple(steps), (*seen, seen[-1])

    def add(self) -> tuple[tuple[Step, ...], tuple[State, ...]]:
        lunch = self.words["lunch"]
        typed, both = self._form(f" {lunch}", ""), self._form(f" {lunch}", " 31.50")
        post = Request(
            method="POST",
            path="/add",
            route="/add",
            status=302,
            fields=(("what", lunch), ("amount", "31.50")),
        )
        return self._steps(
            [
                (self._do(self.home, "nav.add"), _effect(EffectClass.NAVIGATE, Outcome.NAVIGATED), self.form),
                (self._do(self.form, "what", Type, text=lunch), _effect(EffectClass.SET), typed),
                (self._do(typed, "amount", Type, text="31.50"), _effect(EffectClass.SET), both),
                (
                    self._do(both, "payer", Select, value="1", label=self.words["Ann"]),
                    _effect(EffectClass.SET),
                    both,
                ),
                (
                    self._do(both, "save"),
                    _effect(EffectClass.CREATE, Outcome.NAVIGATED, post, (f"{lunch} 31.50",)),
                    self.saved,
                ),
            ],
            self.home,
        )

    def drop(self) -> tuple[tuple[Step, ...], tuple[State, ...]]:
        post = Request(method="POST", path="/delete/1", route="/delete/{}", status=302)
        effect = _effect(EffectClass.DELETE, Outcome.NAVIGATED, post)
        return self._steps([(self._do(self.home, "del.0"), effect, self.empty)], self.home)

    def see(self) -> tuple[tuple[Step, ...], tuple[State, ...]]:
        effect = _effect(EffectClass.NAVIGATE, Outcome.NAVIGATED)
        return self._steps([(self._do(self.home, "nav.stats"), effect, self.stats)], self.home)

    def plans(self) -> list[TaskPlan]:
        lunch, words = self.words["lunch"], self.words
        values = (
            Value(name="what", label=words["what"], kind=ParameterKind.TEXT, value=lunch, shown=lunch),
            Value(
                name="amount", label=words["amount"], kind=ParameterKind.AMOUNT, value="31.50", shown="31.50"
            ),
            Value(
                name="payer", label=words["payer"], kind=ParameterKind.CHOICE, value="1", shown=words["Ann"]
            ),
        )
        return [
            self._plan("add", EffectClass.CREATE, "add", values, self.add(), ("POST /add",)),
            self._plan("drop", EffectClass.DELETE, "delete", (), self.drop(), ("POST /delete/{}",)),
            self._plan("see", EffectClass.NAVIGATE, "open", (), self.see(), ()),
        ]

    def _plan(  # noqa: PLR0917 - a row of a table of plans
        self,
        what: str,
        effect: EffectClass,
        verb: str,
        values: tuple[Value, ...],
        run: tuple[tuple[Step, ...], tuple[State, ...]],
        writes: tuple[str, ...],
    ) -> TaskPlan:
        steps, seen = run
        last = seen[-1]
        keypoints: list[Keypoint] = [
            Visited(id=digest("kp", what, "v"), route=last.route, structure=last.structure)
        ]
        keypoints += [Happened(id=digest("kp", what, "h"), signature=write) for write in writes]
        keypoints += [
            Carried(
                id=digest("kp", what, value.name), signature="POST /add", field=value.name, value=value.value
            )
            for value in values
        ]
        if values:
            keypoints.append(Shown(id=digest("kp", what, "s"), text=values[0].shown))
        keypoints.append(Forbidden(id=digest("kp", what, "f"), allowed=writes))
        path = tuple(step.action for step in steps if not isinstance(step.action, Finish))
        return TaskPlan(
            id=digest("pl", what, self.lang),
            group=digest("tg", what),
            app=APP.name,
            app_id=APP.id,
            lang=self.lang,
            capabilities=(digest("fn", what),),
            effect=effect,
            verb=verb,
            object=self.words["bills"],
            name=f"{verb} {self.words['bills']}",
            title=last.title,
            entity=self.words["Bob"] if what == "drop" else "",
            values=values,
            labels=(self.words["add"], self.words["save"]),
            path=path,
            slots=(Slot(parameter="what", step=1),) if values else (),
            keypoints=tuple(keypoints),
            root=self.home.id,
            near_misses=(NearMiss(kind="half_done", detail="stops before Save", path=path[:-1]),),
        )

    def proved(self) -> list[Proved]:
        text = {
            "add": self.words["task"].format(
                what=self.words["lunch"], amount="31.50", payer=self.words["Ann"]
            ),
            "delete": self.words["drop"].format(what=self.words["Bob"]),
            "open": self.words["see"],
        }
        runs = (self.add(), self.drop(), self.see())
        return [
            self._proved(plan, text[plan.verb], run) for plan, run in zip(self.plans(), runs, strict=True)
        ]

    def _proved(self, plan: TaskPlan, text: str, run: tuple[tuple[Step, ...], tuple[State, ...]]) -> Proved:
        steps, seen = run
        by_model = self.lang == "en" and plan.verb == "add"
        words = Instruction(
            text=text,
            writer="model" if by_model else "template",
            model="small.gguf" if by_model else "",
            prompt=digest("pr", plan.verb),
            spans=tuple(
                Span(
                    start=text.index(v.shown),
                    end=text.index(v.shown) + len(v.shown),
                    source="value",
                    of=v.name,
                )
                for v in plan.values
            ),
        )
        task = Task(id=digest("tk", plan.id, text), plan=plan, instruction=words)
        runs = tuple(
            Trajectory(
                id=digest("tr", task.id, attempt),
                task=task.id,
                app=APP.name,
                lang=self.lang,
                policy=Policy.REFERENCE,
                attempt=attempt,
                steps=steps,
                observations=seen,
            )
            for attempt in (0, 1)
        )
        checks = tuple(
            Check(gate=gate, passed=True, detail="ok", executions=_executions(gate, runs)) for gate in Gate
        )
        return Proved(
            task=task, proof=Proof(id=digest("pf", task.id), task=task.id, checks=checks), trajectories=runs
        )

    def verdicts(self) -> list[Verdict]:
        return [_verdict(proved, run) for proved in self.proved() for run in proved.trajectories]


def _executions(gate: Gate, runs: tuple[Trajectory, ...]) -> tuple[Execution, ...]:
    if gate is Gate.REPLAYED:
        return tuple(
            Execution(
                trajectory=run.id,
                policy=run.policy,
                purpose=f"replay {run.attempt + 1}",
                verified=True,
                expected=True,
                steps=len(run.steps),
            )
            for run in runs
        )
    policy = {
        Gate.FRESH: Policy.DO_NOTHING,
        Gate.NECESSARY: Policy.ABLATION,
        Gate.DISCRIMINATING: Policy.NEAR_MISS,
    }.get(gate)
    if policy is None:
        return ()
    return (
        Execution(
            trajectory=digest("tr", gate, runs[0].id),
            policy=policy,
            purpose=f"{policy} <1>",
            verified=False,
            expected=False,
            steps=1,
            unmet=("kp_x",),
        ),
    )


def _verdict(proved: Proved, run: Trajectory) -> Verdict:
    ballots = [
        Ballot(
            judge=judge,
            trajectory=run.id,
            keypoint=keypoint.id,
            reason=f"saw {keypoint.kind}",
            met=True if (keypoint.kind in {"visited", "entity"}) == (judge == "tree") else None,
        )
        for keypoint in proved.task.plan.keypoints
        for judge in ("state", "tree")
    ]
    tallies = [
        KeypointVerdict(keypoint=k.id, decision=Decision.PASS, yes=1, no=0, abstained=1)
        for k in proved.task.plan.keypoints
    ]
    return Verdict(
        id=digest("vd", run.id),
        task=run.task,
        trajectory=run.id,
        decision=Decision.PASS,
        rule=Rule(),
        keypoints=tuple(tallies),
        ballots=tuple(ballots),
        agreement=1.0,
    )


def _effect(
    kind: EffectClass,
    outcome: Outcome = Outcome.CHANGED,
    request: Request | None = None,
    appeared: tuple[str, ...] = (),
) -> Effect:
    return Effect(
        classes=(kind,),
        outcome=outcome,
        evidence=Evidence(requests=(request,) if request else ()),
        delta=Delta(appeared=appeared),
    )


def _picture(elements: list[Element], caption: str) -> bytes:
    image = Image.new("RGB", (WIDTH, HEIGHT), "#f6f7fb")
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, WIDTH, 48), fill="#27364a")
    draw.text((10, HEIGHT - 16), caption, fill="#8892a0")
    for element in elements[1:]:
        box = element.box
        assert box is not None
        fill = {"button": "#3b82f6", "textbox": "#ffffff", "combobox": "#ffffff"}.get(element.role)
        if fill:
            draw.rectangle((box.x1, box.y1, box.x2 - 1, box.y2 - 1), fill=fill, outline="#9aa4b2")
        ink = "#ffffff" if box.y1 < 40 or element.role == "button" else "#1b2430"
        shown = element.name if element.name.isascii() else "#" * len(element.name)
        draw.text((box.x1 + 6, box.y1 + 7), shown, fill=ink)
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


@pytest.fixture(scope="session")
def content(tmp_path_factory: pytest.TempPathFactory) -> Content:
    images = ImageStore(str(tmp_path_factory.mktemp("store")))
    makers = [Maker(lang, images) for lang in WORDS]
    rejection = Rejection(
        stage="prove",
        item="tk_1",
        reason="necessary",
        detail="step 2 may be left out",
        app=APP.name,
        lang="en",
        text="Open | the <bills>.",
    )
    return Content(
        loci=tuple(Locus(app=APP, lang=lang) for lang in WORDS),
        graphs=lambda: (maker.graph() for maker in makers),
        trees=lambda: (maker.tree() for maker in makers),
        proved=lambda: (proved for maker in makers for proved in maker.proved()),
        verdicts=lambda: (verdict for maker in makers for verdict in maker.verdicts()),
        rejections=lambda: iter((rejection, rejection)),
        images=images,
    )


@pytest.fixture(scope="session")
def head() -> Manifest:
    return Manifest(
        run="rn_0123456789abcdef",
        code="co_1",
        config="cf_1",
        config_json="{}",
        apps=("purse",),
        langs=tuple(WORDS),
        seed=7,
        models=(ModelEntry(role="writer", name="small.gguf", sha256="ab" * 32),),
        funnel={"crawl": 2, "compose": 8, "prove": 6},
        started_at=datetime(2027, 2, 1, tzinfo=UTC),
        finished_at=datetime(2027, 2, 1, tzinfo=UTC),
    )


@pytest.fixture(scope="session")
def published(tmp_path_factory: pytest.TempPathFactory, content: Content, head: Manifest) -> Path:
    """A published run that tests only read."""
    root = tmp_path_factory.mktemp("published") / "run"
    publish(str(root), content, head)
    return root


@pytest.fixture
def run_dir(tmp_path: Path, published: Path) -> Path:
    """A published run of the test's own."""
    return Path(shutil.copytree(published, tmp_path / "run"))


@pytest.fixture(scope="session")
def without() -> Callable[..., Content]:
    """Makes a Content with some of its streams replaced."""
    return replace

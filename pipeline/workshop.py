"""The Workshop is a run folder being worked on: its stages, its hosts, its model, and the order to put
everything away afterwards, however the work ends.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path

from crawlers.platforms import HostPool
from pipeline.corpus.images import ImageStore
from pipeline.flow import Flow, Stages, execute, flow
from pipeline.interrupt import stoppable
from pipeline.lazy import LazyChat
from pipeline.ledger import Ledger, Recorded, code_hash
from pipeline.lock import locked
from pipeline.memory import Memory, Tick, Watch, unwatched
from pipeline.models.client import Chat
from pipeline.models.embed import Embedder
from pipeline.models.servers import open_chat
from pipeline.order import Order
from pipeline.stages.compose import Compose
from pipeline.stages.crawl import Crawl
from pipeline.stages.instruct import Instruct
from pipeline.stages.judge import Judge
from pipeline.stages.mine import Mine
from pipeline.stages.prove import Prove
from pipeline.stages.sift import Sift
from pipeline.stages.vote import Vote
from schemas.capability import CapabilityTree
from schemas.graph import FunctionGraph
from schemas.proof import Candidate, Proved
from schemas.run import Manifest
from schemas.task import Task, TaskPlan
from schemas.verdict import Poll, Verdict


@dataclass
class Workshop:
    """A run folder and its Order. Reading needs nothing more; whoever works on it, opens it."""

    folder: Path
    order: Order
    pool: HostPool = field(default_factory=HostPool)
    writer: Chat | None = None
    watch: Watch = unwatched
    made: int = 0
    """Outcomes that were not found but made."""
    begun: datetime = field(default_factory=lambda: datetime.now(UTC))
    _told: set[str] = field(default_factory=set)
    _guard: threading.Lock = field(default_factory=threading.Lock)

    @cached_property
    def images(self) -> ImageStore:
        """The screenshots."""
        return ImageStore(str(self.folder / "images"))

    @contextmanager
    def open(self) -> Iterator[Workshop]:
        """Hold the folder, keep the Order there, and stop hosts and model at the end, however it comes.

        Raises:
            DatasetError: another command holds the folder.
            Interrupted: a signal came.
        """
        with stoppable(), ExitStack() as putting_away:
            putting_away.enter_context(locked(self.folder))
            self.order.save(self.folder)
            putting_away.callback(self.pool.close_all)
            self.writer = self._chat(putting_away)
            yield self

    @cached_property
    def flow(self) -> Flow:
        """The flow over this folder's ledger."""
        return flow(self.order.loci, self._stages())

    def make(self, goal: str, watch: Watch = unwatched) -> Memory:
        """Make a pile of the flow and all before it; what comes back reads them."""
        self.watch = watch
        config = self.order.config
        self.flow, memory = execute(
            self.order.loci,
            self._stages(),
            goal,
            runner=config.runner,
            workers=config.workers,
            watch=self._noted,
        )
        return memory

    def publish(self, memory: Memory) -> Manifest:
        """Shards, views, card and gallery of what was made; left alone where nothing has changed since.

        Raises:
            DatasetError: something cannot be read or written; an earlier publication stays as it was.
        """
        from pipeline.corpus.gallery import gallery  # noqa: PLC0415 - heavy, and only for publishing
        from pipeline.corpus.layout import MANIFEST, load_manifest  # noqa: PLC0415 - heavy, and only for publishing
        from pipeline.corpus.shards import Content, publish  # noqa: PLC0415

        if not self.made and (self.folder / MANIFEST).exists():
            manifest = load_manifest(self.folder)
            if (manifest.run, manifest.code) == (self.order.run, code_hash()):
                return manifest
        content = Content(
            loci=self.order.loci,
            graphs=lambda: memory.items(self.flow.graphs),
            trees=lambda: memory.items(self.flow.trees),
            proved=lambda: memory.items(self.flow.proved),
            verdicts=lambda: memory.items(self.flow.verdicts),
            rejections=lambda: memory.rejections(self.flow.verdicts),
            images=self.images,
        )
        manifest = publish(str(self.folder), content, self._head(memory))
        gallery(self.folder)
        return manifest

    def _head(self, memory: Memory) -> Manifest:
        order = self.order
        return Manifest(
            run=order.run,
            code=code_hash(),
            config=order.config.id,
            config_json=order.config.model_dump_json(exclude={"runner", "workers"}),
            apps=tuple(app.name for app in order.apps),
            langs=tuple(dict.fromkeys(locus.lang for locus in order.loci)),
            seed=order.config.seed,
            models=order.models,
            funnel=dict(memory.kept),
            started_at=self.begun,
            finished_at=self.begun,
        )

    def _noted(self, tick: Tick) -> None:
        with self._guard:  # ticks come from several lanes, and some come again
            if tick.key in self._told:
                return
            if tick.key:
                self._told.add(tick.key)
            self.made += tick.what == "made"
            self.watch(tick)

    def _moved(self, actions: int, states: int) -> None:
        """A crawl takes minutes; somebody may be waiting."""
        self._noted(Tick("crawl", "moved", note=f"{actions} actions, {states} states"))

    def _chat(self, putting_away: ExitStack) -> Chat | None:
        """The model that writes. One of others is looked for now, before anything else takes time; our own
        is brought up when it is needed.
        """
        order, folder = self.order, self.folder / "model"
        if order.writer is None:
            return None
        if order.config.model.kind == "embedded" and order.config.runner == "memory":
            return LazyChat(order.config.model, order.writer.name, folder, putting_away)
        return putting_away.enter_context(open_chat(order.config.model, folder))

    def _stages(self) -> Stages:
        """Each stage with the settings that change what it yields."""
        order, config, seed = self.order, self.order.config, self.order.config.seed
        ledger = Ledger(self.folder, order.code)
        progress = self._moved if config.runner == "memory" else None  # Beam would have to pickle it
        crawl = Crawl(self.pool, self.images, config.crawl, seed, progress, config.crawl.lines)
        compose = Compose(**dict(config.compose), seed=seed)
        instruct = Instruct(self.writer, config.instruct.tries, seed)
        prove = Prove(self.pool, order.apps, self.images, config.judge)
        words = (config.instruct.tries, seed, order.writer)
        return Stages(
            crawl=Recorded(crawl, ledger, "graphs", FunctionGraph, (config.crawl, seed)),
            mine=Recorded(Mine(), ledger, "capabilities", CapabilityTree),
            compose=Recorded(compose, ledger, "plans", TaskPlan, (config.compose, seed)),
            instruct=Recorded(instruct, ledger, "tasks", Task, words),
            sift=Recorded(Sift(Embedder()), ledger, "candidates", Candidate),
            prove=Recorded(prove, ledger, "trajectories", Proved, (order.apps, config.judge)),
            judge=Recorded(Judge(), ledger, "ballots", Poll),
            vote=Recorded(Vote(config.judge), ledger, "verdicts", Verdict, (config.judge,)),
        )

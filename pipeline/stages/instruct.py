"""Instruct: TaskPlan → Task. A model writes where one is configured and its sentence holds against every
gate; otherwise the language's template does. The row says who wrote it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pipeline.models.client import Chat
from pipeline.models.completion import first_line
from pipeline.writing.faults import fault_of
from pipeline.writing.repair import repaired
from pipeline.writing.spans import spans_of
from pipeline.writing.words import words_of
from prompts import MissingTemplate, has, phrase, render
from prompts.contexts import InstructionContext, WriterContext
from schemas.effect import EffectClass
from schemas.record import digest
from schemas.rejection import Rejection
from schemas.task import Instruction, Task, TaskPlan

MAX_TOKENS = 96
SCREENS = frozenset({EffectClass.NAVIGATE, EffectClass.OPEN, EffectClass.CLOSE})
"""Effects whose instruction is a screen's name: nothing is left for a model to word."""
VARIANTS = 6
"""Common multiple of the numbers of wordings that templates choose from."""
BOLDNESS = 0.7
"""Temperature of every try after the first, which takes the likeliest words."""


@dataclass(frozen=True)
class Instruct:
    """``writer`` None leaves everything to the templates."""

    writer: Chat | None = None
    tries: int = 2
    """Answers asked of the model before the template writes."""
    seed: int = 0

    @property
    def name(self) -> str:
        """The stage column of its Rejections."""
        return "instruct"

    def __call__(self, plan: TaskPlan, /) -> Iterable[Task | Rejection]:
        """One Task, or a Rejection ``no_templates`` where nobody can write the plan's language.

        Raises:
            ModelError: the model's endpoint is gone. Finished work is kept.
        """
        words = words_of(plan)
        task = self._by_model(plan, words) or self._by_template(plan, words)
        if task:
            yield task
            return
        yield Rejection(
            stage=self.name,
            item=plan.id,
            reason="no_templates",
            detail=f"There is no instruction template for {plan.effect.value} in {plan.lang}.",
            app=plan.app,
            lang=plan.lang,
            text=plan.name,
        )

    def _by_model(self, plan: TaskPlan, words: WriterContext) -> Task | None:
        if self.writer is None or not _worth_asking(plan, words):
            return None
        prompt = render("writer", words, plan.lang)
        for number in range(self.tries):
            answer = self.writer.complete(
                prompt,
                seed=self.seed + number,
                temperature=BOLDNESS if number else 0.0,
                max_tokens=MAX_TOKENS,
            )
            if answer.error:
                # One bad request is a lost try; an endpoint that is gone would change the words of a run.
                self.writer.check()
            if not answer.complete:
                continue
            text = repaired(first_line(answer.text), words, plan.lang)
            task = _task(
                plan,
                Instruction(
                    text=text,
                    writer="model",
                    model=self.writer.model,
                    prompt=prompt.hash,
                    tries=number + 1,
                    spans=spans_of(text, plan),
                ),
            )
            if not fault_of(task, words):
                return task
        return None

    def _by_template(self, plan: TaskPlan, words: WriterContext) -> Task | None:
        variant = int(digest("vr", plan.id, self.seed)[3:], 16) % VARIANTS
        context = InstructionContext(**dict(words), variant=variant)
        try:
            written = phrase("instruction", context, plan.lang)
        except MissingTemplate:
            return None
        if not written.text:
            return None
        tries = self.tries if self.writer and _worth_asking(plan, words) else 1
        return _task(
            plan,
            Instruction(
                text=written.text,
                writer="template",
                prompt=written.hash,
                tries=tries,
                spans=spans_of(written.text, plan),
            ),
        )


def _worth_asking(plan: TaskPlan, words: WriterContext) -> bool:
    """Whether a model can do better than the template: not with a mere name, nor where the button must be
    named beside what it does.
    """
    spoken = plan.effect not in SCREENS and not (words.action and words.control)
    return spoken and has("writer", plan.lang)


def _task(plan: TaskPlan, instruction: Instruction) -> Task:
    return Task(id=digest("tk", plan.id, instruction.text), plan=plan, instruction=instruction)

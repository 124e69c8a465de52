"""Effects: evidence and the difference between two screens, read as classes of change.

The first row that applies gives the leading class, which what the screen did may follow.

| seen                                                        | class            |
|-------------------------------------------------------------|------------------|
| a file was handed out                                       | download         |
| a form was sent and: no request left, or it was refused     | validate_error   |
|   (4xx), or the form is asked for again, with a complaint   |                  |
|   or at another address                                     |                  |
| a login route accepted a form that asked for a password     | login            |
| a logout word, or a session cookie gone, and another screen | logout           |
| accepted write: DELETE; a delete route; or fewer items and  | delete           |
|   no verb in the route                                      |                  |
| accepted write: more items; a create route; or a form that  | create           |
|   was empty before                                          |                  |
| any other accepted write                                    | update           |
| storage written, with more / fewer / as many items          | create / delete / toggle or update |
| a native dialog came up                                     | open             |
| same path, another query: sort words / search field / other | sort / search / filter |
| another route                                               | navigate         |
| a box changed its mark; a field its value                   | toggle; set      |
| more / fewer controls on the same page                      | open / close     |
| anything else displayed differently                         | set              |

A GET that changes data leaves no trace in its own evidence: it reads as ``navigate``. The POST of a
POST → 302 → GET chain is the write, with status 302.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from urllib.parse import parse_qsl, urlsplit

from crawlers.change import Change
from crawlers.identity import mask
from crawlers.refusal import refused
from crawlers.words import CREATE, DELETE, LOGIN, LOGOUT, SORT, UPDATE, speaks_of
from schemas.action import Action, Check, Select, Type
from schemas.effect import Delta, Effect, EffectClass, Evidence, Outcome
from schemas.screen import State

_VERBS = (
    (DELETE, EffectClass.DELETE),
    (UPDATE, EffectClass.UPDATE),
    (CREATE, EffectClass.CREATE),
)
"""Read from the route alone, so that an Effect is the same in every language."""


def read(before: State, action: Action, after: State, evidence: Evidence) -> Effect:
    """What an Action changed, from the facts that a Driver saw and the screens on both sides."""
    change = Change(before, action, after, evidence, delta_of(before, after))
    classes = tuple(dict.fromkeys(_classes(change)))
    return Effect(
        classes=classes or (EffectClass.NONE,),
        outcome=_outcome(change),
        evidence=evidence,
        delta=change.delta,
    )


def delta_of(before: State, after: State) -> Delta:
    """Lines displayed more often and less often afterwards; text that changes by itself is left out."""
    if before.id == after.id:
        return Delta()
    first, last = before.texts(), after.texts()
    return Delta(appeared=_surplus(last, first), vanished=_surplus(first, last))


def _surplus(lines: Sequence[str], other: Sequence[str]) -> tuple[str, ...]:
    left = Counter(map(mask, lines))
    left.subtract(map(mask, other))
    found: list[str] = []
    # From the end: what was appended is what is new.
    for line in reversed(lines):
        if left[mask(line)] > 0:
            left[mask(line)] -= 1
            found.append(line)
    return tuple(reversed(found))


def _classes(change: Change) -> Iterator[EffectClass]:
    if change.evidence.downloads:
        yield EffectClass.DOWNLOAD
    if change.evidence.dialog is not None:
        yield EffectClass.OPEN
    elif refused(change):
        yield EffectClass.INVALID
    else:
        done = _session(change) or _write(change)
        if done is not None:
            yield done
        if done is EffectClass.TOGGLE:
            yield EffectClass.UPDATE
        yield from _screen(change, wrote=done is not None)


def _session(change: Change) -> EffectClass | None:
    asked, asks = asks_password(change.before), asks_password(change.after)
    if change.writes and asked and not asks:
        routes = [request.route for request in change.writes]
        return EffectClass.LOGIN if speaks_of(LOGIN, *routes) else None
    pressed = change.pressed
    words = (pressed.label, pressed.href, pressed.form) if pressed else ()
    gone = any(write.area == "cookie" and write.removed for write in change.evidence.storage)
    elsewhere = change.before.structure != change.after.structure
    leaves = speaks_of(LOGOUT, *words) or (gone and asks)
    return EffectClass.LOGOUT if elsewhere and leaves else None


def asks_password(state: State) -> bool:
    """Whether a password can be entered."""
    return any(element.password and element.visible for element in state.elements)


def _write(change: Change) -> EffectClass | None:
    if change.writes:
        return _request_class(change)
    if not change.stored:
        return None
    if change.gained:
        return EffectClass.CREATE if change.gained > 0 else EffectClass.DELETE
    if change.marked or change.ticked or change.switched:
        return EffectClass.TOGGLE
    return EffectClass.CREATE if change.was_empty else EffectClass.UPDATE


def _request_class(change: Change) -> EffectClass:
    methods = {request.method for request in change.writes}
    if "DELETE" in methods:
        return EffectClass.DELETE
    if change.growth > 0:
        return EffectClass.CREATE
    if methods & {"PUT", "PATCH"}:
        return EffectClass.UPDATE
    for family, verb in _VERBS:
        if speaks_of(family, *(request.route for request in change.writes)):
            return verb
    if change.growth < 0:
        return EffectClass.DELETE
    return EffectClass.CREATE if _leads_to_one(change) or change.was_empty else EffectClass.UPDATE


def _leads_to_one(change: Change) -> bool:
    """Whether what was sent named no item, and the page that answers is about one."""
    named = any("{" in request.route for request in change.writes)
    return not named and "{" in change.after.route.partition("?")[0]


def _screen(change: Change, *, wrote: bool) -> Iterator[EffectClass]:
    """What the screen did, which after a write is only worth telling where it is another one."""
    before, after, action = change.before, change.after, change.action
    same = before.structure == after.structure
    asked = _asked(change)
    if before.dialog is not None and after.dialog is None and not change.moved and not wrote:
        yield EffectClass.CLOSE
    elif change.moved and change.elsewhere:
        if change.searched and not wrote:
            yield EffectClass.SEARCH
        yield EffectClass.NAVIGATE
    elif asked is not None:
        yield asked
    elif before.id == after.id:
        return
    elif isinstance(action, Check) or (same and change.marked):
        yield EffectClass.TOGGLE
    elif same:
        yield EffectClass.SET
    elif not wrote:
        yield _opened_or_closed(change)


def _opened_or_closed(change: Change) -> EffectClass:
    if change.loaded:
        return EffectClass.NAVIGATE
    if isinstance(change.action, Type | Select):
        return EffectClass.SET
    before, after = _controls(change.before), _controls(change.after)
    return EffectClass.CLOSE if before - after and not after - before else EffectClass.OPEN


def _alike(change: Change) -> bool:
    """Whether the screen has most of its controls still: a feed in the same order is another document."""
    before, after = _controls(change.before), _controls(change.after)
    return 2 * len(before & after) >= len(before | after)


def _controls(state: State) -> frozenset[str]:
    return frozenset(element.template for element in state.elements if element.visible)


def _asked(change: Change) -> EffectClass | None:
    """What the same place was asked to show; None where it was not asked anything new."""
    first, last = urlsplit(change.before.address), urlsplit(change.after.address)
    routed = first.fragment != last.fragment and change.elsewhere
    changed = routed or first.query != last.query
    if not changed and change.before.id == change.after.id:
        return None
    if change.searched:
        return EffectClass.SEARCH
    if not changed:
        return None
    asked = set(parse_qsl(last.query)) - set(parse_qsl(first.query))
    if speaks_of(SORT, *(name for name, _ in asked)) and _alike(change):
        return EffectClass.SORT
    same = change.before.structure == change.after.structure
    return EffectClass.FILTER if same else EffectClass.NAVIGATE


def _outcome(change: Change) -> Outcome:
    evidence = change.evidence
    if evidence.dialog is not None:
        return Outcome.DIALOG
    if evidence.downloads:
        return Outcome.DOWNLOAD
    if evidence.window_opened:
        return Outcome.NEW_WINDOW
    if change.elsewhere:
        return Outcome.NAVIGATED
    if change.before.id != change.after.id:
        return Outcome.CHANGED
    away = change.pressed is not None and "://" in change.pressed.href
    return Outcome.APP_LEFT if evidence.blocked and away else Outcome.UNCHANGED

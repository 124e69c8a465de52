"""Dumps the tree of the one program of a session with pyatspi or dogtail, once for every line that it is
given, and prints the milliseconds and the objects found, as JSON. Run by Debian's own Python:
``dump_pyatspi.py CLIENT``.
"""

import json
import sys
import time
from typing import Any

import pyatspi

MOST_CHILDREN = 400


def programs(client: str) -> Any:
    """The programs of the session, as the client hands them out."""
    if client != "dogtail":
        return pyatspi.Registry.getDesktop(0)
    from dogtail.config import config  # noqa: PLC0415 - it may not be there

    config.checkForA11y = False
    from dogtail.tree import root  # noqa: PLC0415 - reads the setting above

    return root


def facts(node: Any) -> None:
    """Ask for what we ask for: of all objects their name and kind, of those that are drawn all else."""
    states = node.getState()
    node.getRole(), node.name, node.description, node.get_interfaces(), states.getStates()
    if not states.contains(pyatspi.STATE_SHOWING):
        return
    component = interface(node, "queryComponent")
    if component:
        component.getExtents(0)
    action = interface(node, "queryAction")
    if action:
        [action.getName(at) for at in range(min(action.nActions, 6))]


def interface(node: Any, name: str) -> Any:
    """An interface, or None where the object has none."""
    try:
        return getattr(node, name)()
    except (NotImplementedError, LookupError):
        return None


def walk(program: Any) -> int:
    """Objects below the program, each once, though it may hang in several places."""
    paths, pending = set(), list(program)
    while pending:
        node = pending.pop()
        if node is not None:
            paths.add(node.path)
            facts(node)
            pending.extend(node[at] for at in range(min(node.childCount, MOST_CHILDREN)))
    return len(paths)


def main(client: str) -> None:
    """Dump and print, line by line."""
    for _ in sys.stdin:
        program = next(iter(programs(client)))
        program.clear_cache()
        begun = time.monotonic()
        count = walk(program)
        print(json.dumps({"ms": 1000 * (time.monotonic() - begun), "nodes": count}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])

"""Dumps the tree of the one program of a session with pyatspi or dogtail, and prints the milliseconds of each
of so many dumps and the objects found, as JSON. Run by Debian's own Python: ``dump_pyatspi.py CLIENT TIMES``.
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

    config.check_for_a11y = False
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
    """Objects below the program."""
    count, pending = 0, list(program)
    while pending:
        node = pending.pop()
        if node is not None:
            count += 1
            facts(node)
            pending.extend(node[at] for at in range(min(node.childCount, MOST_CHILDREN)))
    return count


def main(client: str, times: int) -> None:
    """Print the report."""
    spent, count = [], 0
    for _ in range(times):
        program = next(iter(programs(client)))
        program.clear_cache()
        begun = time.monotonic()
        count = walk(program)
        spent.append(1000 * (time.monotonic() - begun))
    print(json.dumps({"ms": spent, "nodes": count}))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))

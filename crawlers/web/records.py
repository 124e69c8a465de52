"""Records: what an App's server keeps in its data folder, databases and files, and what became of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

from crawlers.web.mirror import Stamp, walk
from crawlers.web.tables import Tables, changes, is_database, read
from schemas.effect import DataChange

SPREAD = 2
"""Letters in the name of a folder that is one of many alike."""
_ROOT = PurePosixPath()
_BESIDE = ("-wal", "-shm", "-journal")
"""Files that belong to the database of the name before."""


class Records:
    """Watches one data folder. Not thread-safe."""

    def __init__(self, folder: Path, noise: Iterable[DataChange] = ()) -> None:
        """Take the present for the beginning. ``noise`` is what changes without anybody meaning it."""
        self._folder = folder
        self._noise = {(each.store, each.table): each for each in noise}
        self._restless = tuple(filter(None, map(_restless, self._noise.values())))
        self._stamps = self._walk()
        self._tables = self._read(self._stamps)
        self._pristine = dict(self._tables)

    def restored(self) -> None:
        """The folder is again what it was in the beginning."""
        self._stamps = self._walk()
        self._tables = dict(self._pristine)

    def changes(self) -> tuple[DataChange, ...]:
        """What became different since the last time, noise left out, by store and table."""
        stamps = self._walk()
        touched = sorted(
            name for name in stamps.keys() | self._stamps.keys() if stamps.get(name) != self._stamps.get(name)
        )
        found = [change for name in touched for change in self._changed(name, stamps)]
        self._stamps = stamps
        return tuple(quiet for change in found if (quiet := self._quiet(change)))

    def _changed(self, name: str, stamps: dict[str, tuple[Stamp, ...]]) -> Iterator[DataChange]:
        path = self._folder / name
        before = self._tables.pop(name, None)
        if before is None and not is_database(path):
            created, gone = name not in self._stamps, name not in stamps
            yield DataChange(store=name, inserted=created, deleted=gone, updated=not created and not gone)
            return
        after: Tables | None = read(path) if name in stamps else {}
        if after is None:  # it is locked
            after = before or {}
            stamps[name] = ()  # looked at again the next time
        self._tables[name] = after
        yield from changes(name, before or {}, after)

    def _quiet(self, change: DataChange) -> DataChange | None:
        """What is left of a change without the noise."""
        noise = self._noise.get((change.store, change.table), DataChange(store=change.store))
        if not change.table:
            return None if noise.updated or change.store.startswith(self._restless) else change
        columns = tuple(column for column in change.columns if column not in noise.columns)
        left = change.model_copy(
            update={
                "inserted": 0 if noise.inserted else change.inserted,
                "deleted": 0 if noise.inserted or noise.deleted else change.deleted,
                "updated": change.updated if columns else 0,
                "columns": columns,
            }
        )
        return left if left.inserted or left.updated or left.deleted else None

    def _walk(self) -> dict[str, tuple[Stamp, ...]]:
        """Every file's stamp, with those of the files that serve it."""
        found: dict[str, tuple[Stamp, ...]] = {}
        for name, stamp in sorted(walk(self._folder)):
            if stamp[1]:  # folders have no inode here
                owner = next((name.removesuffix(end) for end in _BESIDE if name.endswith(end)), name)
                found[owner] = (*found.get(owner, ()), stamp)
        return found

    def _read(self, names: Iterable[str]) -> dict[str, Tables]:
        paths = {name: self._folder / name for name in names}
        return {name: read(path) or {} for name, path in paths.items() if is_database(path)}


def _restless(noise: DataChange) -> str:
    """The folder of a session or cached file that came up by looking; empty where a change tells of none.
    Caches are often spread over folders with names of one or two letters.
    """
    folder = PurePosixPath(noise.store).parent
    spread = 0 < len(folder.name) <= SPREAD
    if noise.table or folder == _ROOT or not (noise.inserted or spread):
        return ""
    home = folder.parent if spread else folder
    return "" if home == _ROOT else f"{home}/"

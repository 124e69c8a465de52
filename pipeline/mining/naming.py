"""Names in the crawled language, taken from the App's own labels and headings and never made up."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from urllib.parse import urlsplit

from crawlers.forms import Form
from crawlers.words import CREATE, DELETE, UPDATE, speaks_of
from pipeline.mining.entities import ancestors, in_frame
from schemas.effect import EffectClass
from schemas.graph import FunctionGraph
from schemas.screen import Element, State

VERBS = {
    EffectClass.NAVIGATE: "open",
    EffectClass.INVALID: "try",
    EffectClass.LOGIN: "log in",
    EffectClass.LOGOUT: "log out",
    EffectClass.NONE: "",
}
"""English verbs of the classes that are not called by one already."""

_LEADS = {
    "en": "Open the page|Show|Close|Create|Change|Delete|Switch|Search|Filter|Sort|Download",
    "zh": "打开页面|显示|关闭|新建|修改|删除|切换|搜索|筛选|排序|下载",
    "de": "Seite öffnen|Zeigen|Schließen|Anlegen|Ändern|Löschen|Umschalten|Suchen|Filtern|Sortieren|Laden",
    "fr": "Ouvrir la page|Montrer|Fermer|Créer|Modifier|Supprimer|Basculer|Chercher|Filtrer|Trier|Charger",
    "es": "Abrir la página|Mostrar|Cerrar|Crear|Cambiar|Eliminar|Alternar|Buscar|Filtrar|Ordenar|Descargar",
    "ja": "ページを開く|表示|閉じる|作成|変更|削除|切り替え|検索|絞り込み|並べ替え|ダウンロード",
}
"""What a class does, for descriptions: a heading such as "Settings" names a page as well as a change."""
_LED = (
    *(EffectClass.NAVIGATE, EffectClass.OPEN, EffectClass.CLOSE, EffectClass.CREATE, EffectClass.UPDATE),
    *(EffectClass.DELETE, EffectClass.TOGGLE, EffectClass.SEARCH, EffectClass.FILTER, EffectClass.SORT),
    EffectClass.DOWNLOAD,
)

_HEADINGS = frozenset({"legend", "caption", "h1", "h2", "h3", "h4", "h5", "h6"})
_CODE = re.compile(r"[_${}\[\]<>=\\]|^[#!*+×•·]+|^\W*$")
_PARTS = re.compile(r"\s+[-–—|·•:»]\s+|[|·•»]")
_CJK = re.compile(r"[㐀-鿿぀-ヿ가-힣]")
_SPACED = frozenset(
    {
        *("submit", "save", "ok", "okay", "yes", "no", "go", "send", "apply", "confirm", "continue", "next"),
        *("done", "finish", "add", "create", "new", "update", "change", "changes", "set", "edit", "close"),
        *("and", "the", "it", "this", "all", "more"),
    }
)
"""Words of buttons that only say that they act."""
_UNSPACED = (
    *("提交", "保存", "确定", "確定", "确认", "確認", "应用", "套用", "发送", "送出", "添加", "新增", "新建"),
    *("创建", "修改", "更改", "更新", "编辑", "继续", "下一步", "完成", "是", "好", "吗", "的"),
)
"""The same where no spaces are written."""
_CHANGE = "edit change modify update rename 编辑 修改 更改 更新 重命名 bearbeiten ändern modifier editar"
_SHARED = 0.6
"""A heading or part of a title found on more than this share of the routes is furniture."""


def label_of(element: Element) -> str:
    """What the App calls a control: the first of its name, text and placeholder that is prose."""
    lines = [" ".join(line.split()) for line in (element.name, element.text, element.placeholder)]
    lines = [_once(line.strip(" :：*")) for line in lines if line]
    return next(filter(is_prose, lines), lines[0] if lines else "")


def is_prose(label: str) -> bool:
    """Whether a label is words, and no code or ornament that shows through."""
    return bool(label) and not _CODE.search(label)


def _once(line: str) -> str:
    """A label that two elements gave at once ("Code Code") is said once."""
    words = line.split()
    half = len(words) // 2
    return " ".join(words[:half]) if half and words[:half] == words[half:] else line


def is_specific(label: str) -> bool:
    """Whether a button's label says what it is about ("Delete project") and not only that it acts."""
    if _CJK.search(label):
        rest = label
        for word in _UNSPACED:
            rest = rest.replace(word, "")
        return len(_CJK.findall(rest)) >= 2
    words = [word.casefold() for word in re.findall(r"[^\W\d_]+", label)]
    return len(words) > 1 and not set(words) <= _SPACED


def verb_of(effect: EffectClass) -> str:
    """The English verb of a class."""
    return VERBS.get(effect, effect.value)


def lead_of(effect: EffectClass, lang: str) -> str:
    """What a class does, in a language; empty where the language has no words here."""
    words = _LEADS.get(lang.partition("-")[0], "").split("|")
    return dict(zip(_LED, words, strict=False)).get(effect, "")


def commands(label: str) -> bool:
    """Whether a label says itself what it does, be it "deactivate" where the App calls a deletion."""
    return any(speaks_of(family, label) for family in (CREATE, DELETE, UPDATE))


def acts(heading: str) -> bool:
    """Whether a heading asks for something ("Edit this bill") and does not only name it ("Settings")."""
    return any(speaks_of(family, heading) for family in (CREATE, DELETE, _CHANGE))


class Lexicon:
    """What the screens of one App are called: their headings, titles and the links that lead to them."""

    def __init__(self, graph: FunctionGraph) -> None:
        """Learn which headings and title parts stand on nearly every page and so name none."""
        routes: dict[str, set[str]] = {}
        self._links: dict[str, Counter[str]] = {}
        self._visits = Counter(state.route for state in graph.states)
        self._headings: Counter[tuple[str, str]] = Counter()
        for state in graph.states:
            headings = {label_of(element) for element in _headings(state)}
            self._headings.update((state.route, line) for line in headings)
            routes.setdefault(state.route, set()).update(headings, _parts(state.title))
            for element in state.elements:
                label = label_of(element)
                path = urlsplit(element.href).path
                # A link to the page it stands on may be a mere handle ("#").
                away = path and path != urlsplit(state.address).path
                if away and element.visible and is_prose(label) and not element.item:
                    self._links.setdefault(path, Counter())[label] += 1 + 10 * in_frame(state, element)
        counts = Counter(line for lines in routes.values() for line in lines)
        few = len(routes) < 3
        self._furniture = {line for line, seen in counts.items() if not few and seen > _SHARED * len(routes)}

    def heading(self, state: State) -> str:
        """The main heading: of the open dialog, else of the page. Empty where it has none of its own, or
        one that mostly is not there ("Nothing found").
        """
        found = list(_headings(state))
        inside = [each for each in found if any(a.role in _DIALOGS for a in ancestors(state, each))]
        usual = [
            each
            for each in found
            if 2 * self._headings[state.route, label_of(each)] >= self._visits[state.route]
        ]
        lines = (label_of(each) for each in (*inside, *usual))
        return next((line for line in lines if line not in self._furniture), "")

    def title(self, state: State) -> str:
        """What the screen is called: its main heading, the link to it, its own part of the title."""
        parts = (part for part in _parts(state.title) if part not in self._furniture)
        return self.heading(state) or self.link(state) or next(parts, state.title)

    def link(self, state: State) -> str:
        """The label by which the App's own links call this screen."""
        labels = self._links.get(urlsplit(state.address).path)
        return labels.most_common(1)[0][0] if labels else ""

    def form(self, state: State, form: Form) -> str:
        """The heading of a form: inside it, else the nearest one above it in the same dialog or page."""
        members = [*form.fields, *form.submits]
        places = [index for index, element in enumerate(state.elements) if element in members]
        if not places:
            return ""
        first, last = min(places), max(places)
        around = {id(each) for each in ancestors(state, state.elements[first])}
        best = ""
        for index, element in enumerate(state.elements[:last]):
            line = label_of(element)
            if not _is_heading(element) or not element.visible or not line or line in self._furniture:
                continue
            if (form.key and element.form == form.key) or index > first:
                return line
            if any(id(each) in around for each in ancestors(state, element)) or element.parent < 0:
                best = line
        return best


_DIALOGS = frozenset({"dialog", "alertdialog"})


def with_object(label: str, parts: Sequence[str]) -> str:
    """A label that alone is ambiguous, followed by what tells it apart."""
    extra = next((part for part in parts if part and part.casefold() not in label.casefold()), "")
    if not extra:
        return label
    if label and label.casefold() in extra.casefold():
        return extra
    return f"{label}（{extra}）" if _CJK.search(label) else f"{label} ({extra})"


def beside(label: str, heading: str) -> str:
    """A button and what it is the button of: "Save" and "Settings"."""
    return f"{label}{heading}" if _CJK.search(label) else f"{label} {heading}"


def _is_heading(element: Element) -> bool:
    return element.role == "heading" or element.tag.lower() in _HEADINGS


def _headings(state: State) -> Iterator[Element]:
    for element in state.elements:
        if element.visible and _is_heading(element) and label_of(element) and not element.item:
            yield element


def _parts(title: str) -> list[str]:
    return [part.strip() for part in _PARTS.split(title) if part.strip()]

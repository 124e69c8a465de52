"""The App inside the scripted double: a shopping list with a server's manners, all in memory.

Pages: the list (search, sort, tick off, delete after a confirmation, export), add, edit, settings, about,
login. ``serve`` is the server, ``page`` is the view; both are free of any driver.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from urllib.parse import parse_qsl, urlsplit

from crawlers.scripted_screen import Screen
from schemas.screen import Element

CATEGORIES = ("food", "tools", "other")
THEMES = ("light", "dark")
ACCESS_CODE = "open-sesame"

ZH = {
    "Items": "清单",
    "Add item": "添加物品",
    "Settings": "设置",
    "About": "关于",
    "Log out": "退出",
    "Log in": "登录",
    "Access code": "访问码",
    "Search": "搜索",
    "Sort by amount": "按数量排序",
    "Export": "导出",
    "Help": "帮助",
    "Press Add item to put something on the list.": "点击“添加物品”即可加入清单。",
    "Name": "名称",
    "Amount": "数量",
    "Category": "类别",
    "Food": "食品",
    "Tools": "工具",
    "Other": "其他",
    "Done": "完成",
    "Edit": "编辑",
    "Delete": "删除",
    "Save": "保存",
    "Theme": "主题",
    "Light": "浅色",
    "Dark": "深色",
    "Notify me": "通知我",
    "Items per page": "每页数量",
    "Edit item": "编辑物品",
    "A small list for tests.": "一个用于测试的小清单。",
    "Delete this item?": "删除这个物品？",
    "Please enter a name.": "请输入名称。",
    "Amount must be between 1 and 1000.": "数量必须在 1 到 1000 之间。",
    "Between 5 and 50.": "必须在 5 到 50 之间。",
    "Wrong access code.": "访问码错误。",
    "Item saved.": "物品已保存。",
    "Item deleted.": "物品已删除。",
    "Settings saved.": "设置已保存。",
}


@dataclass(frozen=True)
class Item:
    """One row of the list."""

    number: int
    name: str
    amount: int
    category: str = "food"
    done: bool = False


@dataclass
class Data:
    """Everything the App keeps; a new one is the pristine copy."""

    items: list[Item] = field(
        default_factory=lambda: [
            Item(1, "Apples", 3),
            Item(2, "Hammer", 1, "tools"),
            Item(3, "Rice", 2),
        ]
    )
    settings: dict[str, str] = field(
        default_factory=lambda: {"theme": "light", "notify": "false", "per_page": "20"}
    )


@dataclass(frozen=True)
class Reply:
    """What the server answers: a status, where to go next, lines to flash, a file."""

    status: int = 200
    location: str = ""
    flash: str = ""
    error: str = ""
    file: str = ""


def serve(data: Data, method: str, address: str, form: dict[str, str]) -> Reply:
    """Answer one request, changing ``data`` where it is a write."""
    path = urlsplit(address).path
    row = re.fullmatch(r"/items/(\d+)/(\w+)", path)
    place = _at(data, row[1]) if row else None
    if method == "GET":
        return _read(path, known=place is not None)
    if path == "/login":
        good = form.get("code") == ACCESS_CODE
        return Reply(302, "/") if good else Reply(error="Wrong access code.")
    if path == "/settings":
        return _save_settings(data, form)
    if path == "/items/add":
        return _save_item(data, None, form)
    return _change(data, row[2], place, form) if row and place is not None else Reply(404)


def _read(path: str, *, known: bool) -> Reply:
    if path == "/export":
        return Reply(file="items.csv")
    if path == "/logout":
        return Reply(302, "/login")
    return Reply(200 if known or path in {"/", "/items/add", "/settings", "/about", "/login"} else 404)


def _change(data: Data, verb: str, place: int, form: dict[str, str]) -> Reply:
    if verb == "delete":
        del data.items[place]
        return Reply(302, "/", flash="Item deleted.")
    if verb == "done":
        data.items[place] = replace(data.items[place], done=not data.items[place].done)
        return Reply(204)
    return _save_item(data, place, form)


def page(data: Data, lang: str, address: str, *, help_open: bool, notes: Reply) -> list[Element]:
    """The elements displayed at an address, before anything was typed."""
    screen = Screen(lambda text: translate(text, lang))
    path = urlsplit(address).path
    if path == "/login":
        form = screen.form("/login")
        screen.entry(form, "Access code", "code", "password", required=True)
        _send(screen, form, "Log in", notes)
        return screen.elements
    _frame(screen, help_open=help_open, flash=notes.flash)
    row = re.fullmatch(r"/items/(\d+)/edit", path)
    place = _at(data, row[1]) if row else None
    if path == "/":
        _list(screen, data, dict(parse_qsl(urlsplit(address).query)))
    elif path == "/settings":
        _settings(screen, data, notes)
    elif path == "/items/add":
        _item_form(screen, "Add item", path, None, notes)
    elif place is not None:
        _item_form(screen, "Edit item", path, data.items[place], notes)
    elif path == "/about":
        screen.text(screen.add("heading", "title", "About"), "A small list for tests.")
    else:
        screen.add("heading", "title", "404")
    return screen.elements


def title_of(address: str, lang: str) -> str:
    """The document title at an address."""
    path = urlsplit(address).path
    label = {"/": "Items", "/items/add": "Add item", "/settings": "Settings", "/about": "About"}.get(
        path, "Log in" if path == "/login" else "Edit item"
    )
    return translate(label, lang)


def translate(text: str, lang: str) -> str:
    """A text of the App in one of its languages."""
    return ZH.get(text, text) if lang.startswith("zh") else text


def _frame(screen: Screen, *, help_open: bool, flash: str) -> None:
    nav = screen.add("navigation", "nav")
    for label, href in (
        ("Items", "/"),
        ("Add item", "/items/add"),
        ("Settings", "/settings"),
        ("About", "/about"),
        ("Log out", "/logout"),
    ):
        screen.link(nav, label, href)
    screen.button(nav, "Help", "help")
    if help_open:
        panel = screen.add("region", "help-panel")
        screen.text(panel, "Press Add item to put something on the list.")
    if flash:
        screen.text(screen.add("status", "flash"), flash)


def _at(data: Data, number: str) -> int | None:
    return next((at for at, item in enumerate(data.items) if item.number == int(number)), None)


def _save_item(data: Data, place: int | None, form: dict[str, str]) -> Reply:
    name, amount = form.get("name", "").strip(), form.get("amount", "")
    if not name:
        return Reply(error="Please enter a name.")
    if not amount.isdigit() or not 1 <= int(amount) <= 1000:
        return Reply(error="Amount must be between 1 and 1000.")
    category = form.get("category", CATEGORIES[0])
    if place is None:
        number = max((item.number for item in data.items), default=0) + 1
        data.items.append(Item(number, name, int(amount), category))
    else:
        old = data.items[place]
        data.items[place] = replace(old, name=name, amount=int(amount), category=category)
    return Reply(302, "/", flash="Item saved.")


def _save_settings(data: Data, form: dict[str, str]) -> Reply:
    if not form.get("per_page", "").isdigit() or not 5 <= int(form["per_page"]) <= 50:
        return Reply(error="Between 5 and 50.")
    data.settings.update({key: form[key] for key in data.settings if key in form})
    return Reply(302, "/settings", flash="Settings saved.")


def _list(screen: Screen, data: Data, query: dict[str, str]) -> None:
    screen.add("heading", "title", "Items")
    form = screen.form("/")
    screen.entry(form, "Search", "q", "search", value=query.get("q", ""))
    screen.button(form, "Search", "search", form="/", kind="submit")
    screen.link(-1, "Sort by amount", "/?sort=amount")
    screen.link(-1, "Export", "/export")
    table = screen.add("table", "items")
    items = [item for item in data.items if query.get("q", "").lower() in item.name.lower()]
    if query.get("sort") == "amount":
        items.sort(key=lambda item: item.amount)
    for item in items:
        words = f"{item.name} {item.amount} {screen.say(item.category.title())}"
        row = screen.add("row", "row", parent=table, item=words)
        screen.text(row, item.name, item=words)
        screen.text(row, str(item.amount), item=words)
        screen.text(row, item.category.title(), item=words)
        base = f"/items/{item.number}"
        screen.box(row, "Done", f"{base}/done", checked=item.done, item=words)
        screen.link(row, "Edit", f"{base}/edit", item=words)
        screen.button(row, "Delete", f"{base}/delete", field=f"{base}/delete", item=words)


def _item_form(screen: Screen, title: str, path: str, item: Item | None, notes: Reply) -> None:
    screen.add("heading", "title", title)
    form = screen.form(path)
    name = item.name if item else ""
    amount = str(item.amount) if item else ""
    category = item.category if item else CATEGORIES[0]
    screen.entry(form, "Name", "name", "text", value=name, required=True, limits="maxlength=40")
    screen.entry(form, "Amount", "amount", "number", value=amount, required=True, limits="min=1;max=1000")
    screen.choice(form, "Category", "category", CATEGORIES, category)
    _send(screen, form, "Save", notes)


def _settings(screen: Screen, data: Data, notes: Reply) -> None:
    screen.add("heading", "title", "Settings")
    form = screen.form("/settings")
    screen.choice(form, "Theme", "theme", THEMES, data.settings["theme"])
    screen.box(form, "Notify me", "notify", checked=data.settings["notify"] == "true", form="/settings")
    pages = data.settings["per_page"]
    screen.entry(form, "Items per page", "per_page", "number", value=pages, limits="min=5;max=50")
    _send(screen, form, "Save", notes)


def _send(screen: Screen, form: int, label: str, notes: Reply) -> None:
    if notes.error:
        screen.text(form, notes.error)
    screen.button(form, label, "send", form=screen.elements[form].form, kind="submit")

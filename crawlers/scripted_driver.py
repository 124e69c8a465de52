"""The Driver of the scripted double: one session of the App in memory."""

from __future__ import annotations

import hashlib
import io
import re
from collections.abc import Callable
from urllib.parse import parse_qsl, urlencode, urlsplit

from crawlers.driver import DriverError
from crawlers.forms import expand
from crawlers.identity import state_of
from crawlers.scripted_pages import Data, Reply, page, serve, title_of, translate
from crawlers.scripted_screen import HEIGHT, WIDTH
from schemas.action import Action, Back, Check, Click, Open, Press, Respond, Select, Target, Type, target_of
from schemas.app import App
from schemas.effect import Download, Evidence, Gesture, Request, StorageWrite
from schemas.screen import Dialog, Element, Quality, State


class ScriptedDriver:
    """One session of the App in memory."""

    def __init__(self, app: App, lang: str, data: Callable[[], Data]) -> None:
        """A session at the App's entry; ``data`` hands out what the App holds at the moment."""
        self._app = app
        self._lang = lang
        self._data = data
        self._logged_in = True
        self._history = [app.entry]
        self._notes = Reply()
        self._status = 200
        self._help = False
        self._entered: dict[str, str] = {}
        """Element key → what was entered and not yet sent."""
        self._ask: tuple[Dialog, str] | None = None
        """The dialog that waits, and the address that is posted to when it is accepted."""
        self._seen = Evidence()
        self._closed = False

    def observe(self) -> State:
        """The present screen."""
        self._alive()
        address = self._history[-1]
        return state_of(
            app=self._app.name,
            lang=self._lang,
            address=address,
            route=_route(address),
            title=title_of(address, self._lang),
            elements=self._elements(),
            width=WIDTH,
            height=HEIGHT,
            dialog=self._ask[0] if self._ask else None,
            quality=Quality.OK if self._status < 400 else Quality.ERROR,
            status=self._status,
        )

    def perform(self, action: Action) -> Evidence:
        """Do one Action.

        Raises:
            DriverError: when its element is not on the screen or a dialog is in the way.
        """
        self._alive()
        self._seen = Evidence()
        for primitive in expand(action):
            self._do(primitive)
        return self._seen

    def screenshot(self) -> bytes:
        """The boxes of the elements with their latin labels, as PNG."""
        from PIL import Image, ImageDraw  # noqa: PLC0415 - only screenshots pay for the import

        state = self.observe()
        image = Image.new("RGB", (WIDTH, HEIGHT), "white")
        draw = ImageDraw.Draw(image)
        for element in state.elements:
            if element.box is not None:
                box = element.box
                draw.rectangle((box.x1, box.y1, box.x2 - 1, box.y2 - 1), outline="grey")
                mark = "[x] " if element.checked else ""
                line = f"{mark}{element.label} {element.value}"
                draw.text((box.x1 + 4, box.y1 + 2), line.encode("ascii", "replace").decode(), fill="black")
        if state.dialog is not None:
            draw.rectangle((120, 300, WIDTH - 120, 400), fill="lightgrey", outline="black")
        held = io.BytesIO()
        image.save(held, "PNG")
        return held.getvalue()

    def close(self) -> None:
        """End the session."""
        self._closed = True

    def _alive(self) -> None:
        if self._closed:
            raise DriverError("crashed", "The session was closed; ask the host for a new driver.")

    def _elements(self) -> list[Element]:
        address, notes = self._history[-1], self._notes
        shown = page(self._data(), self._lang, address, help_open=self._help, notes=notes)
        entered = self._entered
        return [_with(each, entered[each.key]) if each.key in entered else each for each in shown]

    def _do(self, action: Action) -> None:
        if self._ask is not None and not isinstance(action, Respond):
            raise DriverError("blocked", "A dialog waits for an answer.")
        target = target_of(action)
        element = self._find(target) if target else None
        if element is not None:
            self._touch(action, element)
            if element.box is not None:
                x, y = element.box.centre
                self._note(gesture=Gesture(x=x, y=y, box=element.box))
        elif isinstance(action, Respond):
            self._respond(accept=action.accept)
        elif isinstance(action, Open):
            self._get(action.address or self._app.entry)
        elif isinstance(action, Back) and len(self._history) > 1:
            self._history.pop()
            self._get(self._history.pop())
        elif isinstance(action, Press) and "Enter" in action.keys:
            self._send(next((each.form for each in self._elements() if each.key in self._entered), ""))

    def _find(self, target: Target) -> Element:
        """The element with that key, or the one in the same place of the item that was meant."""
        like = [each for each in self._elements() if each.template == target.template]
        exact = [each for each in like if each.key == target.key and each.item == target.item]
        moved = [each for each in like if target.item and each.item == target.item]
        for element in (*exact, *moved):
            return element
        raise DriverError("target_missing", f"{target.key} is not on this screen.")

    def _touch(self, action: Action, element: Element) -> None:
        if isinstance(action, Click):
            self._click(element)
        elif isinstance(action, Type):
            self._enter(element, self._plain(action.text))
            if action.submit_after:
                self._send(element.form)
        elif isinstance(action, Select):
            if all(option.value != action.value for option in element.options):
                raise DriverError("blocked", f"{element.label} has no option {action.value}.")
            self._enter(element, action.value)
        elif isinstance(action, Check) and element.checked != action.checked:
            self._click(element)

    def _plain(self, text: str) -> str:
        for name, value in self._app.secrets.items():
            text = text.replace(f"{{secret:{name}}}", value)
        return text

    def _click(self, element: Element) -> None:
        if element.href == "/logout":
            self._logged_in = False
            self._note(storage=(StorageWrite(area="cookie", key="session", removed=True),))
            self._request("GET", "/logout", {})
        elif element.href:
            self._get(element.href)
        elif element.kind == "submit":
            self._send(element.form)
        elif element.template.endswith("/done"):
            self._request("POST", element.field, {}, document=False)
        elif element.checkable:
            self._enter(element, "false" if element.checked else "true")
        elif element.template.endswith("/delete"):
            message = translate("Delete this item?", self._lang)
            self._ask = (Dialog(kind="confirm", message=message), element.field)
            self._note(dialog=self._ask[0])
        elif element.role == "button":
            self._help = not self._help

    def _enter(self, element: Element, value: str) -> None:
        limits = dict(limit.split("=", 1) for limit in element.limits.split(";") if limit)
        self._entered[element.key] = value[: int(limits.get("maxlength", len(value)))]

    def _respond(self, *, accept: bool) -> None:
        if self._ask is None:
            raise DriverError("blocked", "No dialog waits for an answer.")
        address = self._ask[1]
        self._ask = None
        if accept:
            self._request("POST", address, {})

    def _send(self, form: str) -> None:
        """Send the form, unless the browser would keep it back: a required field is empty."""
        fields = [each for each in self._elements() if each.form == form and each.field]
        if not form or any(
            field.required and not (field.value or field.key in self._entered) for field in fields
        ):
            return
        values = {
            field.field: str(field.checked).lower()
            if field.checkable
            else self._entered.get(field.key, field.value)
            for field in fields
        }
        if form == "/":
            self._get("/?" + urlencode(values))
        else:
            self._request("POST", form, values)

    def _get(self, address: str) -> None:
        if not self._logged_in and urlsplit(address).path != "/login":
            address = "/login"
        self._request("GET", address, {})

    def _request(self, method: str, address: str, form: dict[str, str], *, document: bool = True) -> None:
        reply = serve(self._data(), method, address, form)
        url = urlsplit(address)
        request = Request(
            method=method,
            path=url.path,
            route=_route(address),
            status=reply.status,
            query=tuple(parse_qsl(url.query)),
            fields=tuple(
                (name, "***" if name in self._app.secrets else value) for name, value in form.items()
            ),
            document=document,
        )
        self._note(requests=(*self._seen.requests, request))
        if reply.file:
            self._note(downloads=(_download(reply.file, url.path),))
        elif document:
            self._load(method, address, reply)

    def _load(self, method: str, address: str, reply: Reply) -> None:
        self._logged_in = self._logged_in or (address == "/login" and reply.status == 302)
        self._notes, self._status, self._help = reply, reply.status, False
        if reply.error:
            return
        self._entered = {}
        if reply.location:
            self._get(reply.location)
            self._notes = reply
        else:
            self._history.append(address if method == "GET" else self._history[-1])

    def _note(self, **seen: object) -> None:
        self._seen = self._seen.model_copy(update=seen)


def _download(name: str, route: str) -> Download:
    content = b"name,amount\n"
    return Download(
        name=name, route=route, path=route, sha256=hashlib.sha256(content).hexdigest(), size=len(content)
    )


def _route(address: str) -> str:
    return re.sub(r"\d+", "{}", urlsplit(address).path)


def _with(element: Element, value: str) -> Element:
    """The element with something entered into it."""
    if element.checkable:
        return element.model_copy(update={"checked": value == "true"})
    options = tuple(
        option.model_copy(update={"selected": option.value == value}) for option in element.options
    )
    return element.model_copy(update={"value": "" if element.password else value, "options": options})

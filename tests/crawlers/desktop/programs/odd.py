"""A program that hangs, dies, asks and grabs when told to. Run by Debian's own Python, which has GTK."""

import os
import signal
import sys
import time
from pathlib import Path

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("Gdk", "3.0")
from gi.repository import Gdk, Gtk  # noqa: E402


def modal(_: Gtk.Button | None) -> None:
    dialog = Gtk.MessageDialog(
        transient_for=window, modal=True, message_type=Gtk.MessageType.QUESTION, text="Really?",
        buttons=Gtk.ButtonsType.YES_NO,
    )  # fmt: skip
    dialog.connect("response", lambda dialog, _: dialog.destroy())
    dialog.show_all()


def grab(_: Gtk.Button) -> None:
    Gdk.Display.get_default().get_default_seat().grab(
        window.get_window(), Gdk.SeatCapabilities.ALL_POINTING, False, None, None, None  # noqa: FBT003
    )  # fmt: skip


def save(_: Gtk.Button) -> None:
    Path("~/Documents/saved.txt").expanduser().write_text(entry.get_text(), encoding="utf-8")


window = Gtk.Window(title="Odd")
box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
window.add(box)
bar, more = Gtk.MenuBar(), Gtk.MenuItem(label="More")
more.set_submenu(Gtk.Menu())
more.get_submenu().append(Gtk.MenuItem(label="Nothing"))
bar.append(more)
box.add(bar)
entry = Gtk.Entry()
box.add(entry)
check = Gtk.CheckButton(label="Tick")
box.add(check)
for label, act in {
    "Hang": lambda _: time.sleep(60),
    "Crash": lambda _: os.kill(os.getpid(), signal.SIGKILL),
    "Fail": lambda _: os._exit(3),
    "Modal": modal,
    "Grab": grab,
    "Save": save,
    "Quit": lambda _: Gtk.main_quit(),
}.items():
    button = Gtk.Button(label=label)
    button.connect("clicked", act)
    box.add(button)
carry = Gtk.Button(label="Carry")
carry.drag_source_set(Gdk.ModifierType.BUTTON1_MASK, [], Gdk.DragAction.COPY)
carry.drag_source_add_text_targets()
carry.connect("drag-data-get", lambda _button, _context, data, *_: data.set_text("carried", -1))
box.add(carry)
window.connect("destroy", Gtk.main_quit)
window.show_all()
if "ask" in sys.argv:
    modal(None)
Gtk.main()
sys.exit(0)

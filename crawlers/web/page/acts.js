// Finding an element again, saying where it can be pressed, and what is done to it without mouse or keys.
groundsmith.locate ??= (() => {
  "use strict";
  const { attr, clean, closest, composedUp, isLive, kind, local, matches, rectOf, rendered, role, rootOf } =
    groundsmith.dom;
  const { scrollHeight, clientHeight, shadow, type, words } = groundsmith.dom;
  const { corner, coverOf, frameOf, standIn, styleOf, zone } = groundsmith.places;

  let held = null; // what the present action is about

  const query = (doc, selector) => {
    let roots = [doc];
    const steps = selector.split(" >>> ");
    steps.forEach((step, index) => {
      roots = roots.flatMap((root) => [...root.querySelectorAll(step)]);
      if (index < steps.length - 1) roots = roots.map((el) => shadow(el)).filter(Boolean);
    });
    return roots;
  };
  const byPath = (doc, path) => {
    if (!path.startsWith("/")) return query(doc, path);
    const found = doc.evaluate(path, doc, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE, null);
    return Array.from({ length: found.snapshotLength }, (_, index) => found.snapshotItem(index));
  };
  // Down the frames as far as their origin is the same: the document, or the frame that is another pane, and
  // the frames that are left below it.
  const descend = (frames) => {
    let doc = document;
    for (const [depth, selector] of frames.entries()) {
      const el = query(doc, selector)[0];
      if (!el) return {};
      if (!el.contentDocument) return { sealed: el, rest: frames.slice(depth + 1) };
      doc = el.contentDocument;
    }
    return { doc };
  };
  // By what it is, else by its number in the last walk, else by where it stands.
  const find = (doc, { css = [], number = -1, paths = [], role: wanted = "" }) => {
    const only = (found) =>
      found.length === 1 && type(found[0]) === 1 && (!wanted || role(found[0]) === wanted) ? found[0] : null;
    for (const selector of css) {
      const el = only(query(doc, selector));
      if (el) return el;
    }
    const known = number >= 0 ? groundsmith.node(number) : null;
    if (known && isLive(known)) return type(known) === 1 ? known : known.parentElement;
    for (const path of paths) {
      const el = only(byPath(doc, path));
      if (el) return el;
    }
    return null;
  };

  const say = (el) => `<${local(el)}${attr(el, "id") ? ` id=${attr(el, "id")}` : ""}>`;
  const centre = ([x1, y1, x2, y2]) => [(x1 + x2) / 2, (y1 + y2) / 2];
  const offset = (el) => {
    let [x, y] = [0, 0];
    for (let frame = frameOf(el); frame; frame = frameOf(frame)) {
      const [dx, dy] = corner(frame);
      [x, y] = [x + dx, y + dy];
    }
    return [x, y];
  };
  const state = (el) => ({
    checked: "checked" in el ? el.checked : attr(el, "aria-checked") === "true",
    value: "value" in el ? String(el.value) : clean(words(el)),
  });
  const framesIn = (doc) =>
    [...doc.querySelectorAll("iframe, frame")].flatMap((el) => [
      attr(el, "name"),
      ...(el.contentDocument ? framesIn(el.contentDocument) : []),
    ]);
  // Whether pressing it asks for a window of its own.
  const opens = (el) => {
    const link = closest(el, "a[target], button[formtarget]");
    const aim = (link && (attr(link, "target") || attr(link, "formtarget"))) || "";
    const here = ["", "_self", "_top", "_parent"].includes(aim.toLowerCase());
    return !here && !framesIn(document).includes(aim);
  };

  // Whether pressing it asks the server for a document, unless a script thinks otherwise.
  const leads = (el) => {
    const link = closest(el, "a[href]");
    const href = link ? attr(link, "href") || "" : "";
    return href !== "" && !href.startsWith("#") && !/^[a-z]+:(?!\/\/)/i.test(href);
  };

  const isWhole = (el) => {
    const [seen, rect] = [zone(el), rectOf(el)];
    return seen !== null && seen[2] - seen[0] >= rect.width && seen[3] - seen[1] >= rect.height;
  };
  // Bring a point of the document in a frame of another pane into view, and say where that document begins.
  const bring = (number, x, y) => {
    groundsmith.places.begin();
    const el = groundsmith.node(number);
    const view = el.ownerDocument.defaultView;
    const point = () => {
      const [left, top] = corner(el);
      return [left + x, top + y];
    };
    const isIn = ([px, py]) => px >= 0 && py >= 0 && px < view.innerWidth && py < view.innerHeight;
    if (!isIn(point()) || coverOf(el, ...point()))
      el.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
    const [px, py] = point();
    if (!isIn([px, py])) view.scrollBy(px - view.innerWidth / 2, py - view.innerHeight / 2);
    const [left, top] = corner(el);
    const [dx, dy] = offset(el);
    const above = coverOf(el, left + x, top + y);
    return { x: left + dx, y: top + dy, cover: above ? say(above) : "" };
  };

  const locate = (spec) => {
    groundsmith.places.begin();
    const { doc, sealed, rest } = descend(spec.frame ?? []);
    if (sealed) return { sealed: groundsmith.number(sealed), rest };
    held = doc ? find(doc, spec) : null;
    if (!held) return { missing: true };
    const el = held;
    const body = standIn(el);
    if (!body) {
      // Some controls only show when the pointer comes near.
      let near = el;
      while (near && type(near) === 1 && !rendered(near)) near = composedUp(near);
      const spot = near && type(near) === 1 ? zone(near) : null;
      const [dx, dy] = offset(el);
      const [x, y] = spot ? centre(spot) : [0, 0];
      return { blocked: "it is not displayed", ...(spot && { near: [x + dx, y + dy] }) };
    }
    const cover = () => {
      const spot = zone(body);
      return spot && coverOf(body, ...centre(spot));
    };
    if (!isWhole(body) || cover()) body.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
    if (matches(el, ":disabled") || attr(el, "aria-disabled") === "true") return { blocked: "it is disabled" };
    if (styleOf(body).pointerEvents === "none") return { blocked: "it takes no pointer (pointer-events: none)" };
    const spot = zone(body);
    if (!spot) return { blocked: "it cannot be scrolled into view" };
    const [x, y] = centre(spot);
    const [dx, dy] = offset(el);
    const rect = rectOf(body);
    const above = cover();
    return {
      x: x + dx,
      y: y + dy,
      box: [rect.left + dx, rect.top + dy, rect.right + dx, rect.bottom + dy],
      cover: above ? say(above) : "",
      kind: kind(el),
      tag: local(el),
      opens: opens(el),
      leads: leads(el),
      checked: state(el).checked,
    };
  };

  const tell = (el, ...names) => {
    for (const name of names) el.dispatchEvent(new Event(name, { bubbles: true, composed: true }));
  };
  const TYPED = /^(text|search|url|tel|password|textarea)$/;
  const acts = {
    // Focus a field for typing; what is in it is selected, to be replaced, or the caret put behind it.
    focus(clear) {
      held.focus({ preventScroll: true });
      if (typeof held.select === "function") {
        if (clear) held.select();
        else if (TYPED.test(held.type)) held.setSelectionRange(held.value.length, held.value.length);
      } else if (held.isContentEditable) {
        const selection = held.ownerDocument.getSelection();
        selection.selectAllChildren(held);
        if (!clear) selection.collapseToEnd();
      }
    },
    // For fields that are not typed into letter by letter: dates, colours, ranges.
    assign(value) {
      held.focus({ preventScroll: true });
      held.value = value;
      tell(held, "input", "change");
    },
    read: () => state(held),
    select(value, label) {
      const options = [...held.options];
      const option =
        options.find((each) => each.value === value) ?? options.find((each) => clean(each.label) === label);
      if (!option) return { blocked: "it does not offer that option" };
      if (option.disabled) return { blocked: "that option is disabled" };
      held.focus({ preventScroll: true });
      if (held.multiple) option.selected = true;
      else held.selectedIndex = option.index;
      tell(held, "input", "change");
    },
    // The radio button of the same group that has a value, as a number.
    member(value) {
      const group = [...rootOf(held).querySelectorAll("input[type=radio]")];
      const found = group.find((each) => each.name === held.name && each.form === held.form && each.value === value);
      return { number: found ? groundsmith.number(found) : -1 };
    },
    upload(name, sort, content) {
      const parcel = new DataTransfer();
      parcel.items.add(new File([content], name, { type: sort }));
      held.files = parcel.files;
      tell(held, "input", "change");
    },
    scroll(dx, dy) {
      const page = document.scrollingElement;
      const scrolls = (el) =>
        (dy && scrollHeight(el) > clientHeight(el) + 1 && /auto|scroll/.test(styleOf(el).overflowY)) ||
        (dx && el.scrollWidth > el.clientWidth + 1 && /auto|scroll/.test(styleOf(el).overflowX));
      const whole = page && (dy ? page.scrollHeight > innerHeight : page.scrollWidth > innerWidth);
      let el = held ?? (whole ? page : document.elementFromPoint(innerWidth / 2, innerHeight / 2));
      while (el && el !== page && !(type(el) === 1 && scrolls(el))) el = composedUp(el);
      (el ?? page)?.scrollBy({ left: dx, top: dy, behavior: "instant" });
    },
  };

  groundsmith.bring = (...point) => JSON.stringify(bring(...point));
  groundsmith.act = (name, ...args) => JSON.stringify(acts[name](...args) ?? {});
  groundsmith.release = () => {
    held = null;
    return "";
  };
  return (spec) => JSON.stringify(locate(spec));
})();

// Finding an element again, saying where it can be pressed, and what is done to it without mouse or keys.
groundsmith.locate ??= (() => {
  "use strict";
  const { attr, clean, closest, composedUp, isLive, kind, local, matches, rectOf, rendered, role, rootOf } =
    groundsmith.dom;
  const { scrollHeight, clientHeight, shadow, type, words } = groundsmith.dom;
  const { coverOf, standIn, styleOf, zone } = groundsmith.places;

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
  const documentOf = (frames) => {
    let doc = document;
    for (const selector of frames) doc = doc && query(doc, selector)[0]?.contentDocument;
    return doc;
  };
  // By what it is, else by its number in the last walk, else by where it stands.
  const find = ({ css = [], number = -1, paths = [], frame = [], role: wanted = "" }) => {
    const doc = documentOf(frame);
    if (!doc) return null;
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
    for (let view = el.ownerDocument.defaultView; view.frameElement; view = view.parent) {
      const rect = rectOf(view.frameElement);
      x += rect.left + view.frameElement.clientLeft;
      y += rect.top + view.frameElement.clientTop;
    }
    return [x, y];
  };
  const state = (el) => ({
    checked: "checked" in el ? el.checked : attr(el, "aria-checked") === "true",
    value: "value" in el ? String(el.value) : clean(words(el)),
  });
  // Whether pressing it asks for a window of its own.
  const opens = (el) => {
    const link = closest(el, "a[target], button[formtarget]");
    const aim = (link && (attr(link, "target") || attr(link, "formtarget"))) || "";
    return aim !== "" && !["_self", "_top", "_parent"].includes(aim.toLowerCase());
  };

  // Whether pressing it asks the server for a document, unless a script thinks otherwise.
  const leads = (el) => {
    const link = closest(el, "a[href]");
    const href = link ? attr(link, "href") || "" : "";
    return href !== "" && !href.startsWith("#") && !/^[a-z]+:(?!\/\/)/i.test(href);
  };

  const locate = (spec) => {
    groundsmith.places.begin();
    held = find(spec);
    if (!held) return { missing: true };
    const el = held;
    const body = standIn(el);
    if (!body) {
      // Some controls only show when the pointer comes near.
      let near = el;
      while (near && type(near) === 1 && !rendered(near)) near = composedUp(near);
      const spot = near && type(near) === 1 ? zone(near, el.ownerDocument.defaultView) : null;
      const [dx, dy] = offset(el);
      const [x, y] = spot ? centre(spot) : [0, 0];
      return { blocked: "it is not displayed", ...(spot && { near: [x + dx, y + dy] }) };
    }
    const view = el.ownerDocument.defaultView;
    const cover = () => {
      const spot = zone(body, view);
      return spot && coverOf(body, ...centre(spot));
    };
    const seen = rectOf(body);
    const whole = seen.top >= 0 && seen.left >= 0 && seen.bottom <= view.innerHeight && seen.right <= view.innerWidth;
    if (!whole || cover()) body.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
    if (matches(el, ":disabled") || attr(el, "aria-disabled") === "true") return { blocked: "it is disabled" };
    if (styleOf(body).pointerEvents === "none") return { blocked: "it takes no pointer (pointer-events: none)" };
    const spot = zone(body, view);
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

  groundsmith.act = (name, ...args) => JSON.stringify(acts[name](...args) ?? {});
  groundsmith.release = () => {
    held = null;
    return "";
  };
  return (spec) => JSON.stringify(locate(spec));
})();

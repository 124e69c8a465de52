// The one walk over a page: controls, headings, containers and text in document order, as a JSON string
// (several times faster to hand over than objects). It goes into open shadow trees and readable frames.
// `groundsmith.node(n)` is the n-th node of the last walk.
groundsmith.walk ??= (() => {
  "use strict";
  const { CONTROLS, PHRASE, SKIP, attr, children, clean, closest, composedUp, has, kind, local } = groundsmith.dom;
  const { rectOf, rendered, role, scrollHeight, clientHeight, shadow, type } = groundsmith.dom;
  const { BARE, outside, standIn, styleOf, tiny } = groundsmith.places;
  const { byIds, svgName, textOf } = groundsmith.names;
  const { hostPath, place } = groundsmith.locators;
  const { looseGroups } = groundsmith.groups;
  const { describe, isEdit, isInput } = groundsmith.describe;
  const { isItem } = groundsmith.items;
  const { Sight } = groundsmith;

  const CAP = 20000; // nodes looked at; what lies beyond is left out, and the page says so
  const CONTAINERS = new Set(
    ("navigation main complementary form dialog alertdialog table row cell columnheader rowheader gridcell " +
      "list listitem group figure article search banner contentinfo region alert status log grid tree " +
      "treegrid tablist tabpanel menu menubar toolbar radiogroup feed term definition caption " +
      "legend progressbar meter timer tooltip").split(" "),
  );
  // Containers that keep their text themselves when text is all they hold.
  const OWNERS = new Set(
    ("cell columnheader rowheader gridcell listitem term definition caption legend alert status timer " +
      "tooltip").split(" "),
  );
  const KEPT = new Set("heading iframe img video audio".split(" "));
  const OPEN = new Set("treeitem listbox option".split(" ")); // controls that hold others
  const HOVERED = new Set("button link".split(" "));
  const INNER = "a[href], button, input, select, textarea, [role=button], [contenteditable]";
  const SCRIPTED = "confirm method turbo-confirm toggle bs-toggle remote".split(" ").map((name) => `data-${name}`);
  const WALL = /recaptcha|hcaptcha|turnstile|challenges\.cloudflare/;
  const WALLS = ".g-recaptcha, .h-captcha, .cf-turnstile";

  let nodes = [];

  const focused = () => {
    let at = document.activeElement;
    for (;;) {
      const inner = at && (shadow(at)?.activeElement ?? at.contentDocument?.activeElement);
      if (!inner || inner === at) return at;
      at = inner;
    }
  };

  class Walk {
    constructor(banner) {
      this.banner = banner; // no part of the page
      this.out = [];
      this.looked = 0;
      this.frames = 0;
      this.canvas = 0;
      this.walls = [];
      this.listening = new WeakSet();
      this.live = new WeakSet(); // whose text changes by itself
      this.stirred = new WeakSet(); // those, and all around them
      this.drawings = new WeakSet(); // SVG images with something to press in them
      this.phrases = new WeakMap();
      this.groups = new Map(); // groups of loose fields, each with the one that it is a part of
      this.active = focused();
    }

    // A new document: whose elements listen to clicks, and which containers hold loose fields.
    enter(doc, ctx) {
      const tell = (event) => {
        const [el] = event.composedPath();
        this.listening.add(el);
        if (el.ownerSVGElement) this.drawings.add(closest(el, "svg"));
      };
      doc.addEventListener("groundsmith-tell", tell, true);
      const note = (event) => {
        const [el] = event.composedPath();
        this.live.add(el);
        for (let at = el; at && !this.stirred.has(at); at = composedUp(at)) this.stirred.add(at);
      };
      doc.addEventListener("groundsmith-live", note, true);
      doc.dispatchEvent(new Event("groundsmith-ask"));
      doc.removeEventListener("groundsmith-live", note, true);
      doc.removeEventListener("groundsmith-tell", tell, true);
      for (const [group, whole] of looseGroups(doc)) this.groups.set(group, whole);
      for (const el of doc.querySelectorAll("svg a")) this.drawings.add(closest(el, "svg"));
      for (const el of doc.querySelectorAll(WALLS))
        if (rendered(el) && rectOf(el).height > BARE) this.walls.push(attr(el, "class"));
      if (doc.documentElement) this.visit(doc.documentElement, ctx);
    }

    // The group that sends what is in a group: itself, or the one that it is a part of.
    whole(group) {
      const above = this.groups.get(group) ?? group;
      return above === group ? group : this.whole(above);
    }

    put(node, record, ctx) {
      const where = { p: ctx.parent };
      if (ctx.frame.length) where.frame = ctx.frame;
      if (ctx.anchor) where.anchor = ctx.anchor;
      nodes.push(node);
      return this.out.push({ ...record, ...where }) - 1;
    }

    isPressed(el, as) {
      if (CONTROLS.has(as) || has(el, "onclick") || (this.listening.has(el) && !this.delegates(el))) return true;
      if (local(el) === "label" || styleOf(el).cursor !== "pointer") return false;
      // The pointer cursor is inherited: what counts is where it begins.
      const above = composedUp(el);
      return !above || type(above) !== 1 || styleOf(above).cursor !== "pointer";
    }

    // Whether it listens on behalf of several controls inside it.
    delegates(el) {
      return styleOf(el).cursor !== "pointer" && el.querySelectorAll(INNER).length > 1;
    }

    // A link that only leads somewhere: pressing it cannot bring up a question.
    isPlain(el) {
      if (this.listening.has(el) || has(el, "onclick") || !/^[^#]/.test(attr(el, "href") || "")) return false;
      return !/^javascript:/.test(attr(el, "href")) && !SCRIPTED.some((name) => has(el, name));
    }

    // Whether an element is but a stretch of text in its parent's line.
    isPhrase(el) {
      const known = this.phrases.get(el);
      if (known !== undefined) return known;
      const tag = local(el);
      let plain = PHRASE.has(tag) && !has(el, "role") && !shadow(el) && !isEdit(el);
      if (plain && tag === "img") plain = !clean(attr(el, "alt") || "");
      else if (plain && tag === "svg") plain = !svgName(el) && !this.drawings.has(el);
      else if (plain && tag === "label") plain = !el.control;
      plain &&= !this.isPressed(el, "generic");
      plain &&= this.isText(el);
      this.phrases.set(el, plain);
      return plain;
    }

    isText(el) {
      for (const child of children(el))
        if (type(child) === 1 && !SKIP.has(local(child)) && !this.isPhrase(child)) return false;
      return true;
    }

    visit(el, around) {
      const tag = local(el);
      if (el === this.banner || ++this.looked > CAP || SKIP.has(tag) || (tag === "input" && kind(el) === "hidden")) return;
      const as = role(el);
      const ctx = { ...around, sight: around.sight.at(el) };
      if (!rendered(el)) {
        // Fields that are not drawn are reached by their label.
        if (isInput(el) && standIn(el)) this.put(el, this.record(el, as, ctx, { pressed: true }), ctx);
        else if (styleOf(el).display === "contents") this.descend(el, ctx);
        // A button of an entry that is not drawn may show when the pointer comes near.
        else if (ctx.entry && HOVERED.has(as)) this.put(el, this.record(el, as, ctx, { pressed: true }), ctx);
        return;
      }
      const pressed = this.isPressed(el, as) || isEdit(el) || isInput(el);
      if (tag === "svg") {
        if (this.drawings.has(el)) this.descend(el, ctx);
        else if (svgName(el) || pressed) this.put(el, this.record(el, as, ctx, { pressed }), ctx);
        return;
      }
      if (!pressed && tiny(el)) return; // for screen readers only
      if (tag === "canvas") {
        const rect = rectOf(el);
        this.canvas += rect.width * rect.height;
      }
      const style = styleOf(el);
      const item = isItem(el, as);
      const scrolls =
        /auto|scroll/.test(style.overflowY) && scrollHeight(el) > clientHeight(el) + 1 && clientHeight(el) > 40;
      const faint = ctx.faint || (style.opacity === "0" && !pressed);
      const inner = { ...ctx, sight: ctx.sight.into(el), entry: ctx.entry || item, faint };
      if (!(pressed || item || scrolls || CONTAINERS.has(as) || KEPT.has(as) || this.groups.has(el))) {
        // A label is displayed as the name of its control.
        if (tag === "label" && el.control && standIn(el.control)) inner.mute = true;
        if (attr(el, "id")) inner.anchor = attr(el, "id");
        this.descend(el, inner);
        return;
      }
      const record = this.record(el, as, { ...inner, sight: ctx.sight }, { pressed, item });
      if ((record.name || OWNERS.has(as)) && this.stirred.has(el)) record.live = true;
      if (as === "link" && this.isPlain(el)) record.plain = true;
      if (scrolls) record.scrolls = true;
      this.keep(el, as, inner, record, { pressed, item });
    }

    record(el, as, ctx, { pressed = false, item = false }) {
      return describe(el, as, ctx.sight, { pressed, item, faint: ctx.faint, active: this.active });
    }

    // Puts an element down, whole or with what is in it.
    keep(el, as, ctx, record, { pressed, item }) {
      if (as === "iframe") return void this.frame(el, ctx, record);
      if (as === "img" && !pressed && !record.name) return;
      const nested = () => el.querySelector(INNER) !== null;
      const whole = CONTROLS.has(as) && !OPEN.has(as);
      const brief = pressed && !CONTROLS.has(as) && !item && record.name && record.name.length <= 100;
      if (isInput(el) || local(el) === "button" || isEdit(el) || ((whole || brief) && !nested()))
        return void this.put(el, record, ctx);
      if (as === "heading" && !this.shows(el, INNER)) return void this.put(el, record, ctx);
      // What is in it has names of its own; only a given one stays with the container.
      const given = byIds(el, "aria-labelledby") || clean(attr(el, "aria-label") || "");
      if (given) record.name = given;
      else delete record.name;
      if (OWNERS.has(as) && this.isText(el)) {
        const text = ctx.faint ? "" : textOf(el);
        return void this.put(el, text ? { ...record, text } : record, ctx);
      }
      this.descend(el, { ...ctx, parent: this.put(el, record, ctx), anchor: "" });
    }

    // The children of an element: runs of text and phrases become text nodes, the rest is visited.
    descend(el, ctx) {
      let run = [];
      const flush = () => {
        if (run.length) this.text(el, run, ctx);
        run = [];
      };
      for (const child of children(el)) {
        if (type(child) === 3) run.push(child);
        else if (type(child) !== 1 || SKIP.has(local(child))) continue;
        else if (!this.isPhrase(child)) {
          flush();
          this.visit(child, ctx);
        } else if (this.isShown(child) && !tiny(child)) run.push(child);
      }
      flush();
    }

    text(el, run, ctx) {
      const text = clean(run.map((at) => (type(at) === 3 ? at.data : textOf(at))).join(""));
      if (!text || ctx.mute || ctx.faint || styleOf(el).visibility !== "visible") return;
      const range = document.createRange();
      range.setStartBefore(run[0]);
      range.setEndAfter(run.at(-1));
      const rect = range.getBoundingClientRect();
      if (rect.width <= BARE || rect.height <= BARE || outside(el, rect) || ctx.sight.cutOff(rect)) return;
      const record = { role: "text", tag: local(el), text, box: ctx.sight.box(rect) };
      if (this.live.has(el) || run.some((at) => this.stirred.has(at))) record.live = true;
      this.put(run[0], record, ctx);
    }

    // Whether anything that a selector names is displayed in an element.
    shows(el, selector) {
      for (const each of el.querySelectorAll(selector)) if (this.isShown(each)) return true;
      return false;
    }

    isShown(el) {
      return rendered(el, { visibilityProperty: true, opacityProperty: true });
    }

    frame(el, ctx, record) {
      const rect = rectOf(el);
      const drawn = rect.width > BARE && rect.height > BARE;
      const source = attr(el, "src") || "";
      if (drawn && WALL.test(source)) this.walls.push(source);
      const inner = el.contentDocument; // null for another origin
      // A document that was refused, or is not there yet, leaves an empty one.
      const missing = inner?.URL === "about:blank" && /^https?:/.test(el.src);
      if (drawn && missing) this.frames++;
      if (!inner?.documentElement) {
        if (!drawn) return void this.put(el, record, ctx);
        this.frames++;
        const { dx, dy, flow } = ctx.sight.through(el);
        const sealed = { at: hostPath(el) + place(el), corner: [dx, dy], edges: flow.all };
        return void this.put(el, { ...record, sealed }, ctx);
      }
      const parent = this.put(el, record, ctx);
      this.enter(inner, {
        ...ctx,
        parent,
        anchor: "",
        sight: ctx.sight.through(el),
        frame: [...ctx.frame, hostPath(el) + place(el)],
      });
    }
  }

  // `null` where a banner that asks for consent was pressed away first: the page is about to change.
  const walk = (choice) => {
    for (const part of ["places", "locators", "items"]) groundsmith[part].begin();
    const { banner, pressed } = groundsmith.consent.meet(choice);
    if (pressed) return "null";
    nodes = [];
    const work = new Walk(banner);
    work.enter(document, {
      parent: -1, sight: Sight.of(window), frame: [], anchor: "", entry: false, faint: false, mute: false,
    });
    const numbers = new Map(nodes.map((node, index) => [node, index]));
    for (const record of work.out) if (record.group) record.group = numbers.get(work.whole(record.group)) ?? -1;
    return JSON.stringify({
      url: location.href,
      title: document.title,
      width: innerWidth,
      height: innerHeight,
      scale: devicePixelRatio,
      frames: work.frames,
      canvas: work.canvas,
      walls: work.walls,
      capped: work.looked > CAP,
      banner: banner !== null,
      nodes: work.out,
    });
  };

  groundsmith.node = (number) => nodes[number];
  groundsmith.number = (node) => nodes.push(node) - 1;
  return walk;
})();

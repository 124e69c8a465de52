// Reading the tree, in an isolated world: pages that override DOM methods cannot disturb it. Forms can still
// shadow properties with the names of their fields, so nodes are read through prototype getters only.
globalThis.groundsmith ??= {};
groundsmith.dom ??= (() => {
  "use strict";
  const getter = (owner, name) => {
    const { get } = Object.getOwnPropertyDescriptor(owner.prototype, name);
    return (node) => get.call(node);
  };
  const method = (owner, name) => {
    const f = owner.prototype[name];
    return (node, ...args) => f.apply(node, args);
  };
  const type = getter(Node, "nodeType");
  const next = getter(Node, "nextSibling");
  const first = getter(Node, "firstChild");
  const up = getter(Node, "parentNode");
  const words = getter(Node, "textContent");
  const rootOf = method(Node, "getRootNode");
  const holds = method(Node, "contains");
  const isLive = getter(Node, "isConnected");
  const local = getter(Element, "localName");
  const shadow = getter(Element, "shadowRoot");
  const attr = method(Element, "getAttribute");
  const has = method(Element, "hasAttribute");
  const rectOf = method(Element, "getBoundingClientRect");
  const rectsOf = method(Element, "getClientRects");
  const rendered = method(Element, "checkVisibility");
  const matches = method(Element, "matches");
  const closest = method(Element, "closest");
  const scrollHeight = getter(Element, "scrollHeight");
  const clientHeight = getter(Element, "clientHeight");

  const formFields = getter(HTMLFormElement, "elements");

  const SKIP = new Set(
    ("script style noscript template head meta link title base param source track br wbr hr colgroup col " +
      "datalist optgroup option area map").split(" "),
  );
  const PHRASE = new Set(
    ("span b i em strong small code sub sup mark u s abbr time svg img font kbd q cite var samp data bdi bdo " +
      "ins del br wbr tt big strike dfn output picture label").split(" "),
  );
  const ROLES = {
    button: "button", summary: "button", textarea: "textbox", img: "img", svg: "img", picture: "generic",
    h1: "heading", h2: "heading", h3: "heading", h4: "heading", h5: "heading", h6: "heading",
    nav: "navigation", main: "main", aside: "complementary", form: "form", dialog: "dialog", table: "table",
    tr: "row", td: "cell", th: "columnheader", ul: "list", ol: "list", menu: "list", dl: "list",
    li: "listitem", fieldset: "group", details: "group", figure: "figure", article: "article",
    search: "search", iframe: "iframe", frame: "iframe", video: "video", audio: "audio",
    progress: "progressbar", meter: "meter", dt: "term", dd: "definition", caption: "caption",
    legend: "legend", header: "banner", footer: "contentinfo", section: "region",
  };
  const INPUTS = {
    button: "button", submit: "button", reset: "button", image: "button", file: "button",
    checkbox: "checkbox", radio: "radio", range: "slider", number: "spinbutton", search: "searchbox",
  };
  const CONTROLS = new Set(
    ("button link checkbox radio switch tab menuitem menuitemcheckbox menuitemradio option combobox textbox " +
      "searchbox slider spinbutton treeitem listbox").split(" "),
  );
  const PRESSABLE = new Set("button submit reset image".split(" "));

  const clean = (text) => text.replace(/[\uE000-\uF8FF\u200B\uFEFF]/g, "").replace(/\s+/g, " ").trim();
  const role = (el) => {
    const given = (attr(el, "role") || "").trim().split(/\s+/)[0].toLowerCase();
    if (given && given !== "presentation" && given !== "none") return given;
    const tag = local(el);
    if (tag === "a") return has(el, "href") || svgHref(el) !== null ? "link" : "generic";
    if (tag === "input") return INPUTS[kind(el)] || "textbox";
    if (tag === "select") return has(el, "multiple") || Number(attr(el, "size")) > 1 ? "listbox" : "combobox";
    if (tag === "section" && !has(el, "aria-label") && !has(el, "aria-labelledby")) return "generic";
    if ((tag === "header" || tag === "footer") && closest(el, "article, main, section, aside, nav") !== null)
      return "generic";
    if (has(el, "contenteditable") && attr(el, "contenteditable") !== "false") return "textbox";
    return ROLES[tag] || "generic";
  };
  const kind = (el) => {
    const tag = local(el);
    if (tag === "input") return (attr(el, "type") || "text").toLowerCase();
    if (tag === "button") return (attr(el, "type") || (owner(el) ? "submit" : "button")).toLowerCase();
    return tag === "select" || tag === "textarea" ? tag : "";
  };
  const owner = (el) => ("form" in el && el.form instanceof Object ? el.form : closest(el, "form"));
  const svgHref = (el) => attr(el, "href") ?? el.getAttributeNS("http://www.w3.org/1999/xlink", "href");
  const children = function* (node) {
    const host = type(node) === 1 ? shadow(node) : null;
    if (type(node) === 1 && local(node) === "slot") {
      const given = node.assignedNodes({ flatten: true });
      if (given.length) return yield* given;
    }
    for (let child = first(host ?? node); child; child = next(child)) yield child;
  };
  const composedUp = (node) => {
    const slot = node.assignedSlot;
    if (slot && type(slot) === 1) return slot;
    const above = up(node);
    return above && type(above) === 11 && above.host ? above.host : above;
  };
  const within = (node, above) => {
    for (let at = node; at; at = composedUp(at)) if (at === above) return true;
    return false;
  };

  return {
    type, next, first, up, words, rootOf, holds, isLive, local, shadow, attr, has, rectOf, rectsOf, rendered,
    matches, closest, scrollHeight, clientHeight, formFields, SKIP, PHRASE, CONTROLS, PRESSABLE,
    clean, role, kind, owner, svgHref, children, composedUp, within,
  };
})();

// Repeated items: table rows, and entries of a list that look alike whatever they say.
groundsmith.items ??= (() => {
  "use strict";
  const { CONTROLS, SKIP, attr, children, closest, first, kind, local, next, role, svgHref, type, up } =
    groundsmith.dom;

  const CARDS = new Set("div article section figure dd details tbody p".split(" "));
  const MENUS =
    "nav, header, footer, [role=navigation], [role=menu], [role=menubar], [role=tablist], [role=toolbar], " +
    "[id*=nav i], [class*=nav i], [id*=menu i], [class*=menu i], [class*=tabs i]";
  const ENTRIES = new Set("listitem treeitem option article".split(" "));
  const LOOK = 200; // nodes of an entry that make its shape
  let lists = new WeakMap();
  const begin = () => {
    lists = new WeakMap();
  };

  // What sorts of things an entry holds, not how many and not what they say; in menus also where links lead.
  const shapeOf = (el, links) => {
    const parts = new Set();
    let budget = LOOK;
    const look = (node) => {
      if (--budget < 0) return;
      if (type(node) === 3) {
        if (node.data.trim()) parts.add("t");
        return;
      }
      if (type(node) !== 1 || SKIP.has(local(node))) return;
      const as = role(node);
      if (CONTROLS.has(as)) {
        const route = links ? (svgHref(node) || "").replace(/[?#].*/, "").replace(/[0-9a-f]{8,}|\d+/g, "{}") : "";
        parts.add(`${as}:${kind(node)}:${attr(node, "name") || ""}:${route}`);
        if (as === "link" || as === "button") return;
      }
      for (const child of children(node)) look(child);
    };
    for (const child of children(el)) look(child);
    return [...parts].sort().join(",");
  };
  // A block with a name of its own and no class ("main", "footer") is a part of the page, not one of many.
  const named = (el) => !attr(el, "class") && /^\D+$/.test(attr(el, "id") || "");
  // The entries among the children of a node: those that share their shape with another one. In a list one
  // entry suffices outside menus, and where two are alike all are entries.
  const entriesOf = (above) => {
    const sorts = new Map();
    const listed = [];
    for (let at = first(above); at; at = next(at)) {
      if (type(at) !== 1 || SKIP.has(local(at))) continue;
      const tag = local(at);
      if (tag !== "li" && named(at)) continue;
      if (tag === "li") listed.push(at);
      const sort = tag === "li" ? tag : `${tag} ${(attr(at, "class") || "").trim().split(/\s+/)[0]}`;
      sorts.set(sort, [...(sorts.get(sort) || []), at]);
    }
    const found = new Set();
    const menu = type(above) === 1 && closest(above, MENUS) !== null;
    for (const [sort, twins] of sorts) {
      if (twins.length < 2) continue;
      const alike = new Map();
      for (const at of twins) {
        const shape = shapeOf(at, menu);
        // Blocks of mere text are paragraphs, not entries.
        if (shape && (sort === "li" || shape.includes(":"))) alike.set(shape, [...(alike.get(shape) || []), at]);
      }
      for (const group of alike.values()) if (group.length > 1) for (const at of group) found.add(at);
    }
    if (listed.some((at) => found.has(at)) || (listed.length === 1 && !menu)) for (const at of listed) found.add(at);
    return found;
  };
  // A block with a number that it links to itself by: a comment or a post, even where it is the only one.
  const numbered = (el) => {
    const id = attr(el, "id") || "";
    return /\D\d+$/.test(id) && el.querySelector(`a[href$="#${CSS.escape(id)}"]`) !== null;
  };
  const isItem = (el, as) => {
    if (as === "row")
      return !closest(el, "thead") && el.querySelector("td, [role=cell], [role=gridcell]") !== null;
    const tag = local(el);
    if (!ENTRIES.has(as) && !CARDS.has(tag) && !tag.includes("-")) return false;
    const above = up(el);
    if (!above) return false;
    if (numbered(el)) return true;
    if (!lists.has(above)) lists.set(above, entriesOf(above));
    return lists.get(above).has(el);
  };

  return { begin, isItem };
})();

// Text as it is rendered, and accessible names.
groundsmith.names ??= (() => {
  "use strict";
  const { CONTROLS, PHRASE, PRESSABLE, SKIP, attr, children, clean, kind, local, rendered, role, rootOf, type, words } =
    groundsmith.dom;
  const { labelsOf, tiny } = groundsmith.places;

  const SVG = "http://www.w3.org/2000/svg";

  // Text of a subtree as it is rendered; with `hidden`, what is not rendered too (labels may be hidden).
  const textOf = (node, { hidden = false, controls = true } = {}) => {
    const parts = [];
    const collect = (at) => {
      if (type(at) === 3) return void parts.push(at.data);
      if (type(at) !== 1) return;
      const tag = local(at);
      if (SKIP.has(tag) && tag !== "br") return;
      if (tag === "br") return void parts.push(" ");
      if (!hidden && (!rendered(at, { visibilityProperty: true, opacityProperty: true }) || tiny(at))) return;
      if (attr(at, "aria-hidden") === "true" && (tag === "svg" || tag === "i")) return;
      if (tag === "img") return void parts.push(` ${attr(at, "alt") || ""} `);
      if (tag === "svg") return void parts.push(` ${svgName(at)} `);
      if (tag === "input" || tag === "select" || tag === "textarea") return;
      if (!controls && at !== node && CONTROLS.has(role(at))) return;
      const apart = !PHRASE.has(tag) && tag !== "a";
      if (apart) parts.push(" ");
      for (const child of children(at)) collect(child);
      if (apart) parts.push(" ");
    };
    collect(node);
    return clean(parts.join(""));
  };
  // Tooltip libraries move the title out of the way of the browser's own tooltip.
  const titleOf = (el) =>
    clean(attr(el, "title") || attr(el, "data-original-title") || attr(el, "data-bs-original-title") || "");
  const svgName = (el) => {
    const label = attr(el, "aria-label");
    if (label) return label;
    for (const child of children(el)) if (type(child) === 1 && local(child) === "title") return words(child);
    return "";
  };
  const byIds = (el, name) =>
    clean(
      (attr(el, name) || "")
        .split(/\s+/)
        .map((id) => id && rootOf(el).getElementById?.(id))
        .filter(Boolean)
        .map((found) => textOf(found, { hidden: true }))
        .join(" "),
    );
  const painted = (el) =>
    ["::before", "::after"]
      .map((part) => getComputedStyle(el, part).content)
      .filter((content) => content.startsWith('"'))
      .map((content) => clean(content.slice(1, -1)))
      .join(" ")
      .trim();
  const nameOf = (el, as) => {
    const given = byIds(el, "aria-labelledby") || clean(attr(el, "aria-label") || "");
    if (given) return given;
    const tag = local(el);
    if (tag === "input" && PRESSABLE.has(kind(el))) {
      const fallback = { submit: "Submit", reset: "Reset" }[kind(el)] || "";
      return clean(el.value || attr(el, "alt") || titleOf(el) || fallback);
    }
    if (tag === "input" || tag === "select" || tag === "textarea")
      return clean(
        labelsOf(el).map((label) => textOf(label, { hidden: true })).join(" ") || titleOf(el),
      );
    if (tag === "img") return clean(attr(el, "alt") || "") || titleOf(el);
    if (el.namespaceURI === SVG) return clean(svgName(el)) || textOf(el);
    if (tag === "fieldset") return captionOf(el, "legend");
    if (tag === "table") return captionOf(el, "caption");
    if (CONTROLS.has(as) || as === "heading" || as === "generic")
      return textOf(el) || titleOf(el) || painted(el) || textOf(el, { hidden: true });
    return titleOf(el);
  };
  const captionOf = (el, tag) => {
    for (const child of children(el)) if (type(child) === 1 && local(child) === tag) return textOf(child);
    return "";
  };

  return { textOf, nameOf, byIds, svgName };
})();

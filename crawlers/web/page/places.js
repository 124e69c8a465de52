// Where things are drawn, and what lies on top of them.
groundsmith.places ??= (() => {
  "use strict";
  const { attr, closest, local, rectOf, rectsOf, rendered, shadow, within } = groundsmith.dom;

  const BARE = 1; // CSS px; what is no wider or higher is there for screen readers only
  let styles = new WeakMap();
  // A new reading begins: forget what was computed for the last one.
  const begin = () => {
    styles = new WeakMap();
  };
  const styleOf = (el) => {
    let style = styles.get(el);
    if (!style) styles.set(el, (style = getComputedStyle(el)));
    return style;
  };
  const labelsOf = (el) => ("labels" in el && el.labels ? [...el.labels] : []);
  const tiny = (el) => {
    const rect = rectOf(el);
    return (rect.width <= BARE || rect.height <= BARE) && styleOf(el).overflow === "hidden";
  };
  // The element that a person would press for it: itself, or the label of a control that is not drawn.
  const standIn = (el) => {
    const rect = rectOf(el);
    const drawn =
      rendered(el, { visibilityProperty: true }) &&
      rect.width > BARE &&
      rect.height > BARE &&
      styleOf(el).opacity !== "0" &&
      rect.right + scrollX > 0 &&
      rect.bottom + scrollY > 0;
    if (drawn) return el;
    const shown = (label) => rendered(label, { visibilityProperty: true }) && rectOf(label).width > BARE;
    return labelsOf(el).find(shown) ?? null;
  };
  const firstBox = (el) => {
    const rects = rectsOf(el);
    return rects.length > 1 && styleOf(el).display === "inline" ? rects[0] : rectOf(el);
  };
  const under = (doc, x, y) => {
    let hit = doc.elementFromPoint(x, y);
    while (hit && shadow(hit)) {
      const deeper = shadow(hit).elementFromPoint(x, y);
      if (!deeper || deeper === hit) break;
      hit = deeper;
    }
    return hit;
  };
  // What covers the point instead of `el`: null when pressing there reaches it.
  const coverOf = (el, x, y) => {
    const hit = under(el.ownerDocument, x, y);
    if (!hit || within(hit, el)) return null;
    const label = closest(hit, "label");
    return label && label.control === el ? null : hit;
  };
  const zone = (el, view) => {
    const rect = firstBox(el);
    const [x1, y1] = [Math.max(rect.left, 0), Math.max(rect.top, 0)];
    const [x2, y2] = [Math.min(rect.right, view.innerWidth), Math.min(rect.bottom, view.innerHeight)];
    return x2 - x1 > 0 && y2 - y1 > 0 ? [x1, y1, x2, y2] : null;
  };

  return { BARE, begin, styleOf, standIn, coverOf, zone, tiny, labelsOf };
})();

// Where things are drawn, and what lies on top of them.
groundsmith.places ??= (() => {
  "use strict";
  const { attr, closest, composedUp, kind, local, rectOf, rectsOf, rendered, shadow, within } = groundsmith.dom;

  const BARE = 1; // CSS px; what is no wider or higher is there for screen readers only
  const TICKED = new Set(["checkbox", "radio", "file"]); // a press on the label does what one on them would
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
    const { body, documentElement } = el.ownerDocument;
    if (el === body || el === documentElement) return false; // what they hide, the window hides
    const rect = rectOf(el);
    return (rect.width <= BARE || rect.height <= BARE) && styleOf(el).overflow === "hidden";
  };
  // Whether a rectangle lies before the beginning of the page, where no scrolling reaches: it is there for
  // screen readers only.
  const outside = (el, rect) => {
    let [right, bottom] = [rect.right + scrollX, rect.bottom + scrollY];
    const root = el.ownerDocument.documentElement;
    for (let at = el; (right <= 0 || bottom <= 0) && at && at !== root; at = composedUp(at)) {
      right += at.scrollLeft || 0;
      bottom += at.scrollTop || 0;
    }
    return right <= 0 || bottom <= 0;
  };
  // The element that a person would press for it: itself, or the label of a control that is not drawn.
  const standIn = (el) => {
    const rect = rectOf(el);
    const there = rendered(el, { visibilityProperty: true });
    const drawn =
      there &&
      rect.width > BARE &&
      rect.height > BARE &&
      styleOf(el).opacity !== "0" &&
      !outside(el, rect);
    if (drawn) return el;
    if (!there && !TICKED.has(kind(el))) return null; // a label cannot put the cursor into what is not there
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
  // Rectangles are [left, top, right, bottom].
  const sides = (rect) => [rect.left, rect.top, rect.right, rect.bottom];
  const common = (one, two) => [
    Math.max(one[0], two[0]), Math.max(one[1], two[1]), Math.min(one[2], two[2]), Math.min(one[3], two[3]),
  ];
  const holdsAny = ([x1, y1, x2, y2]) => x2 - x1 > 0 && y2 - y1 > 0;
  const moved = ([x1, y1, x2, y2], dx, dy) => [x1 + dx, y1 + dy, x2 + dx, y2 + dy];
  // Where the contents of a frame (or of anything else with borders) begin, in its document's viewport.
  const corner = (el) => {
    const rect = rectOf(el);
    return [rect.left + el.clientLeft, rect.top + el.clientTop];
  };
  // What is inside the borders.
  const room = (el) => {
    const [x, y] = corner(el);
    return [x, y, x + el.clientWidth, y + el.clientHeight];
  };
  // The element of the frame that a document is displayed in, if it is of the same origin.
  const frameOf = (el) => el.ownerDocument.defaultView.frameElement;
  // What covers the point instead of `el`: null when pressing there reaches it.
  const coverOf = (el, x, y) => {
    const hit = under(el.ownerDocument, x, y);
    if (!hit) return null;
    if (!within(hit, el) && closest(hit, "label")?.control !== el) return hit;
    const frame = frameOf(el);
    if (!frame) return null;
    const [dx, dy] = corner(frame);
    return coverOf(frame, x + dx, y + dy);
  };
  // The part of an element that is in view, through all frames around it, in its own document's viewport.
  const zone = (el) => {
    const windows = [el];
    for (let frame = frameOf(el); frame; frame = frameOf(frame)) windows.push(frame);
    let seen = sides(firstBox(el));
    let [dx, dy] = [0, 0];
    for (const at of windows) {
      if (at !== el) {
        const [x, y] = corner(at);
        seen = moved(seen, x, y);
        [dx, dy] = [dx + x, dy + y];
      }
      const view = at.ownerDocument.defaultView;
      seen = common(seen, [0, 0, view.innerWidth, view.innerHeight]);
    }
    return holdsAny(seen) ? moved(seen, -dx, -dy) : null;
  };

  return {
    BARE, begin, common, corner, coverOf, firstBox, frameOf, holdsAny, labelsOf, moved, outside, room, sides, standIn,
    styleOf, tiny, under, zone,
  };
})();

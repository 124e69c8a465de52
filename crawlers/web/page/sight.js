// What of a page is seen through everything that cuts it off: the window, frames, boxes that scroll or hide
// what does not fit. Rectangles are [left, top, right, bottom] in pixels of the pane's viewport.
groundsmith.Sight ??= (() => {
  "use strict";
  const { clientHeight, local, matches, scrollHeight, type } = groundsmith.dom;
  const { common, corner, coverOf, firstBox, holdsAny, moved, room, sides, styleOf } = groundsmith.places;

  const SCROLLS = /auto|scroll/;

  // One edge after another, the innermost first: `all` is what is left inside of this one and those above.
  const edge = (own, scrolls, above) => ({ own, all: above ? common(own, above.all) : own, scrolls, above });

  class Sight {
    // `dx`, `dy`: where the document begins. `flow`, `free`, `fixed`: the edges around what is in the flow, what
    // is positioned, and what stays where it is when the page scrolls.
    constructor(dx, dy, flow, free = flow, fixed = flow) {
      Object.assign(this, { dx, dy, flow, free, fixed });
    }

    static of(view) {
      return new Sight(0, 0, edge([0, 0, view.innerWidth, view.innerHeight], true, null));
    }

    // The sight of an element itself.
    at(el) {
      const { position } = styleOf(el);
      if (position === "fixed") return this.outOf(matches(el, ":modal, :popover-open") ? this.root() : this.fixed);
      return position === "absolute" ? this.outOf(this.free) : this;
    }

    outOf(edges) {
      return new Sight(this.dx, this.dy, edges, this.free, this.fixed);
    }

    root() {
      let at = this.fixed;
      while (at.above && !at.window) at = at.above;
      return at;
    }

    // The sight of what is in an element; `this` is that of the element.
    into(el) {
      const style = styleOf(el);
      const { contain, filter, position, transform } = style;
      const contains = transform !== "none" || filter !== "none" || /paint|strict|content/.test(contain);
      const cuts = this.cuts(el, style);
      if (!cuts && !contains && position === "static") return this;
      const inside = () => edge(moved(room(el), this.dx, this.dy), this.scrolls(el, style), this.flow);
      const flow = cuts ? inside() : this.flow;
      const free = contains || position !== "static" ? flow : this.free;
      return new Sight(this.dx, this.dy, flow, free, contains ? flow : this.fixed);
    }

    // The sight of the document in a frame.
    through(frame) {
      const inside = edge(moved(room(frame), this.dx, this.dy), true, this.flow);
      inside.window = true;
      const [x, y] = corner(frame);
      return new Sight(this.dx + x, this.dy + y, inside);
    }

    cuts(el, style) {
      if (style.overflowX === "visible" && style.overflowY === "visible") return false;
      if (style.display === "inline" || style.display === "contents") return false;
      const root = el.ownerDocument.documentElement;
      // The window takes over what the root, or the body below it, says about overflow.
      return el !== root && (local(el) !== "body" || styleOf(root).overflowY !== "visible");
    }

    scrolls(el, style) {
      return (
        (SCROLLS.test(style.overflowY) && scrollHeight(el) > clientHeight(el)) ||
        (SCROLLS.test(style.overflowX) && el.scrollWidth > el.clientWidth)
      );
    }

    box(rect) {
      return common(moved(sides(rect), this.dx, this.dy), this.flow.all).map((side) => Math.round(side * 10) / 10);
    }

    // Whether nothing of it is seen and no scrolling would help.
    cutOff(rect) {
      const whole = moved(sides(rect), this.dx, this.dy);
      for (let at = this.flow; at; at = at.above) if (!holdsAny(common(whole, at.own))) return !at.scrolls;
      return false;
    }

    covered(el) {
      const seen = common(moved(sides(firstBox(el)), this.dx, this.dy), this.flow.all);
      if (!holdsAny(seen)) return false;
      return coverOf(el, (seen[0] + seen[2]) / 2 - this.dx, (seen[1] + seen[3]) / 2 - this.dy) !== null;
    }
  }

  return Sight;
})();

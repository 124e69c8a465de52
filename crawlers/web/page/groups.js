// What belongs together without a <form> around it.
groundsmith.groups ??= (() => {
  "use strict";
  const { holds, matches, type, up } = groundsmith.dom;

  const ENTRY = "input:not([type=hidden]):not([type=button]):not([type=submit]), textarea, select";
  const BUTTON = "button, [role=button], input[type=button], input[type=submit], input[type=image]";
  const EDGES = "form, main, nav, header, footer, section, aside, article, li, tr, dialog, body, [role=dialog]";
  const APART = "form, li, tr, dialog, [role=dialog], [role=listitem], [role=row]";
  const FAR = 6; // steps from a field up to what holds its button

  // Fields outside a <form> belong together with the nearest button, though not across a landmark.
  const looseGroup = (el) => {
    for (let at = up(el), steps = 0; at && type(at) === 1 && steps < FAR; at = up(at), steps++) {
      if (at.querySelector(ENTRY) && at.querySelector(BUTTON)) return at;
      if (matches(at, EDGES)) return null;
    }
    return null;
  };

  const isWithin = (inner, outer) => {
    if (inner === outer || !holds(outer, inner)) return false;
    for (let at = inner; at !== outer; at = up(at)) if (matches(at, APART)) return false;
    return true;
  };

  // The groups of a document's loose fields, each with the group that it is a part of: where all buttons
  // beside a text stand in one group further in, with fields of its own, they send both (a comment, and below
  // it its author's name beside "Submit").
  const looseGroups = (doc) => {
    const wholes = new Map();
    const texts = new Set();
    for (const el of doc.querySelectorAll("input:not([type=hidden]), textarea, select")) {
      const group = el.form ? null : looseGroup(el);
      if (!group) continue;
      wholes.set(group, group);
      if (matches(el, "textarea, input:not([type=checkbox]):not([type=radio])")) texts.add(group);
    }
    for (const outer of texts) {
      const buttons = [...outer.querySelectorAll(BUTTON)];
      for (const inner of wholes.keys())
        if (isWithin(inner, outer) && buttons.every((each) => holds(inner, each)))
          wholes.set(inner, outer);
    }
    return wholes;
  };

  return { looseGroup, looseGroups };
})();

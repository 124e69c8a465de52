// What is written down of one element.
groundsmith.describe ??= (() => {
  "use strict";
  const { CONTROLS, PRESSABLE, attr, clean, closest, composedUp, formFields, has, kind, local, matches } = groundsmith.dom;
  const { rectOf, svgHref, up, type, words } = groundsmith.dom;
  const { standIn, styleOf } = groundsmith.places;
  const { nameOf, textOf } = groundsmith.names;
  const { locatorsOf } = groundsmith.locators;
  const { looseGroup } = groundsmith.groups;

  const LONG = 400; // characters kept of a name or text
  const OPTIONS = 500; // choices kept of a select
  const CONTROL = "a[href], button, input:not([type=hidden]), select, textarea, [role=button], [role=link]";
  const TRAIL = "[class*=breadcrumb i], [id*=breadcrumb i], [aria-label*=breadcrumb i]";
  const MARKED = new Set("checkbox radio switch menuitemcheckbox menuitemradio".split(" "));

  const isEdit = (el) => has(el, "contenteditable") && attr(el, "contenteditable") !== "false";
  const isInput = (el) => ["input", "select", "textarea"].includes(local(el));

  const entry = (el, sort) => {
    if (sort === "checkbox" || sort === "radio")
      return { check: el.checked, ...(attr(el, "value") && { value: attr(el, "value") }) };
    if (sort === "select") {
      const options = [...el.options].slice(0, OPTIONS);
      return {
        value: el.value,
        options: options.map((each) => [each.value, clean(each.label || each.text), each.selected]),
      };
    }
    const record = {};
    if (sort !== "file") record.edit = true;
    if (el.readOnly) record.off = true;
    if (sort === "password") record.secret = true;
    else record.value = el.value;
    if (attr(el, "placeholder")) record.hint = clean(attr(el, "placeholder"));
    return record;
  };
  const limits = (el) =>
    ["min", "max", "step", "minlength", "maxlength", "pattern", "accept"]
      .filter((name) => attr(el, name))
      .map((name) => `${name}=${attr(el, name)}`)
      .join(";");
  // A control that takes no pointer is disabled; where the pointer is kept from a whole region, something
  // stands before that region, and its controls count as covered.
  const isNumb = (el) => {
    if (styleOf(el).pointerEvents !== "none") return false;
    let top = el;
    for (let at = el; at && type(at) === 1 && styleOf(at).pointerEvents === "none"; at = composedUp(at)) top = at;
    return top === el || top.querySelectorAll(CONTROL).length <= 1;
  };
  const control = (el, as, active) => {
    const tag = local(el);
    const sort = kind(el);
    const record = {};
    if (sort) record.kind = sort;
    if (isInput(el) || tag === "button") {
      if (attr(el, "name")) record.field = attr(el, "name");
      if (matches(el, ":disabled")) record.off = true;
      if (el.required) record.required = true;
    }
    if (attr(el, "aria-disabled") === "true" || isNumb(el)) record.off = true;
    if (isInput(el) && !PRESSABLE.has(sort)) {
      Object.assign(record, entry(el, sort));
      if (limits(el)) record.limits = limits(el);
    } else if (isEdit(el)) {
      record.edit = true;
      record.value = clean(words(el));
      const hint = attr(el, "aria-placeholder") || attr(el, "data-placeholder");
      if (hint) record.hint = hint;
    } else if (MARKED.has(as)) {
      record.check = attr(el, "aria-checked") === "true";
    }
    // Without an address it leads to the page that it stands on, whichever that is: a jump within it.
    const href = tag === "a" && svgHref(el) !== null ? svgHref(el).trim() || "#" : null;
    if (href !== null) record.href = URL.canParse(href, el.baseURI) ? new URL(href, el.baseURI).href : href;
    const aim = attr(el, "aria-controls") || attr(el, "data-target") || attr(el, "data-bs-target");
    if (aim) record.aim = aim;
    if (href !== null && closest(el, TRAIL)) record.trail = true;
    const form = "form" in el && el.form ? el.form : null;
    const grouped = isInput(el) || isEdit(el) || as === "button";
    const group = form ?? (grouped ? looseGroup(el) : null);
    if (group) record.group = group; // the walk turns it into a number
    if (el === active) record.focus = true;
    return record;
  };

  // What tells an entry from its like: its heading, else what it says besides its controls, else what they
  // say, unless there is but one.
  const itemText = (el) => {
    const heading = el.querySelector("h1, h2, h3, h4, h5, h6, [role=heading]");
    const several = el.querySelectorAll(CONTROL).length > 1;
    const text = (heading && textOf(heading)) || textOf(el, { controls: false }) || (several ? textOf(el) : "");
    return (text || " ").slice(0, LONG);
  };

  // `sight` says where an element is seen, and what covers it there.
  const describe = (el, as, sight, { pressed, item, faint, active }) => {
    const tag = local(el);
    const record = { role: as, tag };
    const id = attr(el, "data-testid") || attr(el, "id");
    if (id) record.id = id;
    const name = nameOf(el, as);
    if (name) record.name = name.slice(0, LONG);
    if (/^h[1-6]$/.test(tag)) record.level = Number(tag[1]);
    if (tag === "form") {
      record.sends = attr(el, "action") || "";
      record.names = [...new Set([...formFields(el)].map((each) => attr(each, "name")).filter(Boolean))].sort();
    }
    if (item) record.item = itemText(el);
    if (pressed || item) Object.assign(record, locatorsOf(el));
    if (pressed) {
      record.press = true;
      Object.assign(record, control(el, as, active));
      if (CONTROLS.has(as) && !isInput(el)) {
        const text = textOf(el).slice(0, LONG);
        if (text && text !== record.name) record.text = text;
      }
    }
    const body = standIn(el);
    if (!body || faint || sight.cutOff(rectOf(body))) return { ...record, hidden: true };
    record.box = sight.box(rectOf(body));
    if (pressed && sight.covered(body)) record.covered = true;
    return record;
  };

  return { describe, isEdit, isInput };
})();

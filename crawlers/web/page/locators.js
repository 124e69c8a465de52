// Ways to find an element again: by what it is (unique attributes) and by where it stands.
groundsmith.locators ??= (() => {
  "use strict";
  const { attr, first, kind, local, next, owner, rootOf, type, up } = groundsmith.dom;

  const quote = (text) => JSON.stringify(text).replace(/\\u/g, "\\");
  // Ids that a framework counts up: they name another element on the next visit.
  const COUNTED = /:r\w+:|^(ember|radix|headlessui|react-aria|mui|yui|ext-gen|gwt-uid|ui-id)/;
  const addresses = (el) => {
    const tag = local(el);
    const found = [];
    const id = attr(el, "id");
    if (id && !COUNTED.test(id)) found.push(`#${CSS.escape(id)}`);
    for (const name of ["data-testid", "name", "href", "action", "aria-controls"])
      if (attr(el, name)) found.push(`${tag}[${name}=${quote(attr(el, name))}]`);
    // One of several with a name; the value of a plain input is displayed text and no address.
    const valued = tag === "button" || ["checkbox", "radio"].includes(kind(el));
    if (valued && attr(el, "name") && attr(el, "value"))
      found.push(`${tag}[name=${quote(attr(el, "name"))}][value=${quote(attr(el, "value"))}]`);
    return found;
  };
  const hostPath = (el) => {
    const root = rootOf(el);
    return type(root) === 11 && root.host ? `${hostPath(root.host)}${place(root.host)} >>> ` : "";
  };
  // Places among siblings of the same name, counted once per parent: a table of a thousand rows is one.
  let ranks = new Map();
  const rank = (el) => {
    const above = up(el);
    if (!ranks.has(above)) {
      const [found, counts] = [new Map(), new Map()];
      for (let at = first(above); at; at = next(at)) {
        if (type(at) !== 1) continue;
        counts.set(local(at), (counts.get(local(at)) || 0) + 1);
        found.set(at, counts.get(local(at)));
      }
      ranks.set(above, found);
    }
    return ranks.get(above).get(el);
  };
  // The steps down to it, from the nearest element that an id names alone.
  const steps = (el, named, step) => {
    const found = [];
    for (let at = el; at && type(at) === 1; at = up(at)) {
      const id = attr(at, "id");
      if (id && !id.includes('"') && census(rootOf(at)).get(`#${CSS.escape(id)}`) === 1) return [named(id), ...found];
      found.unshift(step(at, local(at), rank(at)));
    }
    return found;
  };
  const place = (el) =>
    steps(el, (id) => `#${CSS.escape(id)}`, (_, tag, count) => `${tag}:nth-of-type(${count})`).join(" > ");
  const xpathOf = (el) => {
    const html = "http://www.w3.org/1999/xhtml";
    const named = (id) => `/*[@id="${id}"]`;
    const step = (at, tag, count) => `${at.namespaceURI === html ? tag : `*[local-name()="${tag}"]`}[${count}]`;
    return `/${steps(el, named, step).join("/")}`;
  };
  // How often every address occurs below a root: uniqueness without one query per element.
  let counts = new Map();
  const begin = () => {
    counts = new Map();
    ranks = new Map();
  };
  const census = (root) => {
    const known = counts.get(root);
    if (known) return known;
    const seen = new Map();
    counts.set(root, seen);
    for (const el of root.querySelectorAll("*"))
      for (const address of addresses(el)) seen.set(address, (seen.get(address) || 0) + 1);
    return seen;
  };
  const locatorsOf = (el) => {
    const root = rootOf(el);
    const seen = census(root);
    const above = hostPath(el);
    const found = addresses(el).filter((address) => seen.get(address) === 1 && address.length < 200);
    const form = owner(el);
    if (!found.length && form && form !== el) {
      const outer = addresses(form).find((address) => seen.get(address) === 1);
      const inner = addresses(el).find((address) => form.querySelectorAll(address).length === 1);
      if (outer && inner) found.push(`${outer} ${inner}`);
      else if (outer && form.querySelectorAll(local(el)).length === 1) found.push(`${outer} ${local(el)}`);
    }
    return { css: found.slice(0, 2).map((address) => above + address), at: above ? above + place(el) : xpathOf(el) };
  };

  return { begin, locatorsOf, hostPath, place };
})();

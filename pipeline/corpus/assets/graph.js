// The functionality graph: screens as nodes, actions as curves coloured by effect. All text is set as text.
"use strict";

(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const svg = document.getElementById("graph");
  const panel = document.getElementById("panel");
  const [nodeWidth, nodeHeight] = data.node;
  const imageHeight = nodeHeight - 34;
  const screens = new Map(data.screens.map((screen) => [screen.id, screen]));
  const outgoing = new Map();
  for (const edge of data.edges) {
    if (!outgoing.has(edge.from)) outgoing.set(edge.from, []);
    outgoing.get(edge.from).push(edge);
  }
  const nodes = new Map();
  const links = [];
  const tip = make("marker", { id: "tip", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 9, markerHeight: 9, markerUnits: "userSpaceOnUse", orient: "auto" }, make("defs", {}, svg));
  make("path", { class: "tip", d: "M0 0 L8 4 L0 8 z" }, tip);
  const stage = make("g", {}, svg);
  let view = { x: 0, y: 0, w: 1, h: 1 };

  drawLinks();
  for (const screen of data.screens) drawNode(screen);
  pan();
  functions();
  fit();
  window.addEventListener("resize", fit);
  window.addEventListener("hashchange", fromHash);
  fromHash();

  function make(name, attributes, parent, text) {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    if (text !== undefined) element.textContent = text;
    if (parent) parent.append(element);
    return element;
  }

  function html(name, properties, ...children) {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
  }

  function short(text, length) {
    const all = [...text];
    return all.length > length ? `${all.slice(0, length - 1).join("")}…` : text;
  }

  function tried(count) {
    if (!count) return "No action was tried here";
    return count === 1 ? "One action was tried here" : `${count} actions were tried here`;
  }

  function picture(name) {
    return `../images/${name}.webp`;
  }

  // One curve per pair of screens and effect; the more actions, the wider.
  function drawLinks() {
    const bundles = new Map();
    for (const edge of data.edges) {
      const [from, to] = [data.states[edge.from]?.screen, data.states[edge.to]?.screen];
      if (!from || !to || edge.from === edge.to) continue;
      const key = `${from} ${to} ${edge.effect}`;
      if (!bundles.has(key)) bundles.set(key, { from, to, effect: edge.effect, edges: [] });
      bundles.get(key).edges.push(edge);
    }
    const lanes = new Map();
    for (const bundle of bundles.values()) {
      const pair = `${bundle.from} ${bundle.to}`;
      const lane = lanes.get(pair) ?? 0;
      lanes.set(pair, lane + 1);
      const path = make("path", { class: `link e-${bundle.effect}`, d: curve(screens.get(bundle.from), screens.get(bundle.to), lane) }, stage);
      path.style.strokeWidth = Math.min(1.2 + bundle.edges.length * 0.4, 4);
      make("title", {}, path, `${bundle.effect.replaceAll("_", " ")}\n${bundle.edges.slice(0, 6).map((edge) => edge.caption).join("\n")}${bundle.edges.length > 6 ? "\n…" : ""}`);
      links.push({ ...bundle, path });
    }
  }

  function curve(from, to, lane) {
    const shift = lane * 9;
    if (from === to) {
      const [x, y] = [from.x + nodeWidth - 44 - shift, from.y];
      return `M${x} ${y} c0 ${-34 - shift} 34 ${-34 - shift} 34 0`;
    }
    const y1 = from.y + nodeHeight / 2 + shift;
    const y2 = to.y + nodeHeight / 2 + shift;
    if (to.x > from.x) {
      const [x1, x2] = [from.x + nodeWidth, to.x];
      const bend = Math.max((x2 - x1) / 2, 30);
      return `M${x1} ${y1} C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
    }
    if (to.x === from.x) {
      const x = from.x + nodeWidth;
      return `M${x} ${y1} C${x + 52 + shift} ${y1} ${x + 52 + shift} ${y2} ${x} ${y2}`;
    }
    const [x1, x2] = [from.x, to.x + nodeWidth];
    const bend = Math.max((x1 - x2) / 2, 30);
    return `M${x1} ${y1 + 14} C${x1 - bend} ${y1 + 30} ${x2 + bend} ${y2 + 30} ${x2} ${y2 + 14}`;
  }

  function drawNode(screen) {
    const first = screen.states.find((name) => data.states[name].image) ?? screen.states[0];
    const group = make("g", { class: `node${data.states[data.root]?.screen === screen.id ? " root" : ""}`, transform: `translate(${screen.x} ${screen.y})`, tabindex: 0 }, stage);
    if (screen.states.length > 1) make("rect", { class: "pile", x: 6, y: 6, width: nodeWidth, height: nodeHeight, rx: 10 }, group);
    make("rect", { class: "plate", width: nodeWidth, height: nodeHeight, rx: 10 }, group);
    if (data.states[first].image) {
      make("image", { href: picture(data.states[first].image), x: 5, y: 5, width: nodeWidth - 10, height: imageHeight - 4, preserveAspectRatio: "xMidYMin slice" }, group);
    }
    make("text", { x: 10, y: imageHeight + 15 }, group, short(screen.label, /[\u2e80-\uffdc]/.test(screen.label) ? 15 : 28));
    make("text", { class: "route", x: 10, y: imageHeight + 28 }, group, short(screen.label === screen.route ? screen.title : screen.route, 30));
    if (screen.states.length > 1) {
      make("circle", { class: "badge", cx: nodeWidth - 3, cy: 4, r: 11 }, group);
      make("text", { class: "count", x: nodeWidth - 3, y: 8, "text-anchor": "middle" }, group, screen.states.length);
    }
    make("title", {}, group, `${screen.title}\n${screen.route}\n${screen.states.length} state(s)`);
    group.addEventListener("click", () => choose(first));
    group.addEventListener("keydown", (event) => event.key === "Enter" && choose(first));
    group.addEventListener("mouseenter", () => light((link) => link.from === screen.id || link.to === screen.id, [screen.id]));
    group.addEventListener("mouseleave", () => light());
    nodes.set(screen.id, group);
  }

  // Show only the links that fit, and the screens at their ends; without an argument, everything.
  function light(fits, more = []) {
    svg.classList.toggle("some", Boolean(fits));
    const lit = new Set(more);
    for (const link of links) {
      const on = Boolean(fits && fits(link));
      link.path.classList.toggle("lit", on);
      if (on) lit.add(link.from).add(link.to);
    }
    for (const [name, node] of nodes) node.classList.toggle("lit", lit.has(name));
  }

  function choose(name, keep = false) {
    const state = data.states[name];
    if (!state) return;
    for (const node of nodes.values()) node.classList.remove("chosen");
    nodes.get(state.screen)?.classList.add("chosen");
    const moves = outgoing.get(name) ?? [];
    const [width, height] = state.size;
    const drawing = make("svg", { viewBox: `0 0 ${width} ${height}` });
    const list = html("ul", { className: "moves" });
    for (const edge of moves) {
      const box = edge.box && make("rect", { class: `box e-${edge.effect}`, x: edge.box[0], y: edge.box[1], width: edge.box[2] - edge.box[0], height: edge.box[3] - edge.box[1], rx: 4 }, drawing);
      if (box) make("title", {}, box, edge.caption);
      const button = html("button", { type: "button", dir: "auto" }, html("span", { className: `effect e-${edge.effect}`, textContent: edge.effect.replaceAll("_", " ") }), edge.caption);
      for (const write of edge.writes) button.append(html("code", { textContent: write }));
      if (edge.from === edge.to) button.append(html("small", { textContent: ` ${edge.outcome.replaceAll("_", " ")}` }));
      const go = () => choose(edge.to);
      const hot = (on) => box?.classList.toggle("hot", on);
      button.addEventListener("click", go);
      button.addEventListener("mouseenter", () => hot(true));
      button.addEventListener("mouseleave", () => hot(false));
      box?.addEventListener("click", go);
      list.append(html("li", {}, button));
    }
    const shot = html("div", { className: "screen" });
    shot.style.aspectRatio = `${width} / ${height}`;
    shot.append(state.image ? html("img", { src: picture(state.image), alt: "" }) : html("p", { className: "absent", textContent: "This screenshot was left out." }), drawing);
    const strip = html("div", { className: "strip" });
    const siblings = screens.get(state.screen)?.states ?? [];
    for (const sibling of siblings.length > 1 ? siblings : []) {
      const image = data.states[sibling].image;
      const button = html("button", { type: "button", title: data.states[sibling].address }, image ? html("img", { src: picture(image), alt: "", loading: "lazy" }) : "·");
      button.setAttribute("aria-pressed", sibling === name);
      button.addEventListener("click", () => choose(sibling));
      strip.append(button);
    }
    panel.replaceChildren(
      html("h2", { textContent: state.title || state.route, dir: "auto" }),
      html("p", { className: "meta" }, html("code", { textContent: state.address }), html("code", { textContent: name }), state.quality === "ok" ? "" : html("span", { textContent: state.quality })),
      state.dialog ? html("p", { className: "error", textContent: state.dialog }) : "",
      shot, strip,
      html("p", { className: "note", textContent: tried(moves.length) }),
      list,
    );
    panel.scrollTop = 0;
    if (!keep) {
      try {
        history.replaceState(null, "", `#${name}`);
      } catch {
        // A file page may not be allowed to; the link is only a convenience.
      }
    }
  }

  function fromHash() {
    const name = decodeURIComponent(location.hash.slice(1));
    const button = name && document.querySelector(`.function[id="${CSS.escape(name)}"]`);
    if (button) button.click();
    choose(data.states[name] ? name : data.root, true);
  }

  function functions() {
    const buttons = [...document.querySelectorAll(".function")];
    for (const button of buttons) {
      button.addEventListener("click", () => {
        const on = button.getAttribute("aria-pressed") !== "true";
        for (const other of buttons) other.setAttribute("aria-pressed", on && other === button);
        const ids = new Set(button.dataset.edges.split(" "));
        const edges = data.edges.filter((edge) => ids.has(edge.id));
        const own = edges.map((edge) => data.states[edge.from]?.screen);
        light(on && edges.length ? (link) => link.edges.some((edge) => ids.has(edge.id)) : undefined, own);
        if (on && edges.length) choose(edges[0].from, true);
      });
    }
  }

  function show() {
    svg.setAttribute("viewBox", `${view.x} ${view.y} ${view.w} ${view.h}`);
  }

  function fit() {
    const [width, height] = data.size;
    const margin = 40;
    const legend = 60;
    view = { x: -margin, y: -margin, w: width + 2 * margin, h: height + 2 * margin + legend };
    show();
  }

  function zoom(factor, cx = view.x + view.w / 2, cy = view.y + view.h / 2) {
    const w = Math.min(Math.max(view.w * factor, 200), 60000);
    const scale = w / view.w;
    view = { x: cx - (cx - view.x) * scale, y: cy - (cy - view.y) * scale, w, h: view.h * scale };
    show();
  }

  function pan() {
    const at = (event) => new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    let held = null;
    svg.addEventListener("pointerdown", (event) => { held = at(event); });
    window.addEventListener("pointerup", () => { held = null; });
    svg.addEventListener("pointermove", (event) => {
      if (!held) return;
      const here = at(event);
      view.x += held.x - here.x;
      view.y += held.y - here.y;
      show();
    });
    svg.addEventListener("wheel", (event) => {
      event.preventDefault();
      const here = at(event);
      zoom(event.deltaY > 0 ? 1.15 : 1 / 1.15, here.x, here.y);
    }, { passive: false });
    document.getElementById("fit").addEventListener("click", fit);
    document.getElementById("closer").addEventListener("click", () => zoom(1 / 1.3));
    document.getElementById("farther").addEventListener("click", () => zoom(1.3));
  }
})();

// Runs in the page's own world before any script of the page. It makes the page repeatable (a clock that
// starts at `epoch` and moves only when the page's own timers fire, lots drawn alike, no animation) and watches what cannot
// be seen from outside: pending timers, mutations, click listeners, IndexedDB writes.
((epoch) => {
  "use strict";
  const KEY = Symbol.for("groundsmith");
  const ROUND = 2000; // ms; an interval longer than this is not waited for
  const BUBBLE = 300; // ms; the browser's motion takes less than half of it
  const SOON = 500; // ms; a timer due later than this is not part of the reaction to an action
  const FIRST = 1000; // ms; nor one due later than this of a page that comes up
  const real = {
    setTimeout: window.setTimeout.bind(window),
    clearTimeout: window.clearTimeout.bind(window),
    setInterval: window.setInterval.bind(window),
    frame: window.requestAnimationFrame.bind(window),
    now: performance.now.bind(performance),
    random: Math.random.bind(Math),
    items: Storage.prototype.getItem,
    cookies: Object.getOwnPropertyDescriptor(Document.prototype, "cookie").get,
    fields: Document.prototype.querySelectorAll,
    keys: Object.keys,
    json: JSON.stringify,
    parse: JSON.parse,
    list: Array.isArray,
    Promise,
  };

  const born = performance.timeOrigin; // tells this document from those before

  // Clock. A frozen Date would hang every debounce and animation that compares two readings of it, so it
  // moves on by what each timer asked for: the same run of timers reads the same times on every visit.
  let time = epoch;
  const advance = (due) => {
    if (due > time) time = due;
  };
  if (epoch !== null) {
    const RealDate = Date;
    RealDate.now = () => time;
    window.Date = new Proxy(RealDate, {
      construct: (target, args, as) => Reflect.construct(target, args.length ? args : [time], as),
      apply: () => new RealDate(time).toString(),
    });
    RealDate.prototype.constructor = window.Date;
  }

  // Chance. What a page draws by lot (a tip of the day, an id) is drawn alike on every visit: it depends on the
  // path and on which document of the session this is, as it was told from outside, so that ids do not come
  // again in the next document. Every place in the code draws for itself: which comes first is often a race.
  const TURN = Symbol.for("groundsmith-turn");
  const TOLD = 1000; // draws whose place is asked for, which takes microseconds: a game draws without end
  const lots = new Map();
  let draws = 0;
  const caller = () => {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 4;
    const [, , , , place = ""] = String(new Error().stack).split("\n");
    Error.stackTraceLimit = stackTraceLimit;
    return place.replace(location.origin, "").replace(/\?[^:]*/, "");
  };
  // mulberry32, a generator in the public domain.
  const drawLot = () => {
    const place = draws++ < TOLD ? caller() : "";
    const lot = ((lots.get(place) ?? hash(`${window[TURN]} ${location.pathname} ${place}`)) + 0x6d2b79f5) | 0;
    lots.set(place, lot);
    let mixed = Math.imul(lot ^ (lot >>> 15), lot | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  if (epoch !== null) Math.random = () => (window[TURN] === undefined ? real.random() : drawLot());

  // Timers. Those due soon hold up settling, except a timer that has fired since and was set again.
  const pending = new Set();
  const fired = new Set();
  let soon = FIRST;
  const run = (task, args) =>
    typeof task === "function" ? task.apply(window, args) : (0, eval)(String(task));
  window.setTimeout = (task, delay = 0, ...args) => {
    const wait = Math.max(0, Number(delay) || 0);
    const due = time + wait;
    const kind = `${wait} ${String(task)}`;
    const id = real.setTimeout(() => {
      pending.delete(id);
      fired.add(kind);
      advance(due);
      run(task, args);
    }, wait);
    if (wait <= soon && !fired.has(kind)) pending.add(id);
    return id;
  };
  const clear = (id) => {
    pending.delete(id);
    rounds.delete(id);
    real.clearTimeout(id);
  };
  window.clearTimeout = clear;
  // Intervals. Those that come round soon do so once while settling, so that what they write is known for
  // text that changes by itself on the first sight of it already.
  const rounds = new Map();
  const known = new Set(); // a page that sets its interval anew at every round has gone round
  window.setInterval = (task, delay = 0, ...args) => {
    const wait = Math.max(0, Number(delay) || 0);
    let due = time;
    const round = () => {
      rounds.delete(id);
      advance((due += wait));
      alone(() => run(task, args));
    };
    const id = real.setInterval(round, wait);
    const kind = `${wait} ${String(task)}`;
    if (wait <= ROUND && !known.has(kind)) rounds.set(id, round);
    known.add(kind);
    return id;
  };
  window.clearInterval = clear;
  const goRound = () => {
    const due = [...rounds.values()];
    for (const round of due) round();
    return due.length > 0;
  };
  window.requestAnimationFrame = (task) => {
    const due = time + 16;
    return real.frame((stamp) => {
      advance(due);
      task(stamp);
    });
  };

  // Still pictures: animations end at once, the caret does not blink. Transitions are left to begin, since
  // pages wait for their end, and are finished while settling.
  const still = new CSSStyleSheet();
  still.replaceSync(
    `*, *::before, *::after { animation-delay: 0s !important; animation-duration: 1ms !important;
     animation-iteration-count: 1 !important; caret-color: transparent !important;
     scroll-behavior: auto !important; }`,
  );

  // Mutations, shadow trees included. Closed ones are opened, or nobody could see into them.
  const moving = Document.prototype.getAnimations;
  let touched = real.now();
  let stirs = 0;
  const stirred = () => {
    // What is put there while the document is being read is no motion; what its scripts set off is waited for.
    if (document.readyState !== "loading") touched = real.now();
    stirs++;
  };
  // Elements whose whole text was rewritten by an interval, or twice while nobody did anything.
  const live = new Set();
  const rewritten = new WeakSet();
  let idle = false;
  const TEXT = 3;
  const isText = (node) => node.nodeType === TEXT;
  const leafOf = ({ type, target, addedNodes, removedNodes }) => {
    if (type === "characterData") return target.parentNode;
    const words = type === "childList" && addedNodes.length > 0 && removedNodes.length > 0;
    return words && [...addedNodes, ...removedNodes].every(isText) ? target : null;
  };
  const note = (records) => {
    let moved = false;
    for (const record of records) {
      const leaf = leafOf(record);
      if (idle && leaf) (rewritten.has(leaf) ? live : rewritten).add(leaf);
      moved ||= !live.has(leaf);
    }
    if (moved) stirred();
  };
  const observer = new MutationObserver(note);
  const alone = (task) => {
    note(observer.takeRecords());
    try {
      task();
    } finally {
      for (const record of observer.takeRecords()) {
        const leaf = leafOf(record);
        if (leaf) live.add(leaf);
        else stirred();
      }
    }
  };
  const begin = () => {
    idle = false;
    grown = false;
    fired.clear();
  };
  for (const type of ["pointerdown", "keydown", "input", "change"])
    window.addEventListener(type, begin, { capture: true, passive: true });
  // What was pressed last, and where. When it has moved away from under the pointer, what lies there now would
  // light up though nobody points at it.
  let aim = null;
  // Whether a script took the last click for itself: a link then leads nowhere of its own accord.
  let taken = false;
  window.addEventListener("click", (event) => (taken = event.defaultPrevented), { passive: true });
  const aimAt = (event) => {
    taken = false;
    const [el] = event.composedPath();
    aim = { el, x: event.clientX, y: event.clientY, said: el.textContent };
  };
  window.addEventListener("pointerdown", aimAt, { capture: true, passive: true });
  const strayed = () => {
    if (!aim) return false;
    const { el, x, y, said } = aim;
    if (el.isConnected) {
      const { left, right, top, bottom } = el.getBoundingClientRect();
      return x < left || x > right || y < top || y > bottom;
    }
    const there = document.elementFromPoint(x, y); // it may have been drawn anew
    return there?.localName !== el.localName || there.textContent !== said;
  };
  const watch = (root) => {
    observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, still];
  };
  watch(document);
  const attachShadow = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function (options) {
    const root = attachShadow.call(this, { ...options, mode: "open" });
    watch(root);
    return root;
  };

  // The browser's own word about an invalid field grows into sight by a motion that no page can see. It comes
  // up where the browser goes to that field, and stays for some seconds.
  let growing = false;
  let grown = false;
  const grow = ({ target }) => {
    if (growing) return;
    growing = true;
    real.setTimeout(() => {
      const shown = target.getRootNode().activeElement === target;
      if (shown) pending.add(grow);
      real.setTimeout(() => {
        growing = false;
        if (shown) stirred();
        grown ||= shown;
        pending.delete(grow);
      }, shown ? BUBBLE : 0);
    }, 0);
  };
  window.addEventListener("invalid", grow, { capture: true, passive: true });
  // Whether what asks for the focus gets it before or after the page's scripts listen is a race; once they all
  // do, it tells them. Whether it had to.
  let told = false;
  const tell = () => {
    if (told) return false;
    told = true;
    const el = document.activeElement;
    if (!el?.autofocus) return false;
    el.dispatchEvent(new FocusEvent("focus"));
    el.dispatchEvent(new FocusEvent("focusin", { bubbles: true }));
    return true;
  };

  // What is watched for coming into view is told so after the frame in which it did.
  let observant = false;
  const { IntersectionObserver } = window;
  window.IntersectionObserver = class extends IntersectionObserver {
    constructor(...args) {
      super(...args);
      observant = true;
    }
  };

  // Elements with click listeners of their own. The isolated world asks for them with an event and gets
  // an event per element back, because the two worlds share the tree and nothing else.
  const PRESSED = new Set(["click", "mousedown", "mouseup", "pointerdown", "pointerup"]);
  const listening = new Set();
  let guarded = false;
  const listen = EventTarget.prototype.addEventListener;
  EventTarget.prototype.addEventListener = function (type, task, ...more) {
    if (type === "beforeunload") guarded = true;
    if (PRESSED.has(type) && task && this instanceof Element) listening.add(this);
    return listen.call(this, type, task, ...more);
  };
  const onclick = Object.getOwnPropertyDescriptor(HTMLElement.prototype, "onclick");
  Object.defineProperty(HTMLElement.prototype, "onclick", {
    ...onclick,
    set(task) {
      if (task) listening.add(this);
      onclick.set.call(this, task);
    },
  });
  // What changes what is seen and is no mutation.
  for (const type of ["scroll", "resize", "load", "error", "toggle", "focus", "blur", "input", "change"])
    listen.call(window, type, () => stirs++, { capture: true, passive: true });
  listen.call(document, "groundsmith-ask", () => {
    for (const [elements, name] of [[listening, "groundsmith-tell"], [live, "groundsmith-live"]])
      for (const element of elements) {
        if (element.isConnected) element.dispatchEvent(new Event(name, { composed: true }));
        else elements.delete(element);
      }
  });

  // What is written behind the screen. Open databases and transactions hold up settling.
  const written = new Set();
  const waiting = new Set();
  const attend = (owner, method, ends) => {
    const original = owner.prototype[method];
    owner.prototype[method] = function (...args) {
      const work = original.apply(this, args);
      waiting.add(work);
      for (const end of ends) listen.call(work, end, () => waiting.delete(work));
      return work;
    };
  };
  attend(IDBFactory, "open", ["success", "error", "blocked"]);
  attend(IDBDatabase, "transaction", ["complete", "abort", "error"]);
  for (const method of ["add", "put", "delete", "clear"]) {
    const original = IDBObjectStore.prototype[method];
    IDBObjectStore.prototype[method] = function (...args) {
      written.add(`${this.transaction.db.name}/${this.name}`);
      return original.apply(this, args);
    };
  }
  const hash = (text) => {
    let sum = 0;
    for (let at = 0; at < text.length; at++) sum = (Math.imul(sum, 31) + text.charCodeAt(at)) | 0;
    return sum;
  };
  // How many records a JSON text holds: objects, and plain values in lists; -1 where it is none.
  const recordsIn = (value) => {
    if (typeof value !== "object" || value === null) return 0;
    let count = 0;
    if (real.list(value))
      for (let at = 0; at < value.length; at++)
        count += typeof value[at] === "object" ? recordsIn(value[at]) : 1;
    else {
      const keys = real.keys(value);
      for (let at = 0; at < keys.length; at++) count += recordsIn(value[keys[at]]);
      count++;
    }
    return count;
  };
  const counted = new Map(); // texts of storage are parsed once
  const records = (key, value, sum) => {
    const known = counted.get(key);
    if (known?.sum === sum) return known.count;
    let count = -1;
    if (/^\s*[[{]/.test(value))
      try {
        count = recordsIn(real.parse(value));
      } catch {} // it only looks like JSON
    counted.set(key, { sum, count });
    return count;
  };
  const stored = (area) => {
    try {
      const store = window[area];
      const found = [];
      for (const key of real.keys(store)) {
        const value = real.items.call(store, key);
        const sum = hash(value);
        found[found.length] = [key, value.slice(0, 2000), sum, records(`${area} ${key}`, value, sum)];
      }
      return found;
    } catch {
      return []; // an opaque origin has no storage
    }
  };

  // Those that scripts may read: what a page remembers of how it is looked at.
  const cookies = () => {
    const found = [];
    try {
      for (const pair of real.cookies.call(document).split("; ")) {
        const [key, ...value] = pair.split("=");
        const text = value.join("=");
        if (key) found[found.length] = [key, text.slice(0, 2000), hash(text), -1];
      }
    } catch {} // an opaque origin has none
    return found;
  };

  const kept = () => ({
    local: stored("localStorage"),
    session: stored("sessionStorage"),
    cookie: cookies(),
  });
  const came = window === window.top ? kept() : null; // what was there when this document came

  // Whether there was motion to end; its end may set off more, with the next frame.
  const finish = () => {
    let moved = false;
    for (const motion of moving.call(document)) {
      if (motion.playState !== "running") continue;
      moved = true;
      try {
        motion.finish();
      } catch {
        motion.cancel(); // it has no end
      }
    }
    if (moved) stirs++;
    return moved;
  };
  const busy = (quiet) =>
    document.readyState !== "complete" ||
    pending.size > 0 ||
    waiting.size > 0 ||
    document.fonts.status !== "loaded" ||
    real.now() - touched < quiet;
  let foreign = false; // whether there are frames of another origin, which must be asked from outside
  const frames = () => {
    foreign = false;
    const found = [];
    for (let at = 0; at < window.length; at++) {
      try {
        if (window[at][KEY]) found[found.length] = window[at][KEY];
      } catch {
        foreign = true;
      }
    }
    return found;
  };
  // Ends all motion; whether there was any.
  const halt = () => {
    let moved = finish();
    for (const frame of frames()) moved = frame.halt() || moved;
    return moved;
  };
  const waits = (quiet) => busy(quiet) || frames().some((frame) => frame.waits(quiet));
  const roundOf = (all) => all.reduce((gone, frame) => frame.goRound() || gone, goRound());
  const oneOf = (task) => {
    let done = false;
    return () => {
      if (!done) task();
      done = true;
    };
  };
  // After the next painted frame; a page that is not painted gets no frames.
  const afterFrame = (task) => {
    const once = oneOf(task);
    real.frame(() => real.setTimeout(once, 0));
    real.setTimeout(once, 50);
  };
  // After all have been told what came into view: the last to ask is the last to be told.
  const afterViews = (task) => {
    const once = oneOf(task);
    const last = new IntersectionObserver(() => {
      last.disconnect();
      once();
    });
    last.observe(document.documentElement);
    real.setTimeout(once, 200);
  };
  const report = (calm) => {
    const indexed = [...written];
    written.clear();
    guarded ||= window.onbeforeunload !== null;
    const away = strayed();
    if (away) aim = null;
    const loaded = document.readyState === "complete";
    const told = { calm, loaded, guarded, foreign, taken, strayed: away, born, came };
    return real.json({ ...told, now: kept(), indexed, trace: mine.trace() });
  };
  const mine = {
    halt,
    waits,
    goRound: () => roundOf(frames()),
    // Counts what has changed so far: compare two readings to see whether anything did between.
    stirs: () => {
      finish();
      note(observer.takeRecords());
      return frames().reduce((sum, frame) => sum + frame.stirs(), stirs);
    },
    // Whether something is drawn over the page that its own motion says nothing of.
    grown: () => grown || frames().some((frame) => frame.grown()),
    // The same as long as nothing has changed; empty where that cannot be told.
    trace: () => {
      const [sum, fields] = [mine.stirs(), real.fields.call(document, "input, textarea, select")];
      let held = "";
      for (const field of fields) held += `${field.value}\n${field.checked}\n`;
      for (const frame of frames()) held += frame.trace();
      return foreign || mine.grown() ? "" : `${born} ${sum} ${hash(held)}`;
    },
    // Resolves after a painted frame, once nothing has moved for `quiet` ms or `cap` ms are over.
    settle: (quiet, cap) =>
      new real.Promise((resolve) => {
        const begun = real.now();
        idle = false;
        // What is drawn: how much had changed when the last frame that was waited for was asked for. Whoever
        // watches what is in view has been told by then, too.
        let drawn = -1;
        let drawing = false;
        const draw = (task) => {
          const sum = mine.stirs();
          const done = () => {
            drawn = sum;
            drawing = false;
            task();
          };
          drawing = true;
          afterFrame(observant ? () => afterViews(done) : done);
        };
        const look = () => {
          const moved = halt();
          const calm = !moved && !waits(quiet);
          const over = real.now() - begun >= cap;
          // What ends is told to the page with the next frame.
          if (moved && !over) return void afterFrame(look);
          if (calm && !over && tell()) return void afterFrame(look);
          const stale = !over && drawn !== mine.stirs();
          if (!over && (!calm || mine.goRound())) {
            if (stale && !drawing) draw(() => {}); // while it is waited for
            return void real.setTimeout(look, 8);
          }
          if (stale) return drawing ? void real.setTimeout(look, 2) : draw(look);
          idle = true;
          soon = SOON;
          fired.clear(); // what fires from now on is the doing of nobody, or of the next action
          resolve(report(calm));
        };
        draw(look);
      }),
  };
  Object.defineProperty(window, KEY, { value: mine });
})(EPOCH);

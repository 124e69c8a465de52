// Banners that ask for consent to cookies: they stand before the page on a first visit and are no part of it.
groundsmith.consent ??= (() => {
  "use strict";
  const { CONTROLS, attr, children, composedUp, kind, local, matches, rendered, role, type } = groundsmith.dom;
  const { styleOf, under } = groundsmith.places;
  const { nameOf, textOf } = groundsmith.names;

  const LONG = 3000; // characters; what says more is a page, not a banner
  const PLACES = [[0.5, 0.97], [0.5, 0.5], [0.5, 0.03], [0.03, 0.97], [0.97, 0.97], [0.25, 0.9], [0.75, 0.9]];
  const HINT = /cookie|consent|gdpr|\bcmp\b|onetrust|didomi|usercentrics/i;
  const ASKS = /cookie|gdpr|ccpa|consent to|隐私|隱私|クッキー|쿠키|куки|traceurs|galletas/i;
  const REJECT = new RegExp(
    "reject|decline|refuse|deny|disagree|(only|strictly) (necessary|essential|required)|" +
      "(necessary|essential|required)( cookies)? only|without accepting|do not (accept|consent)|no,? thanks|opt.?out|" +
      "拒绝|拒絕|不同意|仅.{0,4}必[要需]|僅.{0,4}必[要需]|ablehnen|nur .*(notwendige|erforderliche|essenzielle)|" +
      "refuser|continuer sans accepter|rechazar|solo .*necesarias|rifiuta|recusar|rejeitar|отклонить|" +
      "только необходимые|拒否|必要な.*のみ|거부|필수.*만",
    "i",
  );
  const ACCEPT = new RegExp(
    "accept|agree|allow|同意|接受|允许|允許|akzeptieren|zustimmen|einverstanden|erlauben|accepte|autoriser|acept|" +
      "permitir|accett|aceit|принять|соглас|許可|동의|수락|허용",
    "i",
  );
  const CLOSE = new RegExp(
    "^(close|dismiss|got it!?|ok(ay)?|i understand|understood|×|✕|✖|x|schließen|verstanden|fermer|compris|cerrar|" +
      "entendido|chiudi|ho capito|fechar|закрыть|понятно|关闭|關閉|(我)?知道了|好的?|閉じる|닫기|확인)$",
    "i",
  );
  const answered = new WeakSet();

  const inside = function* (el) {
    const below = local(el) === "iframe" ? el.contentDocument?.body : null;
    for (const child of below ? [below] : children(el))
      if (type(child) === 1) {
        yield child;
        yield* inside(child);
      }
  };
  const isTyped = (el) =>
    local(el) === "textarea" || local(el) === "select" || /^(text|email|search|password|tel|url)$/.test(kind(el));
  const isPressed = (el) => local(el) === "a" || role(el) === "button" || CONTROLS.has(role(el)) || attr(el, "onclick");
  const isBanner = (el) => {
    const { position } = styleOf(el);
    if (position === "fixed" || position === "sticky" || /dialog/.test(role(el)) || local(el) === "iframe") return true;
    return HINT.test(`${attr(el, "id")} ${attr(el, "class")}`);
  };
  // What a banner offers to press, or nothing where it is none.
  const answersOf = (el) => {
    const body = local(el) === "iframe" ? el.contentDocument?.body : el;
    const text = body ? textOf(body) : "";
    if (text.length > LONG || !ASKS.test(text)) return [];
    const found = [];
    for (const each of inside(el)) {
      if (isTyped(each)) return [];
      if (isPressed(each) && rendered(each, { visibilityProperty: true }) && !matches(each, ":disabled"))
        found.push({ el: each, says: nameOf(each, "button") });
    }
    return found.some(({ says }) => REJECT.test(says) || ACCEPT.test(says) || CLOSE.test(says)) ? found : [];
  };
  const look = () => {
    for (const [across, down] of PLACES) {
      let [banner, answers] = [null, []];
      let at = under(document, innerWidth * across, innerHeight * down);
      // The outermost that is nothing but the banner: its backdrop belongs to it.
      for (; at && type(at) === 1 && at !== document.body; at = composedUp(at)) {
        const found = isBanner(at) ? answersOf(at) : [];
        if (found.length) [banner, answers] = [at, found];
      }
      if (banner) return { banner, answers };
    }
    return { banner: null, answers: [] };
  };
  const choose = (answers, choice) => {
    const says = (pattern, not) => answers.find((each) => pattern.test(each.says) && !not?.test(each.says));
    return choice === "accept" ? (says(ACCEPT, REJECT) ?? says(CLOSE)) : (says(REJECT) ?? says(CLOSE));
  };

  // The banner before the page, if there is one. With a `choice` it is pressed away, where it lets one choose
  // so and was not asked before: `pressed` says whether it was.
  const meet = (choice) => {
    const { banner, answers } = look();
    const el = choice ? choose(answers, choice)?.el : null;
    const pressed = Boolean(el) && !answered.has(el);
    if (pressed) {
      answered.add(el);
      el.click();
    }
    return { banner, pressed };
  };

  return { meet };
})();

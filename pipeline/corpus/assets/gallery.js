// Filters on the index, links to one execution or step, and enlarged screenshots. Pages work without it.
"use strict";

(() => {
  const form = document.getElementById("filters");
  if (form) filters(form);
  const lightbox = document.getElementById("lightbox");
  if (lightbox) task(lightbox);

  function filters(form) {
    const cards = [...document.querySelectorAll("#cards > .task")];
    const selects = [...form.querySelectorAll("select")];
    const texts = new Map(cards.map((card) => [card, `${card.textContent} ${card.id}`.toLowerCase()]));
    const saved = new URLSearchParams(location.search);
    for (const field of form.elements) if (field.name && saved.has(field.name)) field.value = saved.get(field.name);

    function apply() {
      const words = form.elements.text.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      for (const card of cards) {
        const fits = selects.every((select) => !select.value || card.dataset[select.name] === select.value)
          && words.every((word) => texts.get(card).includes(word));
        card.hidden = !fits;
        card.style.display = fits ? "" : "none";
        shown += fits ? 1 : 0;
      }
      document.getElementById("shown").textContent = `${shown} of ${cards.length} shown`;
      document.getElementById("none").hidden = shown > 0;
      const chosen = new URLSearchParams([...new FormData(form)].filter(([, value]) => value));
      try {
        history.replaceState(null, "", `?${chosen}${location.hash}`);
      } catch {
        // Some browsers refuse this on file pages; the filters work all the same.
      }
    }
    form.addEventListener("input", apply);
    form.addEventListener("submit", (event) => event.preventDefault());
    apply();
  }

  function task(lightbox) {
    for (const screen of document.querySelectorAll(".step .screen")) {
      screen.addEventListener("click", () => {
        lightbox.firstElementChild.replaceChildren(screen.cloneNode(true));
        lightbox.showModal();
      });
    }
    lightbox.addEventListener("click", () => lightbox.close());
    const open = () => {
      const name = decodeURIComponent(location.hash.slice(1));
      const there = name && document.getElementById(name);
      const steps = there && (there.closest(".steps") || document.querySelector(`.steps[data-run="${[...document.querySelectorAll(".tabs > label")].indexOf(there) + 1}"]`));
      if (!steps) return;
      document.getElementById(`run${steps.dataset.run}`).checked = true;
      there.scrollIntoView();
    };
    window.addEventListener("hashchange", open);
    open();
  }
})();

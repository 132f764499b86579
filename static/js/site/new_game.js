// @ts-check
// Hides what the chosen opponent makes pointless. Without this module all fields show, and the server ignores them.

const form = /** @type {HTMLFormElement} */ (document.querySelector(".new-game"));

function show() {
  const opponent = String(new FormData(form).get("opponent"));
  for (const part of form.querySelectorAll("[data-for]")) {
    const wanted = /** @type {HTMLElement} */ (part).dataset.for?.split(" ") ?? [];
    part.toggleAttribute("hidden", !wanted.includes(opponent));
  }
}

form.addEventListener("change", show);
show();

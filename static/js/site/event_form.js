// @ts-check
// Hides what the chosen format has no use for. Without this module all fields show, and the server ignores them.

const form = /** @type {HTMLFormElement} */ (document.querySelector(".event-form"));

function show() {
  const format = String(new FormData(form).get("format"));
  for (const part of form.querySelectorAll("[data-for]")) {
    const wanted = /** @type {HTMLElement} */ (part).dataset.for?.split(" ") ?? [];
    part.toggleAttribute("hidden", !wanted.includes(format));
  }
}

form.addEventListener("change", show);
show();

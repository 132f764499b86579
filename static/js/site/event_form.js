// @ts-check
// Hides what has no use for what was chosen: of other formats, of titles that are not played, of ticks that are not set. Without this module all fields show, and the server ignores them.

const form = /** @type {HTMLFormElement} */ (document.querySelector(".event-form"));

function show() {
  const chosen = new FormData(form),
    format = String(chosen.get("format"));
  for (const part of form.querySelectorAll("[data-for]")) {
    const wanted = /** @type {HTMLElement} */ (part).dataset.for?.split(" ") ?? [];
    part.toggleAttribute("hidden", !wanted.includes(format));
  }
  const played = new Set([...chosen.keys()].filter((name) => name.startsWith("board.")).map((name) => name.split(".")[1]));
  for (const part of form.querySelectorAll("[data-title]")) part.toggleAttribute("hidden", !played.has(/** @type {HTMLElement} */ (part).dataset.title ?? ""));
  for (const part of form.querySelectorAll("[data-when]")) {
    const [name, value] = (/** @type {HTMLElement} */ (part).dataset.when ?? "").split(" ");
    part.toggleAttribute("hidden", chosen.get(name) !== value);
  }
}

form.addEventListener("change", show);
show();

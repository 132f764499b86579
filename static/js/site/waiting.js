// @ts-check
// Opens the game as soon as it begins. Without this module the page is reloaded by hand.

const EVERY = 4000; // ms
const note = /** @type {HTMLElement | null} */ (document.querySelector("[data-wait]"));

async function look() {
  const answer = await fetch(note?.dataset.wait ?? "").catch(() => null);
  if (answer?.ok && (await answer.json()).state !== "open") location.assign(note?.dataset.then ?? "/");
  else setTimeout(look, EVERY);
}

if (note) setTimeout(look, EVERY);

// @ts-check
// Buttons that copy a field. Where a browser can't (no https), they stay hidden and the field is copied by hand.

for (const found of document.querySelectorAll("button[data-copy]")) {
  const button = /** @type {HTMLButtonElement} */ (found);
  const field = /** @type {HTMLInputElement} */ (document.querySelector(button.dataset.copy ?? ""));
  button.hidden = !navigator.clipboard;
  button.addEventListener("click", async () => {
    field.select();
    await navigator.clipboard.writeText(field.value);
    button.textContent = button.dataset.done ?? "";
  });
}

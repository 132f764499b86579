// @ts-check
// The result card: the dice are checked here, and a board is made of the game's end.
import { request } from "../game/api.js";
import { exchanged } from "../game/dice.js";
import { whatIf } from "../game/what_if.js";
import { checked } from "./check_dice.js";

const output = /** @type {HTMLOutputElement} */ (document.getElementById("checked"));

/** @param {HTMLButtonElement} button @param {(game: string) => Promise<void>} act @param {string} game */
function does(button, act, game) {
  button.addEventListener("click", async () => {
    button.disabled = true;
    await act(game).catch(() => (output.textContent = output.dataset.failed ?? ""));
    button.disabled = false;
  });
}

/** @param {string} game */
async function check(game) {
  const file = await request(`/api/games/${game}/export`);
  const other = exchanged(game, Object.keys(file.seats), file.dice);
  const { rolls, faults } = checked(file, other ? [other] : []);
  const { fits = "", none = "", wrong = "" } = output.dataset;
  output.className = faults.length ? "wrong" : "fits";
  output.textContent = faults.length ? `${wrong} ${faults.slice(0, 12).join(", ")}` : rolls ? fits.replace("{n}", String(rolls)) : none;
}

for (const found of document.querySelectorAll("[data-check]")) {
  const button = /** @type {HTMLButtonElement} */ (found);
  does(button, check, button.dataset.check ?? "");
}
for (const found of document.querySelectorAll("[data-try]")) {
  const button = /** @type {HTMLButtonElement} */ (found);
  does(button, (game) => whatIf(game, null), button.dataset.try ?? "");
}

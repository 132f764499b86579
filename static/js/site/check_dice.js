// @ts-check
// The dice of a finished game made again from what was sealed, as the first half of `mariscal verify-dice` does
// (docs/protocol.md section 9). Its other half runs the record again by the rules; a browser does not have them.
import { hex, sha256Plain, unhex } from "../game/sha256.js";

/** @typedef {{seed_hash: string, seed: string, seats: Record<string, {hash: string | null, nonce: string | null}>, order: string[], first_roll: number}} Sealing */
/** @typedef {{seq: number, kind: string, roll_no: number | null, sides?: number, answer: any, told: Record<string, any[]>}} Entry */
/** @typedef {{dice: Sealing & {before?: Sealing[]}, entries: Entry[], rolls?: number, seats: Record<string, any>}} Export */

const CHANCE = ["roll", "draw"];
const BLOCK = 64;
const MOST_SIDES = 2 ** 32;

/** @param {Uint8Array[]} parts */
function joined(...parts) {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

/** HMAC with SHA-256 (RFC 2104), for keys of a block at most. @param {Uint8Array} key @param {Uint8Array} message */
export function hmac(key, message) {
  const pad = (/** @type {number} */ sign) => Uint8Array.from({ length: BLOCK }, (_, i) => (key[i] ?? 0) ^ sign);
  return sha256Plain(joined(pad(0x5c), sha256Plain(joined(pad(0x36), message))));
}

/** Roll `number` of a key, in 0..sides-1; `die`: which of several. @param {Uint8Array} key @param {number} number @param {number} sides @param {number} die */
function value(key, number, sides, die) {
  const all = 1n << 64n,
    limit = (all / BigInt(sides)) * BigInt(sides);
  for (let attempt = 0; ; attempt++) {
    const name = die ? `${number}.${die}` : `${number}`;
    const block = hmac(key, new TextEncoder().encode(`${name}:${attempt}`));
    const drawn = BigInt(`0x${hex(block.slice(0, 8))}`);
    if (drawn < limit) return Number(drawn % BigInt(sides));
  }
}

/** Whether a roll is what its key gives. @param {Uint8Array} key @param {Entry} entry */
function fits(key, { roll_no, sides, answer }) {
  const number = Number(roll_no);
  const possible = (/** @type {number} */ n) => Number.isInteger(n) && n >= 1 && n <= MOST_SIDES;
  if (typeof answer === "number") return possible(Number(sides)) && value(key, number, Number(sides), 0) === answer; // of the first records
  const { low, high, faces } = answer;
  if (!possible(high - low + 1) || !faces.length) return false;
  return faces.every((/** @type {number} */ face, /** @type {number} */ die) => low + value(key, number, high - low + 1, die) === face);
}

/** @param {string} number in hex */
const hashOf = (number) => hex(sha256Plain(unhex(number)));

/** What is wrong with one sealing and the rolls made under it. @param {Sealing} sealing @param {Entry[]} rolls @param {string[]} seats @returns {string[]} */
function sealed(sealing, rolls, seats) {
  const faults = [];
  if (hashOf(sealing.seed) !== sealing.seed_hash) faults.push("seed");
  if (`${Object.keys(sealing.seats).sort()}` !== `${seats}` || `${[...sealing.order].sort()}` !== `${seats}`) return [...faults, "seats"];
  for (const [seat, { hash, nonce }] of Object.entries(sealing.seats)) if (nonce !== null && hashOf(nonce) !== hash) faults.push(seat);
  const nonces = sealing.order.map((seat) => sealing.seats[seat].nonce);
  if (nonces.includes(null)) return rolls.length ? [...faults, "unsealed"] : faults;
  const key = sha256Plain(joined(unhex(sealing.seed), ...nonces.map((nonce) => unhex(nonce ?? ""))));
  return [...faults, ...rolls.filter((entry) => !fits(key, entry)).map((entry) => `#${entry.seq}`)];
}

/**
 * How many rolls were made again, and what does not fit.
 * @param {Export} file @param {string[]} [seen] hashes of seeds that this browser was shown
 * @returns {{rolls: number, faults: string[]}}
 */
export function checked(file, seen = []) {
  if (!file.dice.seed) return { rolls: 0, faults: ["seed"] };
  const faults = file.entries.filter((e) => (e.roll_no !== null) !== CHANCE.includes(e.kind)).map((e) => `#${e.seq}`);
  if (file.entries.some((e, i) => e.seq !== i + 1) || file.entries[0]?.kind !== "start") faults.push("entries");
  const rolls = file.entries.filter((e) => CHANCE.includes(e.kind) && e.roll_no !== null);
  if (rolls.some((e, i) => e.roll_no !== i) || (file.rolls ?? rolls.length) !== rolls.length) faults.push("order");
  const sealings = [...(file.dice.before ?? []), file.dice];
  const firsts = sealings.map((one) => one.first_roll);
  if (firsts.some((n, i) => i && n < firsts[i - 1]) || (rolls.length && firsts[0] !== 0)) faults.push("sealings");
  const known = sealings.map((one) => one.seed_hash);
  const begun = file.entries[0]?.told.all?.[0]?.data.seed_hash;
  if (begun !== undefined && begun !== known[0]) faults.push("seed");
  faults.push(...seen.filter((hash) => !known.includes(hash)));
  const seats = Object.keys(file.seats).sort();
  sealings.forEach((one, i) => {
    const mine = rolls.filter((e) => Number(e.roll_no) >= one.first_roll && Number(e.roll_no) < (firsts[i + 1] ?? rolls.length));
    faults.push(...sealed(one, mine, seats));
  });
  return { rolls: rolls.length, faults };
}

// @ts-check
// The search of the rules page: clauses and tables that hold every word typed stay, and their words are marked.

const box = /** @type {HTMLElement} */ (document.querySelector('.find'))
const input = /** @type {HTMLInputElement} */ (box.querySelector('input'))
const output = /** @type {HTMLOutputElement} */ (box.querySelector('output'))
/** @type {{part: Element, words: string}[]} read when somebody is about to search: the page comes first */
let parts = []
/** @type {Element[]} */
let chapters = []

function read() {
  if (parts.length) return
  parts = [...document.querySelectorAll('.clause')].map((part) => ({ part, words: plain(part.textContent ?? '') }))
  chapters = [...document.querySelectorAll('.chapter')].filter((chapter) => chapter.querySelector('.clause'))
}

/** Small letters without accents. @param {string} text */
function plain(text) {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

function find() {
  read()
  const wanted = plain(input.value).split(/\s+/).filter(Boolean)
  let found = 0
  for (const { part, words } of parts) {
    const here = wanted.every((word) => words.includes(word))
    part.toggleAttribute('hidden', !here)
    if (here) found += 1
  }
  for (const chapter of chapters) chapter.toggleAttribute('hidden', !chapter.querySelector('.clause:not([hidden])'))
  output.value = wanted.length ? String(found) : ''
}

box.hidden = false
input.addEventListener('focus', read)
input.addEventListener('input', find)
// a link from one clause to another that the search hides shows everything again
addEventListener('hashchange', () => {
  const at = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  if (!at?.closest('[hidden]')) return
  input.value = ''
  find()
  at.scrollIntoView()
})

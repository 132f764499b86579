// @ts-check
// Offers the browser's own time zone to one who has chosen none.

const zone = /** @type {HTMLSelectElement | null} */ (document.querySelector('select[data-guess]'))
const here = Intl.DateTimeFormat().resolvedOptions().timeZone
if (zone && [...zone.options].some((option) => option.value === here)) zone.value = here

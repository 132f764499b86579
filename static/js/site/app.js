// @ts-check
// Lets a browser install the site as an app. Without service workers nothing is missing but the page shown offline.

addEventListener('load', () => navigator.serviceWorker?.register('/sw.js').catch(() => undefined))
if (document.querySelector('[data-badge], [data-game]')) import('../notices/badge.js').catch(() => undefined)
document.querySelector('[data-again]')?.addEventListener('click', () => location.reload())

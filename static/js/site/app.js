// @ts-check
// Lets a browser install the site as an app, and tells the time zone for the times on pages. Without service workers
// nothing is missing but the page shown offline.

const AFTER_THE_GAME = 2000 // ms after a game's first view, which comes first

document.cookie = `zone=${Intl.DateTimeFormat().resolvedOptions().timeZone};path=/;max-age=31536000;samesite=lax`
addEventListener('load', () => navigator.serviceWorker?.register('/sw.js').catch(() => undefined))
const news = () => import('../notices/badge.js').catch(() => undefined)
if (document.querySelector('[data-badge]')) news()
else if (document.querySelector('[data-game]')) addEventListener('shown', () => setTimeout(news, AFTER_THE_GAME), { once: true })
document.querySelector('[data-again]')?.addEventListener('click', () => location.reload())

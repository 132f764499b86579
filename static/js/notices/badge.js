// @ts-check
// Tells the server that its reader is here, and shows how much waits. Without this module the list itself tells.

const GAME = /^\/games\/([a-z0-9]+)/
const link = document.querySelector('[data-badge]')

async function visit() {
  const game = GAME.exec(location.pathname)?.[1]
  const answer = await fetch('/api/notices/visit', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(game && game !== 'new' ? { game } : {}),
  }).catch(() => null)
  if (!answer?.ok) return
  const { waiting, news } = await answer.json()
  const all = waiting + news
  if (all) navigator.setAppBadge?.(all).catch(() => undefined)
  else navigator.clearAppBadge?.().catch(() => undefined)
  const shown = link?.querySelector('.badge')
  if (shown) {
    shown.textContent = String(all)
    shown.toggleAttribute('hidden', !all)
  }
}

// A tab that was opened behind others has shown nobody anything: what it would tell must still be sent.
const inSight = () => document.visibilityState === 'visible' && visit()

inSight()
document.addEventListener('visibilitychange', inSight)

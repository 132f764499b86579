// @ts-check
// The page of notification settings: asks this browser for push messages, and tells its time zone. Without this module
// both are left out, and all the rest works.

/** @param {string} key base64url */
function bytes(key) {
  const plain = atob(key.replaceAll('-', '+').replaceAll('_', '/').padEnd(Math.ceil(key.length / 4) * 4, '='))
  return Uint8Array.from(plain, (sign) => sign.charCodeAt(0))
}

/** "Firefox, Android": enough to tell one's devices apart. */
function device() {
  const agent = navigator.userAgent
  const browser = /Edg|OPR|Firefox|Chrome|Safari/.exec(agent)?.[0] ?? ''
  const system = /Android|iPhone|iPad|Windows|Mac OS|Linux/.exec(agent)?.[0] ?? ''
  return [browser, system].filter(Boolean).join(', ')
}

/** @param {string} key */
async function subscribe(key) {
  if ((await Notification.requestPermission()) !== 'granted') throw new Error('not allowed')
  const { pushManager } = await navigator.serviceWorker.ready
  await (await pushManager.getSubscription())?.unsubscribe()
  const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(key) })
  const { endpoint, keys } = made.toJSON()
  const answer = await fetch('/api/account/push', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ endpoint, keys, name: device() }),
  })
  if (!answer.ok) throw new Error((await answer.json()).error.text)
}

const push = /** @type {HTMLButtonElement | null} */ (document.querySelector('[data-push]'))
const said = document.querySelector('[data-said]')
if (push && said && 'PushManager' in window && navigator.serviceWorker) {
  push.hidden = false
  push.addEventListener('click', async () => {
    push.disabled = true
    try {
      await subscribe(push.dataset.push ?? '')
      location.assign('/account/notifications?done=channel#channels')
    } catch (fault) {
      said.textContent = `${push.dataset.failed} (${/** @type {Error} */ (fault).message})`
      push.disabled = false
    }
  })
}

const zone = /** @type {HTMLInputElement | null} */ (document.querySelector('#zone'))
const here = /** @type {HTMLButtonElement | null} */ (document.querySelector('[data-zone]'))
const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
if (zone && here && timeZone && zone.value !== timeZone) {
  here.hidden = false
  here.textContent = `${here.textContent}: ${timeZone}`
  here.addEventListener('click', () => {
    zone.value = timeZone
    here.hidden = true
  })
}

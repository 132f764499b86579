// @ts-check
// Still pictures of a position, as SVG or PNG.
import { button, h } from './dom.js'

const LARGEST = 4096 // pixels of the longer side

/**
 * @param {import('./decision.js').Ctx} ctx
 * @param {{url: string, name: string}} of the SVG's address, and the file's name without an ending
 */
export function offerPicture(ctx, { url, name }) {
  const t = ctx.texts
  const box = /** @type {HTMLDialogElement} */ (
    h(
      'dialog.ask-box',
      {},
      h('h2', {}, t.t('game.picture.title')),
      h('p', {}, t.t('game.picture.text')),
      h(
        'div.acts',
        {},
        button(t.t('game.cancel'), () => box.close(), { class: 'quiet' }),
        h('a.button', { href: url, download: `${name}.svg`, data: { key: 'picture-svg' } }, 'SVG'),
        button(
          'PNG',
          async () => {
            box.classList.add('busy')
            await savePng(url, `${name}.png`).catch(() => ctx.toast(t.t('game.picture.failed')))
            box.close()
          },
          { class: 'go', key: 'picture-png' },
        ),
      ),
    )
  )
  box.addEventListener('close', () => box.remove())
  document.body.append(box)
  box.showModal()
}

/** @param {string} url @param {string} name */
async function savePng(url, name) {
  const response = await fetch(url, { credentials: 'same-origin' })
  if (!response.ok) throw new Error(String(response.status))
  const image = new Image()
  image.src = `data:image/svg+xml;base64,${base64(new Uint8Array(await response.arrayBuffer()))}`
  await image.decode()
  const scale = Math.min(2, LARGEST / Math.max(image.naturalWidth, image.naturalHeight))
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(image.naturalWidth * scale)
  canvas.height = Math.round(image.naturalHeight * scale)
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
  const blob = await new Promise((done) => canvas.toBlob(done, 'image/png'))
  const link = h('a', { href: URL.createObjectURL(blob), download: name })
  link.click()
  setTimeout(() => URL.revokeObjectURL(/** @type {HTMLAnchorElement} */ (link).href), 60_000)
}

/** @param {Uint8Array} bytes */
function base64(bytes) {
  let text = ''
  for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000))
  return btoa(text)
}

// @ts-check
// The service worker: without a connection a page says so; push messages are shown. It keeps nothing of any game, and
// touches no other request.

/** @type {any} */
const worker = self
/** @type {{build: string, files: string[], icon: string}} put in front by the server */
const { build, files, icon } = worker.KEPT

worker.addEventListener('install', (/** @type {any} */ e) => {
  e.waitUntil(caches.open(build).then((kept) => kept.addAll(files)).then(() => worker.skipWaiting()))
})

worker.addEventListener('activate', (/** @type {any} */ e) => {
  const old = caches.keys().then((names) => Promise.all(names.filter((name) => name !== build).map((name) => caches.delete(name))))
  e.waitUntil(old)
})

worker.addEventListener('push', (/** @type {any} */ e) => {
  const { title, body, path, tag, image } = e.data.json()
  e.waitUntil(worker.registration.showNotification(title, { body, tag, image, renotify: true, icon, data: path }))
})

worker.addEventListener('notificationclick', (/** @type {any} */ e) => {
  e.notification.close()
  const there = new URL(e.notification.data, worker.location.origin).href
  e.waitUntil(
    worker.clients.matchAll({ type: 'window' }).then((/** @type {any[]} */ open) => {
      const shown = open.find(({ url }) => url === there)
      return shown ? shown.focus() : worker.clients.openWindow(there)
    }),
  )
})

worker.addEventListener('fetch', (/** @type {any} */ e) => {
  const { request } = e
  const { pathname } = new URL(request.url)
  if (request.mode === 'navigate') e.respondWith(fetch(request).catch(() => caches.match('/offline')))
  else if (pathname !== '/offline' && files.includes(pathname)) e.respondWith(caches.match(request).then((kept) => kept ?? fetch(request)))
})

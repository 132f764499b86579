// @ts-check
// The service worker: without a connection a page says so. It keeps nothing of any game, and touches no other request.

/** @type {any} */
const worker = self
/** @type {{build: string, files: string[]}} put in front by the server */
const { build, files } = worker.KEPT

worker.addEventListener('install', (/** @type {any} */ e) => {
  e.waitUntil(caches.open(build).then((kept) => kept.addAll(files)).then(() => worker.skipWaiting()))
})

worker.addEventListener('activate', (/** @type {any} */ e) => {
  const old = caches.keys().then((names) => Promise.all(names.filter((name) => name !== build).map((name) => caches.delete(name))))
  e.waitUntil(old)
})

worker.addEventListener('fetch', (/** @type {any} */ e) => {
  const { request } = e
  const { pathname } = new URL(request.url)
  if (request.mode === 'navigate') e.respondWith(fetch(request).catch(() => caches.match('/offline')))
  else if (pathname !== '/offline' && files.includes(pathname)) e.respondWith(caches.match(request).then((kept) => kept ?? fetch(request)))
})

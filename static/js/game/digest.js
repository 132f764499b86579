// @ts-check
// The fingerprint of a view: XOR over its fragments of CRC-32 of `KEY \n canonical JSON`.

const TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  for (let k = 0; k < 8; k++) n = n & 1 ? (n >>> 1) ^ 0xedb88320 : n >>> 1
  return n
})
const encoder = new TextEncoder()

/** CRC-32 (IEEE) of a text's UTF-8 bytes, unsigned. @param {string} text */
export function crc32(text) {
  let crc = 0xffffffff
  for (const byte of encoder.encode(text)) crc = TABLE[(crc ^ byte) & 0xff] ^ (crc >>> 8)
  return (crc ^ 0xffffffff) >>> 0
}

/** JSON with sorted keys, no spaces, non-ASCII raw. @param {any} value @returns {string} */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (value && typeof value === 'object')
    return `{${Object.keys(value)
      .sort()
      .map((k) => `${JSON.stringify(k)}:${canonical(value[k])}`)
      .join(',')}}`
  return JSON.stringify(value)
}

/** @param {string} key @param {any} content */
export const fragmentCrc = (key, content) => crc32(`${key}\n${canonical(content)}`)

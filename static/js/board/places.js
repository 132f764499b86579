// @ts-check
/** The places of a map of any kind; what only some kinds need is loaded with them. */
import { hexPlaces } from './geometry.js'

/**
 * @param {any} map  map.json @param {Record<string, {face?: string}>} units
 * @returns {Promise<import('./geometry.js').Places>}
 */
export async function placesOf(map, units) {
  if (map.kind === 'points') return (await import('./points.js')).pointPlaces(map)
  if (map.kind === 'areas') return (await import('./areas.js')).areaPlaces(map)
  const formed = Object.values(units).some((unit) => unit.face === 'formation')
  return formed ? (await import('./troops.js')).withTroops(hexPlaces(map), units) : hexPlaces(map)
}

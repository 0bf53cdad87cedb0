/** The options that describe the input audio and the coding. */
export const soundOptions = [
  'sampleRate', 'channels', 'bitrate', 'rateControl', 'effort', 'profile',
]
/** The names of all modules, so that the same options can be passed to every function that loads modules. */
export const moduleNames = ['encoder', 'samples', 'decoder', 'sound', 'inspector']
export const decoderOptions = ['dynamicRange', 'parametricStereo']

/** Throws a TypeError for an option that is not in `names`; the message suggests the nearest name. */
export function checkNames(options, names) {
  if (options === undefined || options === null) return
  if (typeof options !== 'object') throw new TypeError('Options must be an object.')
  for (const name of Object.keys(options)) {
    if (names.includes(name)) continue
    const nearest = nearestName(name, names)
    const hint = nearest ? ` Did you mean “${nearest}”?` : ''
    throw new TypeError(`There is no option “${name}”.${hint} The options are: ${names.join(', ')}.`)
  }
}

/** Returns the name with the fewest different letters; undefined if most letters of each name differ. */
function nearestName(name, names) {
  let nearest
  let least = Math.max(2, name.length / 2)
  for (const candidate of names) {
    const changes = distance(name.slice(0, 40).toLowerCase(), candidate.toLowerCase())
    if (changes > least || nearest !== undefined && changes === least) continue
    nearest = candidate
    least = changes
  }
  return nearest
}

/** The number of letters to insert, remove or replace (Levenshtein). */
function distance(from, to) {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 0; i < from.length; i++) {
    const next = [i + 1]
    for (let j = 0; j < to.length; j++) {
      const replaced = row[j] + (from[i] === to[j] ? 0 : 1)
      next.push(Math.min(replaced, row[j + 1] + 1, next[j] + 1))
    }
    row = next
  }
  return row[to.length]
}

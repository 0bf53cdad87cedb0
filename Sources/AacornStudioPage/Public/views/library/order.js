/** Which recordings are shown, in which order. */

const byName = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })
const named = (a, b) => byName.compare(a.name, b.name)

/** The orders to choose from. */
export const orders = {
  newest: { title: 'Newest first', compare: (a, b) => b.modified - a.modified || named(a, b) },
  oldest: { title: 'Oldest first', compare: (a, b) => a.modified - b.modified || named(a, b) },
  name: { title: 'Name', compare: named },
  longest: {
    title: 'Longest first',
    compare: (a, b) => (b.seconds ?? -1) - (a.seconds ?? -1) || named(a, b)
  },
  largest: { title: 'Largest first', compare: (a, b) => b.bytes - a.bytes || named(a, b) }
}

/** The recordings whose names have every word of `search`, sorted. */
export function arranged(recordings, search, order) {
  const words = plain(search).split(/\s+/).filter(Boolean)
  const found = recordings.filter(recording => {
    const name = plain(recording.name)
    return words.every(word => name.includes(word))
  })
  return found.sort((orders[order] ?? orders.newest).compare)
}

/** Small letters without accents, so that “zoe” finds “Zoë”. */
function plain(text) {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}

/** A name in two parts: what people choose, and the suffix, which says what the file is. */
export function splitName(name) {
  const dot = name.lastIndexOf('.')
  return dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
}

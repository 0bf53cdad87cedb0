/** The selection and order of recordings. */

const byName = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })
const named = (a, b) => byName.compare(a.name, b.name)

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

/** Returns the recordings with every word of `search` in their names, sorted. */
export function arranged(recordings, search, order) {
  const words = plain(search).split(/\s+/).filter(Boolean)
  const found = recordings.filter(recording => {
    const name = plain(recording.name)
    return words.every(word => name.includes(word))
  })
  return found.sort((orders[order] ?? orders.newest).compare)
}

/** Converts text to lowercase without accents, so that “zoe” finds “Zoë”. */
function plain(text) {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}

/** Splits a name into the part that the user can change and the suffix, which identifies the format. */
export function splitName(name) {
  const dot = name.lastIndexOf('.')
  return dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
}

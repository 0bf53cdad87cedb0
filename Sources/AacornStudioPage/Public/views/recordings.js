// The recordings of the library: their addresses, their selection and order, and their names.

export const recordingAddress = name => `/recordings/${encodeURIComponent(name)}`

/** Sends the studio a request to change a file of a collection, such as to `rename` a recording. */
export const request = (studio, collection, id, action, fields) => (
  studio.post(`/api/${collection}/${encodeURIComponent(id)}/${action}`, fields))

/** Returns the link that opens a recording in the Inspect view. */
export const inspectAddress = name => `#inspect/${encodeURIComponent(name)}`

/** Returns the recording in the page's address, or null. */
export function inspectedName() {
  const [view, ...rest] = location.hash.slice(1).split('/')
  if (view !== 'inspect' || rest.length === 0) return null
  try {
    return decodeURIComponent(rest.join('/')) || null
  } catch {
    return null
  }
}

/** The label of a recording that was not completed but is otherwise intact, and the kind of its badge. */
export const unfinishedBadge = ['Not finished', 'accent']

const formats = new Set(['m4a', 'mp4', 'm4b', 'mov', 'aac', 'adts', 'latm', 'loas'])

/** Whether a recording can be repaired, and no repair has made a file from it. */
export const canRepair = ({ status, repairedName }) => (
  ['unfinished', 'damaged'].includes(status) && !repairedName)

export const canInspect = recording => formats.has(recording.format)

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
const plain = text => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

/** Splits a name into the part that the user can change and the suffix, which identifies the format. */
export function splitName(name) {
  const dot = name.lastIndexOf('.')
  return dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
}

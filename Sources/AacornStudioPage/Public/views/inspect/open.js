/** The addresses of recordings in the studio's library. */

export function recordingAddress(name) {
  return `/recordings/${encodeURIComponent(name)}`
}

/** Returns the link that opens a recording in the Inspect view. */
export function inspectAddress(name) {
  return `#inspect/${encodeURIComponent(name)}`
}

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

const formats = new Set(['m4a', 'mp4', 'm4b', 'mov', 'aac', 'adts', 'latm', 'loas'])

export function canInspect(recording) {
  return formats.has(recording.format)
}

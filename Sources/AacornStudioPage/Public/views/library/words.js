import { ago, bitrate, clock, count, frequency, size } from '../../format.js'

/** A file that somebody still writes. */
const closed = { isBusy: true, isSilent: true, hasNoWave: true }

/**
 * What a status is called, the kinds of its badge, and what can be done: a busy file cannot be
 * changed, a silent one has no sound to play, one without a wave has none to be asked for.
 */
const statuses = {
  fine: {},
  unknown: { word: 'Checking', kind: '', hasNoWave: true },
  recording: { word: 'Recording', kind: 'danger live', ...closed },
  growing: { word: 'Being written', kind: 'accent', ...closed },
  uploading: { word: 'Uploading', kind: 'accent', ...closed },
  damaged: { word: 'Damaged', kind: 'warning', canRepair: true },
  quarantined: {
    word: 'In quarantine', kind: 'danger', canRetry: true, isSilent: true, hasNoWave: true
  },
  unreadable: { word: 'Not readable', kind: 'danger', isSilent: true, hasNoWave: true }
}

/** What a recording's status means. */
export function statusOf(recording) {
  return statuses[recording.status] ?? {}
}

/** The badges of a recording: words and their kinds. */
export function badges(recording) {
  const list = []
  const { word, kind } = statusOf(recording)
  if (word) list.push([word, kind])
  if (recording.gapCount > 0) list.push([count(recording.gapCount, 'gap'), 'warning'])
  return list
}

/** A path with its middle left out if it is long: its beginning and its end say the most. */
export function shortPath(path, limit = 44) {
  const letters = [...path]
  if (letters.length <= limit) return path
  const front = Math.floor(limit / 3)
  return `${letters.slice(0, front).join('')}…${letters.slice(front + 1 - limit).join('')}`
}

/** Names of files that are not shown, at most. */
const otherLimit = 5

/** Which sound and video the folder holds that the library does not show; empty if there is none. */
export function othersSentence({ otherCount = 0, others = [] }) {
  if (otherCount === 0) return ''
  const names = others.slice(0, otherLimit)
  const rest = otherCount - names.length
  if (rest > 0) names.push(`${rest} more`)
  const last = names.pop()
  const list = names.length > 0 ? `${names.join(', ')} and ${last}` : last
  const start = otherCount === 1
    ? '1 file in the folder has another format and is not shown'
    : `${otherCount} files in the folder have other formats and are not shown`
  return `${start}: ${list}. The library supports M4A, AAC, LATM, WAV, AIFF and CAF.`
}

/** What a recording is, piece by piece. */
export function pieces(recording) {
  const channels = { 1: 'mono', 2: 'stereo' }[recording.channels]
  const list = [ago(recording.modified)]
  if (recording.seconds !== null) list.push(clock(recording.seconds))
  list.push(recording.format.toUpperCase())
  if (recording.sampleRate > 0) list.push(frequency(recording.sampleRate))
  if (recording.channels > 0) list.push(channels ?? count(recording.channels, 'channel'))
  if (recording.bitrate > 0) list.push(bitrate(recording.bitrate))
  list.push(size(recording.bytes))
  return list
}

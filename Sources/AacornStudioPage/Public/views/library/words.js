import { ago, bitrate, channelCount, clock, count, frequency, size } from '../../format.js'

/** The restrictions of a file that is being written. */
const closed = { isBusy: true, isSilent: true, hasNoWave: true }

/**
 * The label of each status, the kinds of its badge, and the possible actions: a busy file cannot be changed, a
 * silent file has no audio to play, a file with `hasNoWave` has no waveform to request.
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

export function statusOf(recording) {
  return statuses[recording.status] ?? {}
}

/** Returns the badges of a recording: labels and their kinds. */
export function badges(recording) {
  const list = []
  const { word, kind } = statusOf(recording)
  if (word) list.push([word, kind])
  if (recording.gapCount > 0) list.push([count(recording.gapCount, 'gap'), 'warning'])
  return list
}

/** Shortens a long path in the middle: its beginning and its end are the most informative parts. */
export function shortPath(path, limit = 44) {
  const letters = [...path]
  if (letters.length <= limit) return path
  const front = Math.floor(limit / 3)
  return `${letters.slice(0, front).join('')}…${letters.slice(front + 1 - limit).join('')}`
}

/** The maximum number of listed names of unsupported files. */
const otherLimit = 5

/** Describes the audio and video files in the folder that the library does not support; empty if there are none. */
export function unsupportedFilesMessage({ otherCount = 0, others = [] }) {
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

/** Returns the properties of a recording as a list of texts. */
export function pieces(recording) {
  const list = [ago(recording.modified)]
  if (recording.seconds !== null) list.push(clock(recording.seconds))
  list.push(recording.format.toUpperCase())
  if (recording.sampleRate > 0) list.push(frequency(recording.sampleRate))
  if (recording.channels > 0) list.push(channelCount(recording.channels))
  if (recording.bitrate > 0) list.push(bitrate(recording.bitrate))
  list.push(size(recording.bytes))
  return list
}

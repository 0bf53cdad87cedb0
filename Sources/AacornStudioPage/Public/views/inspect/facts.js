import { bitrate, frequency, size } from '../../format.js'
import { gridText, replicationText, stereoText } from './replication.js'
import { counted, exactClock, grouped, share } from './words.js'

/**
 * Returns the facts of a report, in reading order: `{ key, label, text }`. Facts that do not apply to the file
 * are omitted.
 */
export function facts(report) {
  const list = []
  const add = (key, label, text) => {
    if (text) list.push({ key, label, text })
  }
  add('container', 'Container', report.container)
  add('profile', 'Codec', codec(report))
  add('rate', 'Sampling rate', sampleRate(report))
  add('channels', 'Channels', report.layout ?? channelText(report.channels))
  add('length', 'Length', exactClock(report.seconds))
  add('frames', 'Frames', frames(report))
  add('trim', 'Trimmed (gapless)', trim(report))
  add('started', 'Started', started(report))
  add('gaps', 'Gaps', report.gaps.length > 0 || report.started ? gapSummary(report) : '')
  add('bitrate', 'Bitrate', bitrate(report.bitrate.mean))
  add('range', 'Per second', range(report.bitrate))
  add('size', 'Size', sizeText(report))
  add('largest', 'Largest frame', largest(report))
  add('buffer', 'Decoder buffer', buffer(report.decoderBuffer))
  add('reservoir', 'Reservoir', reservoir(report.reservoir))
  add('windows', 'Windows', windows(report.tools))
  add('tools', 'Tools', tools(report))
  add('replication', 'Band replication (SBR)', replicationText(report))
  add('grids', 'SBR grids', gridText(report))
  add('stereo', 'Parametric stereo', stereoText(report))
  add('checksums', 'Checksums', checksums(report.checksums))
  for (const [name, value] of Object.entries(report.tags ?? {})) {
    add(`tag-${name}`, `${name[0].toUpperCase()}${name.slice(1)}`, String(value))
  }
  add('foreign', 'Other tags', foreignTags(report.foreignTags))
  add('faults', 'Faults', faultCounts(report.faultCounts))
  return list
}

export function faultCounts({ errors, warnings, notes }) {
  const parts = []
  if (errors > 0) parts.push(counted(errors, 'error'))
  if (warnings > 0) parts.push(counted(warnings, 'warning'))
  if (notes > 0) parts.push(counted(notes, 'note'))
  return parts.length > 0 ? parts.join(', ') : 'none'
}

/** Returns the name of a common layout, or the number of channels. */
export function channelText(channels) {
  const names = { 1: 'mono', 2: 'stereo', 6: '5.1', 8: '7.1' }
  return names[channels] ?? counted(channels, 'channel')
}

function codec(report) {
  return report.profile ? `AAC ${report.profile}, MPEG-${report.isMPEG2 ? 2 : 4}` : ''
}

function sampleRate({ sampleRate, coreSampleRate }) {
  if (!sampleRate) return ''
  const isDoubled = coreSampleRate > 0 && coreSampleRate !== sampleRate
  return frequency(sampleRate) + (isDoubled ? `, core ${frequency(coreSampleRate)}` : '')
}

/** Returns the start in local time; the recorder's text unchanged if it is not a date. */
function started(report) {
  const moment = new Date(report.started ?? NaN)
  return Number.isNaN(moment.getTime()) ? report.started : moment.toLocaleString()
}

function frames({ frameCount, unreadableFrameCount }) {
  if (unreadableFrameCount === 0) return grouped(frameCount)
  return `${grouped(frameCount)}, ${grouped(unreadableFrameCount)} unreadable`
}

function trim({ trim }) {
  if (!trim) return 'not stated'
  return `${grouped(trim.priming)} samples before, ${grouped(trim.remainder)} after`
}

function range({ minimum, maximum }) {
  return minimum === maximum ? '' : `${bitrate(minimum)} to ${bitrate(maximum)}`
}

function sizeText({ byteCount, payloadByteCount }) {
  const overhead = byteCount - payloadByteCount
  return size(byteCount) + (overhead > 0 ? `, ${size(overhead)} of it overhead` : '')
}

function largest({ largestFrame }) {
  return `${counted(largestFrame.byteCount, 'byte')}, number ${grouped(largestFrame.number)}`
}

function buffer({ required, capacity, fits }) {
  const result = fits ? 'fits a constant rate' : 'needs a variable rate'
  return `${result}: ${grouped(required)} of ${grouped(capacity)} bits`
}

function reservoir(levels) {
  if (!levels) return ''
  return `${grouped(levels.minimum)} to ${grouped(levels.maximum)} bits according to the headers`
}

function windows(counts) {
  if (counts.channels === 0) return ''
  return ['long', 'start', 'short', 'stop'].filter(name => counts[name] > 0)
    .map(name => `${name} ${share(counts[name], counts.channels)}`).join(', ')
}

function tools({ tools: counts, profile, isExtensionSignaled }) {
  const parts = [
    ['mid/side', counts.midSidePairs, counts.pairs, 'of pairs'],
    ['noise shaping', counts.noiseShaping, counts.channels, 'of channels'],
    ['noise', counts.noise, counts.channels, 'of channels'],
    ['intensity', counts.intensity, counts.channels, 'of channels'],
    ['pulses', counts.pulses, counts.channels, 'of channels']
  ].filter(([, part, whole]) => part > 0 && whole > 0)
    .map(([name, part, whole, of]) => `${name} ${share(part, whole)} ${of}`)
  if (counts.sbrFrames > 0 || profile?.startsWith('HE')) {
    parts.push(isExtensionSignaled ? 'SBR' : 'SBR, only in the payload')
  }
  return parts.length > 0 ? parts.join(', ') : 'none'
}

function checksums({ present, verified, failed }) {
  if (present === 0) return ''
  return `${grouped(verified)} of ${grouped(present)} match, ${grouped(failed)} do not`
}

function foreignTags(tags) {
  const shown = tags.slice(0, 3).map(tag => (
    `${counted(tag.length, 'byte')} at byte ${grouped(tag.offset)}`))
  if (tags.length > 3) shown.push(`and ${grouped(tags.length - 3)} more`)
  return shown.join(', ')
}

/** Summarizes the number and the duration of gaps, followed by intended omissions. */
export function gapSummary({ gaps, trimRate, sampleRate }) {
  // An intended omission, such as a pause, is not replaced by silence.
  const losses = gaps.filter(gap => gap.filled !== false)
  const pauses = gaps.filter(gap => gap.filled === false && gap.cause === 'paused').length
  const rest = gaps.length - losses.length - pauses
  const total = losses.reduce((sum, gap) => sum + (Number(gap.length) || 0), 0)
  const rate = trimRate || sampleRate
  const seconds = rate > 0 ? ` (${(total / rate).toFixed(3)} s)` : ''
  return [
    losses.length === 0 ? 'none'
      : `${counted(losses.length, 'gap')}, ${counted(total, 'sample')}${seconds}`,
    pauses > 0 && counted(pauses, 'pause'),
    rest > 0 && counted(rest, 'other record')
  ].filter(Boolean).join('; ')
}

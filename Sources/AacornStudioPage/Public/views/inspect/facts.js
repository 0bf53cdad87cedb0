import { bitrate, clock, counted, exactClock, frequency, share, size, spaced } from '../../format.js'
import { h, replace } from '../../dom.js'

/**
 * Returns the facts of a report, in reading order: `{ key, label, text }`. Facts that do not apply to the file
 * are omitted.
 */
export function facts(report) {
  const list = []
  const add = (key, label, text) => { if (text) list.push({ key, label, text }) }
  add('container', 'Container', report.container)
  add('profile', 'Codec', codec(report))
  add('rate', 'Sampling rate', sampleRate(report))
  add('channels', 'Channels', report.layout ?? channelText(report.channels))
  add('length', 'Length', exactClock(report.duration))
  add('frames', 'Frames', frames(report))
  add('trim', 'Trimmed (gapless)', trim(report))
  add('started', 'Started', started(report))
  add('gaps', 'Gaps', report.gaps.length > 0 || report.started ? gapSummary(report) : '')
  add('bitrate', 'Bitrate', bitrate(report.bitrate))
  add('range', 'Per second', range(report))
  add('size', 'Size', sizeText(report))
  add('largest', 'Largest frame', largest(report))
  add('buffer', 'Decoder buffer', buffer(report))
  add('reservoir', 'Reservoir', reservoir(report.reservoir))
  add('windows', 'Windows', windows(report))
  add('tools', 'Tools', tools(report))
  add('replication', 'Band replication (SBR)', replicationText(report))
  add('grids', 'SBR grids', gridText(report))
  add('stereo', 'Parametric stereo', stereoText(report))
  add('checksums', 'Checksums', checksums(report.checksums))
  for (const [name, value] of Object.entries(report.tags ?? {})) {
    add(`tag-${name}`, `${name[0].toUpperCase()}${name.slice(1)}`, String(value))
  }
  add('cover', 'Cover', coverText(report.cover))
  add('chapters', 'Chapters', chapterText(report.chapters))
  add('foreign', 'Other tags', foreignTags(report.foreignTags))
  add('faults', 'Faults', faultCounts(report))
  return list
}

export function faultCounts({ errors, warnings, notes }) {
  const kinds = [[errors, 'error'], [warnings, 'warning'], [notes, 'note']]
  return kinds.filter(([count]) => count > 0).map(kind => counted(...kind)).join(', ') || 'none'
}

/** Returns the name of a common layout, or the number of channels. */
export function channelText(channels) {
  const names = { 1: 'mono', 2: 'stereo', 6: '5.1', 8: '7.1' }
  return names[channels] ?? counted(channels, 'channel')
}

function codec(report) {
  return report.profile ? `AAC ${report.profile}, MPEG-${report.mpeg2 ? 2 : 4}` : ''
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

function frames({ frames, unreadableFrames }) {
  if (unreadableFrames === 0) return spaced(frames)
  return `${spaced(frames)}, ${spaced(unreadableFrames)} unreadable`
}

function trim({ priming, remainder }) {
  if (priming === null) return 'not stated'
  return `${spaced(priming)} samples before, ${spaced(remainder)} after`
}

function range({ minimumBitrate, maximumBitrate }) {
  if (minimumBitrate === maximumBitrate) return ''
  return `${bitrate(minimumBitrate)} to ${bitrate(maximumBitrate)}`
}

function sizeText({ bytes, payloadBytes }) {
  const overhead = bytes - payloadBytes
  return size(bytes) + (overhead > 0 ? `, ${size(overhead)} of it overhead` : '')
}

function largest({ largestFrame, largestFrameNumber }) {
  return `${counted(largestFrame, 'byte')}, number ${spaced(largestFrameNumber)}`
}

function buffer({ bufferRequired, bufferCapacity, bufferFits }) {
  const result = bufferFits ? 'fits a constant rate' : 'needs a variable rate'
  return `${result}: ${spaced(bufferRequired)} of ${spaced(bufferCapacity)} bits`
}

function reservoir(levels) {
  if (!levels) return ''
  return `${spaced(levels.minimum)} to ${spaced(levels.maximum)} bits according to the headers`
}

function windows({ windows: counts, tools: { channels } }) {
  if (channels === 0) return ''
  return ['long', 'start', 'short', 'stop'].filter(name => counts[name] > 0)
    .map(name => `${name} ${share(counts[name], channels)}`).join(', ')
}

function tools({ tools: counts, profile, extensionSignaled }) {
  const parts = [
    ['mid/side', counts.midSidePairs, counts.pairs, 'of pairs'],
    ['noise shaping', counts.noiseShaping, counts.channels, 'of channels'],
    ['noise', counts.noise, counts.channels, 'of channels'],
    ['intensity', counts.intensity, counts.channels, 'of channels'],
    ['pulses', counts.pulses, counts.channels, 'of channels']
  ].filter(([, part, whole]) => part > 0 && whole > 0)
    .map(([name, part, whole, of]) => `${name} ${share(part, whole)} ${of}`)
  if (counts.sbrFrames > 0 || profile?.startsWith('HE')) {
    parts.push(extensionSignaled ? 'SBR' : 'SBR, only in the payload')
  }
  return parts.length > 0 ? parts.join(', ') : 'none'
}

function checksums({ present, verified, failed }) {
  if (present === 0) return ''
  return `${spaced(verified)} of ${spaced(present)} match, ${spaced(failed)} do not`
}

function coverText(cover) {
  if (!cover) return ''
  const { format, width, height, bytes } = cover
  return [
    format?.toUpperCase() ?? 'unknown format', width && height && `${width} × ${height} pixels`,
    size(bytes)
  ].filter(Boolean).join(', ')
}

/** Lists the first chapters with their starts. */
export function chapterText(chapters) {
  const shown = chapters.slice(0, 20)
    .map(({ start, title }) => `${clock(start)} ${title}`)
  if (chapters.length > shown.length) shown.push(`and ${spaced(chapters.length - shown.length)} more`)
  return shown.join('; ')
}

function foreignTags(tags) {
  const shown = tags.slice(0, 3).map(tag => (
    `${counted(tag.length, 'byte')} at byte ${spaced(tag.offset)}`))
  if (tags.length > 3) shown.push(`and ${spaced(tags.length - 3)} more`)
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

/** Describes the replicated frequencies, the distance of headers, and the bits of SBR. */
export function replicationText(report) {
  const { replication, replicatedFrom, replicatedTo } = report
  if (!replication) return ''
  const parts = []
  if (replicatedFrom !== null) {
    parts.push(`${frequency(replicatedFrom)} to ${frequency(replicatedTo)}`)
  }
  parts.push(headers(replication), ...unread(replication))
  return `${parts.join(', ')}; ${amount(replication, report)}`
}

/** Describes the time grids of the envelopes, and other choices that distinguish encoders. */
export function gridText({ replication }) {
  if (!replication || replication.channels === 0) return ''
  const { channels, pairs } = replication
  const kinds = ['fixFix', 'fixVar', 'varFix', 'varVar'].filter(name => replication[name] > 0)
    .map(name => `${name.toUpperCase()} ${share(replication[name], channels)}`)
  const parts = [kinds.join(', '), `${mean(replication.envelopes, channels)} envelopes a frame`]
  if (replication.coupled > 0) parts.push(`coupled ${share(replication.coupled, pairs)} of pairs`)
  if (replication.sines > 0) {
    parts.push(`sines ${share(replication.sines, readCount(replication))} of frames`)
  }
  return parts.join('; ')
}

/** Describes the parameters of parametric stereo. */
export function stereoText(report) {
  const stereo = report.parametricStereo
  if (!stereo) return ''
  const count = readCount(stereo)
  const parts = []
  if (count > 0) {
    parts.push(bands(stereo.levelBands, stereo.fineLevels ? 'fine level' : 'level'),
      bands(stereo.coherenceBands, 'coherence'))
    if (stereo.phases > 0) parts.push(`phases ${share(stereo.phases, count)}`)
    parts.push(`${mean(stereo.envelopes, count)} envelopes a frame`)
  }
  parts.push(...unread(stereo))
  return `${parts.join(', ')}; ${amount(stereo, report)}`
}

function headers({ headerFrames, headerDistance, headerInterval }) {
  if (headerFrames === 0) return 'no header'
  if (headerFrames === 1) return 'one header only'
  return `headers at most ${counted(headerDistance, 'frame')} (${headerInterval.toFixed(3)} s) apart`
}

function unread({ unheaded, damaged, payloads }) {
  const parts = []
  const of = `of ${spaced(payloads)} payloads`
  if (unheaded > 0) parts.push(`${spaced(unheaded)} ${of} before any header`)
  if (damaged > 0) parts.push(`${spaced(damaged)} ${of} damaged`)
  return parts
}

const readCount = ({ payloads, unheaded, damaged }) => payloads - unheaded - damaged

const bands = (count, word) => (count === 0 ? `no ${word}s` : counted(count, word))

const mean = (sum, count) => (sum / count).toFixed(2)

/** Describes the bits per frame on average, their rate, and their share of the total. */
function amount({ bits, bitsPerFrame }, { codedSamples, coreSampleRate, payloadBytes }) {
  const seconds = codedSamples / Math.max(1, coreSampleRate)
  return `${bitsPerFrame.toFixed(1)} bits a frame, ${bitrate(bits / seconds)}, `
    + `${share(bits, Math.max(1, payloadBytes * 8))} of all`
}

/**
 * Returns a table with the facts of a file, or of two files side by side with their differences marked. `sides`
 * are finished inspections. `isNamed` adds a header with the file names.
 */
function summaryTable(sides, isNamed) {
  const lists = sides.map(side => facts(side.report))
  const rows = merged(lists)
  const isPair = sides.length === 2
  const differing = rows.filter(row => isPair && differs(row)).length
  const caption = isPair
    ? differing === 0 ? 'All facts match.' : `${differing} of ${rows.length} facts differ.`
    : null
  return h('div', { class: 'summary' },
    isPair && h('p', { class: 'hint' }, caption),
    h('table', { class: isNamed ? 'summary-table comparing' : 'summary-table' },
      h('caption', { class: 'visually-hidden' }, 'What the files contain'),
      isNamed && h('thead', null, h('tr', null, h('th', { scope: 'col' }, 'Fact'),
        sides.map(side => h('th', { scope: 'col' }, side.name)))),
      h('tbody', null, rows.map(row => line(row, isPair)))))
}

function line(row, isPair) {
  const isDifferent = isPair && differs(row)
  const label = h('th', { scope: 'row' }, row.label)
  if (isDifferent) {
    label.append(h('span', { class: 'differs-mark', 'aria-hidden': 'true' }, '≠'),
      h('span', { class: 'visually-hidden' }, ' (differs)'))
  }
  return h('tr', { class: isDifferent ? 'differs' : null, 'data-fact': row.key }, label,
    row.texts.map(text => h('td', null, text ?? h('span', { class: 'muted' }, '–'))))
}

const differs = row => row.texts[0] !== row.texts[1]

/** Merges the facts of all lists in the order of the first list; other facts are inserted at their position. */
function merged(lists) {
  const rows = []
  lists.forEach((list, side) => {
    let insertion = 0
    for (const { key, label, text } of list) {
      let index = rows.findIndex(row => row.key === key)
      if (index < 0) {
        index = insertion
        rows.splice(insertion, 0, { key, label, texts: lists.map(() => null) })
      }
      rows[index].texts[side] = text
      insertion = index + 1
    }
  })
  return rows
}

/** Shows the facts of all finished inspections; files without AAC have none. */
export function showSummary(element, sides) {
  const done = sides.filter(side => side.report && side.report.frames > 0)
  if (done.length === 0) replace(element)
  else replace(element, summaryTable(done, sides.length > 1))
}

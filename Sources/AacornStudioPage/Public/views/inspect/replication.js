import { bitrate, frequency } from '../../format.js'
import { counted, grouped, share } from './words.js'

/** Describes the replicated frequencies, the distance of headers, and the bits of SBR. */
export function replicationText(report) {
  const { replication, replicated } = report
  if (!replication) return ''
  const parts = []
  if (replicated) parts.push(`${frequency(replicated.from)} to ${frequency(replicated.to)}`)
  parts.push(headers(report), ...unread(replication))
  return `${parts.join(', ')}; ${amount(replication.bits, report)}`
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
  return `${parts.join(', ')}; ${amount(stereo.bits, report)}`
}

function headers({ replication, frameLength, coreSampleRate }) {
  const { headerFrames, headerDistance } = replication
  if (headerFrames === 0) return 'no header'
  if (headerFrames === 1) return 'one header only'
  const seconds = headerDistance * frameLength / Math.max(1, coreSampleRate)
  return `headers at most ${counted(headerDistance, 'frame')} (${seconds.toFixed(3)} s) apart`
}

function unread({ unheaded, damaged, payloads }) {
  const parts = []
  const of = `of ${grouped(payloads)} payloads`
  if (unheaded > 0) parts.push(`${grouped(unheaded)} ${of} before any header`)
  if (damaged > 0) parts.push(`${grouped(damaged)} ${of} damaged`)
  return parts
}

function readCount({ payloads, unheaded, damaged }) {
  return payloads - unheaded - damaged
}

function bands(count, word) {
  return count === 0 ? `no ${word}s` : counted(count, word)
}

function mean(sum, count) {
  return (sum / count).toFixed(2)
}

/** Describes the bits per frame on average, their rate, and their share of the total. */
function amount(bits, { frameCount, sampleCount, coreSampleRate, payloadByteCount }) {
  const seconds = sampleCount / Math.max(1, coreSampleRate)
  return `${(bits / Math.max(1, frameCount)).toFixed(1)} bits a frame, `
    + `${bitrate(bits / seconds)}, ${share(bits, Math.max(1, payloadByteCount * 8))} of all`
}

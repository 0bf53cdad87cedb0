import { bitrate, frequency } from '../../format.js'
import { counted, grouped, share } from './words.js'

/** From when to when the spectrum is replicated, how often headers come, and what that takes. */
export function replicationText(report) {
  const { replication, replicated } = report
  if (!replication) return ''
  const parts = []
  if (replicated) parts.push(`${frequency(replicated.from)} to ${frequency(replicated.to)}`)
  parts.push(headers(report), ...unread(replication))
  return `${parts.join(', ')}; ${amount(replication.bits, report)}`
}

/** The grids of the envelopes in time, and what else tells encoders apart. */
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

/** What parametric stereo is described with. */
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

/** Bits in a mean frame, their rate, and their share of all. */
function amount(bits, { frameCount, sampleCount, coreSampleRate, payloadByteCount }) {
  const seconds = sampleCount / Math.max(1, coreSampleRate)
  return `${(bits / Math.max(1, frameCount)).toFixed(1)} bits a frame, `
    + `${bitrate(bits / seconds)}, ${share(bits, Math.max(1, payloadByteCount * 8))} of all`
}

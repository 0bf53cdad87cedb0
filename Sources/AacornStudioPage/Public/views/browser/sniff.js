// Detects the format of an audio file and its sampling rate. A browser decodes to a requested rate, so the rate
// must be known beforehand to avoid a conversion.

import { read } from '../../aacorn/file-bytes.js'
import { adtsFrameAt, samplingRates } from './units.js'

/** The number of bytes to read from the beginning. */
const headSize = 1 << 16
/** The maximum offset of the first ADTS frame; it can be later only if several frames are damaged. */
const adtsLimit = 1 << 14
/** The sampling rates of AAC, except for 7350 Hz, which browsers do not support. */
const rates = samplingRates.filter(rate => rate >= 8000)
const defaultRate = 48_000
/** The formats that may contain AAC for our own reader, which also tries unknown formats. */
const withAAC = ['AAC', 'MPEG-4', 'MPEG transport stream', '']
/** The formats that are always lossy. */
const lossy = ['AAC', 'MP3', 'MPEG audio', 'Ogg Vorbis', 'Ogg Opus']

const text = (bytes, at, length) => String.fromCharCode(...bytes.subarray(at, at + length))
/** Signatures of files that contain no audio, but bytes that resemble a header of MPEG audio. */
const foreign = {
  '\xff\xd8\xff': 'a JPEG picture', '\x89PNG': 'a PNG picture', GIF8: 'a GIF picture',
  '%PDF': 'a PDF document', 'PK\x03\x04': 'a ZIP archive'
}
/** The box types at the beginning of a movie file; QuickTime files need no “ftyp”. */
const movieBoxes = ['ftyp', 'moov', 'mdat', 'wide', 'free', 'skip', 'pnot', 'styp']
const viewOf = bytes => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/**
 * Returns `{format, isSamples, mayBeAAC, isLossy, sampleRate, isRate, bits}`: the format's human-readable name,
 * whether our own reader reads it as samples, whether it may read it as AAC, whether the audio is lossy, the
 * rate to decode to, whether that is the audio's own rate, and, for lossless audio, the bits per sample.
 */
export async function sniff(blob) {
  let head = await read(blob, 0, headSize)
  const tag = id3Length(head)
  if (tag) head = await read(blob, tag, headSize)
  try {
    const found = await formatOf(head, blob, tag)
    const isRate = rates.includes(found.sampleRate)
    return described({ ...found, isRate, sampleRate: isRate ? found.sampleRate : defaultRate })
  } catch {
    // The head is cut short or invalid, but a decoder may still support the file.
    return described({ format: '', sampleRate: defaultRate, isRate: false })
  }
}

function described({ format, isSamples = false, ...found }) {
  return {
    bits: 0, ...found, format, isSamples, mayBeAAC: !isSamples && withAAC.includes(format),
    isLossy: lossy.includes(format)
  }
}

/** Returns the length of an ID3v2 tag at the beginning, 0 if there is none. */
function id3Length(bytes) {
  if (text(bytes, 0, 3) !== 'ID3' || bytes.length < 10) return 0
  return 10 + ((bytes[6] << 21) | (bytes[7] << 14) | (bytes[8] << 7) | bytes[9])
}

async function formatOf(head, blob, start) {
  const word = text(head, 0, 4)
  if (['RIFF', 'RF64', 'BW64', 'FORM', 'caff'].includes(word)) {
    const format = { FORM: 'AIFF', caff: 'CAF' }[word] ?? 'WAV'
    return { format, isSamples: true, sampleRate: word === 'RIFF' ? waveRate(head) : 0 }
  }
  if (word === 'fLaC') return { format: 'FLAC', ...flacSound(head, 4) }
  if (word === 'OggS') return oggSound(head)
  if (movieBoxes.includes(text(head, 4, 4))) {
    return { format: 'MPEG-4', sampleRate: await movieRate(blob, start) }
  }
  if (viewOf(head).getUint32(0) === 0x1a45dfa3) {
    return { format: 'WebM or Matroska', sampleRate: matroskaRate(head) }
  }
  const known = Object.keys(foreign).find(start => text(head, 0, start.length) === start)
  if (known) return { format: foreign[known], sampleRate: 0 }
  // Our own reader finds the rate of these formats, and browsers do not support them.
  if (word === 'ADIF' || isLOAS(head)) return { format: 'AAC', sampleRate: 0 }
  if (isTransport(head)) return { format: 'MPEG transport stream', sampleRate: 0 }
  return frameSound(head)
}

/** Detects LOAS frames (ISO/IEC 14496-3, 1.7.2): a syncword of eleven bits, and a length of thirteen. */
function isLOAS(head) {
  const isSync = at => head[at] === 0x56 && (head[at + 1] & 0xe0) === 0xe0
  if (!isSync(0)) return false
  const next = 3 + ((head[1] & 0x1f) << 8 | head[2])
  return next >= head.length || isSync(next)
}

/** Detects packets of 188 bytes (ISO/IEC 13818-1, 2.4.3.2), some with a time before or a code after them. */
function isTransport(head) {
  return [[188, 0], [192, 4], [204, 0]].some(([length, at]) =>
    [0, 1, 2].every(packet => head[at + packet * length] === 0x47))
}

/** Returns the rate of a WAV file, for compressed audio that our reader rejects and the browser may decode. */
function waveRate(head) {
  const view = viewOf(head)
  for (let at = 12; at + 16 <= head.length; at += 8 + view.getUint32(at + 4, true)) {
    if (text(head, at, 4) === 'fmt ') return view.getUint32(at + 12, true)
  }
  return 0
}

/** Parses STREAMINFO (RFC 9639, 8.2) with its header at `at`: rate 20 bits, channels 3, bits per sample 5. */
function flacSound(bytes, at) {
  const rate = at + 4 + 10
  return {
    sampleRate: (bytes[rate] << 12) | (bytes[rate + 1] << 4) | (bytes[rate + 2] >> 4),
    bits: (((bytes[rate + 2] & 1) << 4) | (bytes[rate + 3] >> 4)) + 1
  }
}

/** Parses the first packet of an Ogg stream, which identifies the codec. */
function oggSound(head) {
  const packet = 27 + head[26]
  if (text(head, packet + 1, 6) === 'vorbis') {
    return { format: 'Ogg Vorbis', sampleRate: viewOf(head).getUint32(packet + 12, true) }
  }
  if (text(head, packet, 8) === 'OpusHead') return { format: 'Ogg Opus', sampleRate: 48_000 }
  if (text(head, packet + 1, 4) === 'FLAC') {
    return { format: 'Ogg FLAC', ...flacSound(head, packet + 13) }
  }
  return { format: 'Ogg', sampleRate: 0 }
}

/** Returns the rate of the first audio track, from its sample description (ISO/IEC 14496-12, 12.2.3). */
async function movieRate(blob, start) {
  for (let at = start; at + 16 <= blob.size;) {
    const box = viewOf(await read(blob, at, 16))
    let size = box.getUint32(0)
    if (size === 1) size = Number(box.getBigUint64(8))
    if (box.getUint32(4) === 0x6d6f6f76) {
      return soundRate(await read(blob, at, Math.min(size || blob.size, 64 << 20)))
    }
    if (size < 8) return 0
    at += size
  }
  return 0
}

function soundRate(movie) {
  const view = viewOf(movie)
  const inside = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl'])
  let isSound = false
  const walk = (from, to) => {
    for (let at = from; at + 8 <= to;) {
      const size = view.getUint32(at)
      const type = text(movie, at + 4, 4)
      if (size < 8 || at + size > to) return 0
      if (type === 'hdlr') isSound = text(movie, at + 16, 4) === 'soun'
      // The entry starts 16 bytes into the box; its rate is a 16.16 fixed-point number at offset 32.
      if (type === 'stsd' && isSound && size >= 52) return view.getUint32(at + 48) >>> 16
      const found = inside.has(type) ? walk(at + 8, at + size) : 0
      if (found) return found
      at += size
    }
    return 0
  }
  return walk(0, movie.length)
}

/** Returns SamplingFrequency, element B5 with a float of four or eight bytes; Opus is always at 48 kHz. */
function matroskaRate(head) {
  const view = viewOf(head)
  for (let at = 0; at + 10 <= head.length; at += 1) {
    if (head[at] !== 0xb5) continue
    const rate = head[at + 1] === 0x84 ? view.getFloat32(at + 2)
      : head[at + 1] === 0x88 ? view.getFloat64(at + 2) : 0
    if (rates.includes(rate)) return rate
  }
  return 0
}

/** Detects frames without a container: ADTS, or MPEG audio (ISO/IEC 11172-3, 2.4.2.3). */
function frameSound(head) {
  const sampleRateAt = at => rates[(head[at + 2] >> 2) & 15] ?? 0
  // Two consecutive frames cannot be a coincidence, whatever the offset of the first one.
  for (let at = 0; at < adtsLimit; at += 1) {
    const frame = adtsFrameAt(head, at)
    if (frame && adtsFrameAt(head, at + frame.length)) {
      return { format: 'AAC', sampleRate: sampleRateAt(at) }
    }
  }
  for (let at = 0; at + 4 <= Math.min(head.length, 4096); at += 1) {
    if (head[at] !== 0xff || (head[at + 1] & 0xe0) !== 0xe0) continue
    if ((head[at + 1] & 0xf6) === 0xf0) {
      return { format: 'AAC', sampleRate: sampleRateAt(at) }
    }
    const version = (head[at + 1] >> 3) & 3
    const layer = (head[at + 1] >> 1) & 3
    const index = (head[at + 2] >> 2) & 3
    if (version === 1 || layer === 0 || index === 3) continue
    const divisor = { 3: 1, 2: 2, 0: 4 }[version]
    return { format: layer === 1 ? 'MP3' : 'MPEG audio',
      sampleRate: Math.floor([44100, 48000, 32000][index] / divisor) }
  }
  return { format: '', sampleRate: 0 }
}

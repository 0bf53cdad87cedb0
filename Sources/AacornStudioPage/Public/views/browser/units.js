// The properties of single access units, and ADTS headers for units without them.

/** The sampling rates in hertz by their index (ISO/IEC 14496-3, table 1.18). */
export const samplingRates = [
  96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350
]

/** Samples per unit before spectral band replication. */
const coreFrameLength = 1024

/**
 * Returns the core's properties in an AudioSpecificConfig (ISO/IEC 14496-3, 1.6.2.1), which are the ones in
 * ADTS headers: `{sampleRate, channels}`. With SBR the core has half the rate, with parametric stereo half the
 * channels.
 */
export function coreOf(config) {
  return {
    sampleRate: samplingRates[((config[0] & 7) << 1) | (config[1] >> 7)], channels: (config[1] >> 3) & 15
  }
}

/** Returns the number of samples of a unit at `sampleRate`, which may be twice the core's rate. */
export const unitLength = (core, sampleRate) => coreFrameLength * sampleRate / core.sampleRate

/** Returns the lengths of an ADTS frame's header and of the whole frame, or null if there is no frame. */
export function adtsFrameAt(bytes, at) {
  if (at + 7 > bytes.length || bytes[at] !== 0xff || (bytes[at + 1] & 0xf6) !== 0xf0) return null
  const length = ((bytes[at + 3] & 3) << 11) | (bytes[at + 4] << 3) | (bytes[at + 5] >> 5)
  const header = bytes[at + 1] & 1 ? 7 : 9
  return length > header ? { header, length } : null
}

/**
 * Returns an ADTS header (ISO/IEC 13818-7, 6.2) for an access unit of `length` bytes with an AAC-LC core of
 * this rate and these channels.
 */
export function adtsHeader({ sampleRate, channels }, length) {
  const whole = length + 7
  const rate = samplingRates.indexOf(sampleRate)
  return Uint8Array.of(
    0xff, 0xf1, (1 << 6) | (rate << 2) | (channels >> 2),
    ((channels & 3) << 6) | (whole >> 11), (whole >> 3) & 0xff, ((whole & 7) << 5) | 0x1f, 0xfc)
}

/**
 * Returns the block type of an access unit's first channel: 0 long, 1 start, 2 short, 3 stop (ISO/IEC 14496-3,
 * table 4.109). Returns null if the unit does not start with a channel element.
 */
export function windowOf(unit) {
  if (unit.length < 4) return null
  const bits = ((unit[0] << 24) | (unit[1] << 16) | (unit[2] << 8) | unit[3]) >>> 0
  const read = (at, count) => (bits >>> (32 - at - count)) & ((1 << count) - 1)
  const element = read(0, 3)
  // A single channel starts with its gain; a pair with a bit that states whether both share a window.
  if (element === 0) return read(16, 2)
  if (element !== 1) return null
  return read(7, 1) ? read(9, 2) : read(17, 2)
}

/** Returns the offset of the media data in a movie file that begins with `bytes`; −1 if it is not in them. */
export function mediaStart(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = 0; at + 8 <= bytes.length;) {
    const size = view.getUint32(at)
    const isMedia = view.getUint32(at + 4) === 0x6d646174
    if (isMedia) return at + (size === 1 ? 16 : 8)
    if (size < 8) return -1
    at += size
  }
  return -1
}

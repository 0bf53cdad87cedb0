// The sample formats of WebCodecs, and conversions between them.

/** The array type of each kind of samples, the value of full scale, and the value of silence. */
const kinds = {
  u8: { Samples: Uint8Array, scale: 128, middle: 128 },
  s16: { Samples: Int16Array, scale: 32768, middle: 0 },
  s32: { Samples: Int32Array, scale: 2147483648, middle: 0 },
  f32: { Samples: Float32Array, scale: 1, middle: 0 },
}

/** The names of all sample formats. */
export const sampleFormats = Object.keys(kinds).flatMap((kind) => [kind, `${kind}-planar`])

/** Whether each channel is stored in its own plane. */
export function isPlanar(format) {
  return format.endsWith('-planar')
}

/** Returns the array type for samples of a format. */
export function samplesType(format) {
  return kindOf(format).Samples
}

/**
 * Copies samples of all channels, interleaved, or of one channel to another format.
 *
 * `source` and `target` are arrays of samples with their formats; the last argument selects the range.
 */
export function copySamples(source, target, { first, count, channel, channels, total }) {
  const from = kindOf(source.format)
  const to = kindOf(target.format)
  const wanted = isPlanar(target.format) ? [channel] : Array.from({ length: channels }, (_, i) => i)
  const step = isPlanar(source.format) ? 1 : channels
  if (from === to && isPlanar(source.format) === isPlanar(target.format)) {
    // The layouts are equal, so no conversion is needed.
    const start = isPlanar(source.format) ? channel * total + first : first * channels
    target.samples.set(source.samples.subarray(start, start + count * wanted.length))
    return
  }
  const convert = conversion(from, to)
  for (const [place, index] of wanted.entries()) {
    let at = isPlanar(source.format) ? index * total + first : first * channels + index
    for (let frame = 0; frame < count; frame++, at += step) {
      target.samples[frame * wanted.length + place] = convert(source.samples[at])
    }
  }
}

function kindOf(format) {
  return kinds[format.split('-')[0]]
}

/** Returns a function that converts a sample from one kind to another. */
function conversion(from, to) {
  if (from === to) return (value) => value
  if (to.Samples === Float32Array) return (value) => (value - from.middle) / from.scale
  if (from.Samples !== Float32Array) {
    // Like browsers: low bits that do not fit are dropped, and missing bits are zeros. The arithmetic is exact.
    return (value) => Math.floor((value - from.middle) / from.scale * to.scale) + to.middle
  }
  const [lowest, highest] = [-to.scale, to.scale - 1]
  return (value) => {
    const scaled = Math.round(value * to.scale)
    // NaN becomes silence.
    return Math.min(highest, Math.max(lowest, scaled || 0)) + to.middle
  }
}

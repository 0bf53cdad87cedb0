// Audio that uses every branch of an encoder: sweeps, noise, transients, silence and full scale.

import { FileAssembler } from '../../Npm/aacorn.js'

/** Returns a generator of reproducible 32-bit numbers. */
export function random(seed) {
  let state = seed >>> 0
  return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0)
}

/** Interleaved samples from -1 to 1, all of them 16-bit values over 32768. */
export function sound(frames, channels, rate, seed) {
  const next = random(seed)
  const samples = new Float32Array(frames * channels)
  for (let channel = 0; channel < channels; channel++) {
    let phase = 0
    let stroke = 0
    for (let frame = 0; frame < frames; frame++) {
      const progress = frame / frames
      // A sweep up to 0.45 of the sampling rate, slightly different in each channel.
      phase += 0.45 * progress * progress + 0.002 * (channel + 1)
      const sweep = Math.sin(2 * Math.PI * phase)
      if (frame % Math.floor(rate / 7) === Math.floor(channel * rate / 50)) stroke = 1
      stroke *= 0.998
      const noise = next() / 2 ** 31 - 1
      let sample = 0.35 * sweep + 0.6 * stroke * noise + 0.003 * noise
      if (progress > 0.45 && progress < 0.55) sample = 0
      if (progress > 0.9) sample = sweep > 0 ? 1 : -1
      const integer = Math.max(-32768, Math.min(32767, Math.round(sample * 32767)))
      samples[frame * channels + channel] = integer / 32768
    }
  }
  return samples
}

export function interleaved(channels) {
  const samples = new Float32Array(channels[0].length * channels.length)
  for (const [channel, plane] of channels.entries()) {
    for (let frame = 0; frame < plane.length; frame++) {
      samples[frame * channels.length + channel] = plane[frame]
    }
  }
  return samples
}

export function integers(samples) {
  return Int16Array.from(samples, (sample) => sample * 32768)
}

/** Returns audio with invalid values: infinities, NaN, and huge numbers. */
export function poisoned(samples, seed) {
  const next = random(seed)
  const poison = [NaN, Infinity, -Infinity, 3e38, -3e38, 1e-42, -0, 5, -5]
  return samples.map((sample) => (next() % 97 === 0 ? poison[next() % poison.length] : sample))
}

export function encodedFile(aacorn, options, samples) {
  const encoder = aacorn.fileEncoder({ sampleRate: 44100, channels: 2, ...options })
  const file = new FileAssembler()
  file.write(encoder.encode(samples))
  file.write(encoder.finish())
  encoder.close()
  return file.blob()
}

export function encodedSound(aacorn, options, frames) {
  const { sampleRate = 44100, channels = 2 } = options
  return encodedFile(aacorn, options, integers(sound(frames, channels, sampleRate, 5)))
}

/** Returns bytes of which some are changed, removed, duplicated or replaced by extreme numbers. */
export function spoiled(bytes, next) {
  let result = Buffer.from(bytes)
  const extremes = [0, 1, 7, 8, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffff8, 0x10000]
  // The lowest bits of the numbers have a short period.
  const below = (limit) => (next() >>> 8) % limit
  for (let change = 1 + below(6); change > 0 && result.length > 0; change--) {
    // Prefer changes near the beginning and the end, which contain headers and tables.
    let at = below(Math.min([64, 400, result.length][below(3)], result.length))
    if (below(3) === 0) at = result.length - 1 - at
    switch (below(5)) {
      case 0: result[at] ^= 1 << below(8); break
      case 1: result[at] = below(256); break
      case 2:
        if (at + 4 <= result.length) result.writeUInt32BE(extremes[below(extremes.length)], at)
        break
      case 3: result = result.subarray(0, at); break
      default: result = Buffer.concat([result.subarray(0, at), result.subarray(at >> 1)])
    }
  }
  return result
}

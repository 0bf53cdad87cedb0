// Test audio: generating it, writing files, decoding with ffmpeg, and locating it in other audio.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import { random } from '../Wasm/sound.mjs'

/** Returns a generator of reproducible numbers from −1 to 1. */
function noise(seed) {
  const next = random(seed)
  return () => next() / 2 ** 31 - 1
}

/**
 * Returns interleaved 16-bit samples in which every moment is unique: bursts of noise below 8 kHz with pauses
 * of different lengths, over a rising tone.
 */
export function bursts(seconds, { rate = 48000, channels = 2, seed = 1 } = {}) {
  const frames = Math.round(seconds * rate)
  const samples = new Int16Array(frames * channels)
  const next = noise(seed)
  let level = 0
  let change = 0
  let phase = 0
  let low = 0
  for (let frame = 0; frame < frames; frame++) {
    if (frame >= change) {
      level = level > 0.05 ? 0.01 : 0.15 + 0.2 * Math.abs(next())
      change = frame + rate * (0.05 + 0.2 * Math.abs(next()))
    }
    // A filter with one pole is enough: encoders preserve low frequencies.
    low += 0.5 * (next() - low)
    phase += 2 * Math.PI * (200 + 1500 * frame / frames) / rate
    const value = 0.1 * Math.sin(phase) + level * low
    for (let channel = 0; channel < channels; channel++) {
      samples[frame * channels + channel] = Math.round(value * 32767)
    }
  }
  return samples
}

/** The bytes of a WAV file with 16-bit samples. */
export function wav(samples, { rate = 48000, channels = 2 } = {}) {
  const header = Buffer.alloc(44)
  header.write('RIFF', 0)
  header.writeUInt32LE(36 + samples.byteLength, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(channels, 22)
  header.writeUInt32LE(rate, 24)
  header.writeUInt32LE(rate * channels * 2, 28)
  header.writeUInt16LE(channels * 2, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36)
  header.writeUInt32LE(samples.byteLength, 40)
  return Buffer.concat(
    [header, Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength)])
}

/** Converts bytes to 32-bit numbers. */
export function floats(bytes) {
  // The data of a file may start at an unaligned offset.
  return new Float32Array(Uint8Array.from(bytes).buffer)
}

/** Returns the channels and interleaved samples of any WAV file with 32-bit numbers. */
export function floatsOf(file, rate) {
  const wav = fs.readFileSync(file)
  let channels
  for (let at = 12; ;) {
    const [name, length] = [wav.toString('latin1', at, at + 4), wav.readUInt32LE(at + 4)]
    if (name === 'fmt ') {
      channels = wav.readUInt16LE(at + 10)
      assert.equal(wav.readUInt32LE(at + 12), rate)
      assert.equal(wav.readUInt16LE(at + 22), 32)
    }
    if (name === 'data') return { channels, samples: floats(wav.subarray(at + 8, at + 8 + length)) }
    at += 8 + length + length % 2
  }
}

/** Writes a WAV file and returns its path. */
export function writeWAV(file, samples, options) {
  fs.writeFileSync(file, wav(samples, options))
  return file
}

/** Decodes a file with ffmpeg to one channel; throws if ffmpeg reports an error. */
export function decode(file, rate = 48000) {
  const raw = `${file}.decoded`
  try {
    const complaints = execFileSync('ffmpeg', [
      '-nostdin', '-v', 'warning', '-y', '-i', file, '-ac', '1', '-ar', String(rate),
      '-f', 'f32le', raw,
    ], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], timeout: 120000 })
    if (complaints.trim() !== '') throw new Error(`ffmpeg complains of ${file}: ${complaints}`)
    const bytes = fs.readFileSync(raw)
    return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)
  } finally {
    fs.rmSync(raw, { force: true })
  }
}

/** The first channel of interleaved 16-bit samples. */
export function firstChannel(samples, channels = 2) {
  return Float32Array.from({ length: samples.length / channels },
    (_, frame) => samples[frame * channels] / 32768)
}

const turns = new Map()

/** Returns the cosines and sines of −2πk/`count` for the first half of a turn. */
function turn(count) {
  if (!turns.has(count)) {
    const angles = Float64Array.from({ length: count / 2 }, (_, k) => -2 * Math.PI * k / count)
    turns.set(count, [angles.map(Math.cos), angles.map(Math.sin)])
  }
  return turns.get(count)
}

/** The discrete Fourier transform, in place; the length must be a power of two. */
function transform(real, imaginary) {
  const count = real.length
  for (let i = 1, j = 0; i < count; i++) {
    let bit = count >> 1
    for (; j & bit; bit >>= 1) j ^= bit
    j |= bit
    if (i < j) {
      [real[i], real[j]] = [real[j], real[i]];
      [imaginary[i], imaginary[j]] = [imaginary[j], imaginary[i]]
    }
  }
  const [cosines, sines] = turn(count)
  for (let size = 2; size <= count; size *= 2) {
    const half = size / 2
    const step = count / size
    for (let start = 0; start < count; start += size) {
      for (let k = 0; k < half; k++) {
        const c = cosines[k * step]
        const s = sines[k * step]
        const i = start + k
        const r = real[i + half] * c - imaginary[i + half] * s
        const m = real[i + half] * s + imaginary[i + half] * c
        real[i + half] = real[i] - r
        imaginary[i + half] = imaginary[i] - m
        real[i] += r
        imaginary[i] += m
      }
    }
  }
}

const spectra = new WeakMap()

/**
 * Returns the spectra of audio in blocks of `count` samples with 50 % overlap. They are cached, because many
 * pieces are located in the same audio. One transform processes two blocks, as its real and its imaginary part.
 */
function blockSpectra(whole, count) {
  if (!spectra.has(whole)) spectra.set(whole, new Map())
  const kept = spectra.get(whole)
  if (kept.has(count)) return kept.get(count)
  const blocks = []
  for (let start = 0; start < whole.length; start += count) {
    const parts = [start, start + count / 2].map((start) => {
      const part = new Float64Array(count)
      part.set(whole.subarray(start, start + count))
      return part
    })
    transform(...parts)
    blocks.push(parts)
  }
  kept.set(count, blocks)
  return blocks
}

/** Returns the products of a piece with longer audio at each offset, summed. */
function correlations(piece, whole) {
  const count = 2 ** Math.ceil(Math.log2(2 * piece.length))
  const [c, d] = [new Float64Array(count), new Float64Array(count)]
  c.set(piece)
  transform(c, d)
  const result = new Float64Array(whole.length + count)
  blockSpectra(whole, count).forEach(([a, b], index) => {
    const [real, imaginary] = [new Float64Array(count), new Float64Array(count)]
    for (let k = 0; k < count; k++) {
      // Multiply by the conjugate of the piece, and conjugate for the inverse transform.
      real[k] = (a[k] * c[k] + b[k] * d[k]) / count
      imaginary[k] = (a[k] * d[k] - b[k] * c[k]) / count
    }
    transform(real, imaginary)
    for (let k = 0; k < count / 2; k++) {
      result[index * count + k] = real[k]
      result[index * count + count / 2 + k] = -imaginary[k]
    }
  })
  return result
}

/**
 * Returns the position of a piece in longer audio, and the correlation there: 1 is equal except for the
 * volume.
 */
export function locate(piece, whole) {
  if (piece.length === 0) throw new RangeError('the audio is too short for this piece')
  const products = correlations(piece, whole)
  const energy = piece.reduce((sum, sample) => sum + sample * sample, 0)
  let there = 0
  for (let i = 0; i < piece.length - 1; i++) there += whole[i] * whole[i]
  let best = { offset: 0, correlation: -1 }
  for (let offset = 0; offset + piece.length <= whole.length; offset++) {
    there += whole[offset + piece.length - 1] ** 2
    // Rounding may make the energy of silence negative.
    const correlation = products[offset] / Math.sqrt(Math.max(0, there) * energy || 1)
    if (correlation > best.correlation) best = { offset, correlation }
    there -= whole[offset] * whole[offset]
  }
  return best
}

/** Repeats audio that was played in a loop. */
export function repeated(samples, times) {
  const result = new Float32Array(samples.length * times)
  for (let i = 0; i < times; i++) result.set(samples, i * samples.length)
  return result
}

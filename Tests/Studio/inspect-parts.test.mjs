// Parts of Inspect that need no browser: spectra, pictures of sound, samples of any part of a file.

import assert from 'node:assert/strict'
import fs from 'node:fs'
import { test } from 'node:test'
import { load, SoundReader } from '../../Sources/AacornStudioPage/Public/aacorn/aacorn.js'
import { Engine } from '../../Sources/AacornStudioPage/Public/aacorn/engine.js'
import { bursts } from './sound.mjs'

const page = new URL('../../Sources/AacornStudioPage/Public/', import.meta.url)
const parts = new URL('views/inspect/sound/', page)
const { mixdown } = await import(new URL('mixdown.js', parts))
const { Overview } = await import(new URL('overview.js', parts))
const { Picture, PictureMaker } = await import(new URL('picture.js', parts))
const { Reach } = await import(new URL('reach.js', parts))
const { rowCount, Spectrum } = await import(new URL('spectrum.js', parts))

const rate = 48_000

/** A tone in Float32. */
function tone(frequency, count, level = 1) {
  return Float32Array.from({ length: count },
    (_, index) => level * Math.sin(2 * Math.PI * frequency * index / rate))
}

/** The row in which a frequency is. */
const rowOf = (frequency) => Math.floor(frequency / (rate / 2) * rowCount)

test('a tone is in its row, as loud as it is', () => {
  for (const [channels, expected] of [
    [[tone(3000, 4096)], 255], [[tone(3000, 4096, 0.1)], 255 - 0.2 * 255],
    // Half of the power is missing where one of two channels is silent.
    [[tone(3000, 4096), new Float32Array(4096)], 255 - 0.0301 * 255],
  ]) {
    const spectrum = new Spectrum()
    spectrum.push(channels[0], channels[1], 0, 4096)
    const levels = new Uint8Array(rowCount)
    spectrum.levels(levels)
    const loudest = levels.indexOf(Math.max(...levels))
    assert.ok(Math.abs(loudest - rowOf(3000)) <= 1, `row ${loudest}`)
    // A tone between two bins seems up to 1.4 dB quieter.
    assert.ok(Math.abs(levels[loudest] - expected) <= 4, `${levels[loudest]}, not ${expected}`)
    assert.ok(levels[rowOf(9000)] < 20, 'the rest is silent')
  }
})

test('a picture shows each moment in its column', () => {
  const samples = new Float32Array(rate)
  samples.set(tone(6000, rate / 2, 0.5), rate / 2)
  samples[1234] = -0.75
  const picture = new Picture(0, rate, 100, 1)
  const maker = new PictureMaker(picture)
  for (let start = 0; start < rate; start += 1000) {
    const part = samples.subarray(start, start + 1000)
    maker.append([part], [part])
  }
  maker.finish()
  assert.equal(picture.knownCount, 100)
  const row = rowOf(6000)
  const level = (column) => Math.max(...picture.levels.subarray(
    column * rowCount + row - 1, column * rowCount + row + 2))
  assert.equal(level(20), 0)
  assert.ok(level(70) > 230)
  assert.equal(picture.lows[2], -0.75)
  assert.equal(picture.highs[10], 0)
  assert.ok(picture.highs[60] > 0.49 && picture.lows[60] < -0.49)
})

test('an overview of any length keeps its size, and peaks and levels', () => {
  const overview = new Overview(2, 0, 16)
  const count = 300_000
  const left = tone(6000, count, 0.5)
  const right = new Float32Array(count)
  right[200_000] = 0.9
  for (let start = 0; start < count; start += 7000) {
    const channels = [left.subarray(start, start + 7000), right.subarray(start, start + 7000)]
    overview.append(channels, channels)
  }
  overview.finish()
  assert.ok(overview.count <= 16)
  assert.ok(overview.count * overview.span >= count)
  assert.ok((overview.count - 1) * overview.span < count)
  const picture = overview.picture(0, count, 10)
  assert.equal(picture.knownCount, 10)
  assert.ok(Math.abs(picture.highs[3] - 0.5) < 0.01)
  const loud = Array.from(picture.highs.subarray(10), (high) => high > 0.8)
  // Columns that were joined are wider than those of the picture.
  assert.ok((loud[6] || loud[7]) && !loud[2] && !loud[9])
  const levels = picture.levels.subarray(5 * rowCount, 6 * rowCount)
  const loudest = levels.indexOf(Math.max(...levels))
  assert.ok(Math.abs(loudest - rowOf(6000)) <= 1)
  // Behind the end nothing is known.
  assert.equal(overview.picture(0, 2 * count, 10).knownCount < 7, true)
})

test('many channels become two, no louder than before', () => {
  const ones = Float32Array.of(1, 1)
  const layout = ['front-center', 'front-left', 'front-right', 'side-left', 'side-right',
    'low-frequency']
  const all = mixdown(layout.map(() => ones), layout)
  assert.equal(all.length, 2)
  for (const samples of all) assert.ok(Math.abs(samples[0] - 1) < 1e-6)
  const onlyLeft = mixdown(
    layout.map((speaker) => (speaker.endsWith('left') ? ones : new Float32Array(2))), layout)
  assert.ok(onlyLeft[0][0] > 0.5)
  assert.equal(onlyLeft[1][0], 0)
  const stereo = [ones, ones]
  assert.equal(mixdown(stereo, null), stereo)
})

test('any part of a stream is decoded from its neighborhood', async () => {
  const bytes = (name) => fs.readFileSync(new URL(`aacorn/${name}`, page))
  const aacorn = await load(bytes('aacorn.wasm'), { inspector: bytes('aacorn-inspector.wasm') })
  const encoder = aacorn.fileEncoder({
    container: 'adts', sampleRate: rate, channels: 2, rateControl: { constant: 320_000 },
  })
  const samples = Float32Array.from(bursts(20, { rate }), (sample) => sample / 32768)
  const pieces = [encoder.encode(samples), encoder.finish()].flat().map(({ bytes }) => bytes)
  const blob = new Blob(pieces)
  const rows = []
  await aacorn.inspect(blob, { onRows: (batch) => rows.push(...batch) })
  const some = rows.filter(({ number }) => number % 16 === 0)
  const index = {
    offsets: Float64Array.from(some, ({ offset }) => offset),
    times: Float64Array.from(some, ({ time }) => time),
  }
  const engine = new Engine(await WebAssembly.compile(bytes('aacorn-sound.wasm')))
  const whole = await (await SoundReader.open(engine, blob)).read()
  let read = 0
  /** A blob that counts the bytes that are taken out of it. */
  const counting = (blob) => ({
    size: blob.size,
    slice(start, end = blob.size) {
      const part = blob.slice(start, end)
      const counted = counting(part)
      counted.arrayBuffer = () => {
        read += part.size
        return part.arrayBuffer()
      }
      return counted
    },
  })
  const reach = new Reach(engine, counting(blob), index, rate)
  for (const position of [0, 700_000, 300_123, 310_000, 900_000, 5]) {
    const { channels } = await reach.read(position, 5000)
    const expected = whole.channels[0].subarray(position, position + 5000)
    const worst = channels[0].reduce(
      (most, sample, at) => Math.max(most, Math.abs(sample - expected[at])), 0)
    assert.equal(channels[0].length, 5000)
    assert.ok(worst < 1e-3, `at ${position} it is ${worst} off`)
  }
  assert.ok(read < 2 * blob.size, `${read} bytes were read of ${blob.size}`)
  assert.equal(await reach.read(5_000_000, 100), null)
})

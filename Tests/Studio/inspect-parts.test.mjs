// Parts of Inspect that need no browser: spectra, pictures of audio, samples from any part of a file.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { load, SoundReader } from '../../Npm/aacorn.js'
import { Engine } from '../../Npm/engine.js'
import { bursts, wav } from './sound.mjs'

const page = new URL('../../Sources/AacornStudioPage/Public/', import.meta.url)
const parts = new URL('views/inspect/sound/', page)
const { frameIndex } = await import(new URL('decoding.js', parts))
const { Overview, Picture, PictureMaker } = await import(new URL('picture.js', parts))
const { mixdown, SampleSeeker } = await import(new URL('sample-seeker.js', parts))
const { rowCount, Spectrum } = await import(new URL('spectrum.js', parts))
const { RowPacker, RowStore } = await import(new URL('../rows.js', parts))
const { onlySound } = await import(new URL('../inspection.js', parts))
const { chapterText, gridText, replicationText, stereoText } = await import(new URL('../facts.js', parts))
const { GapList } = await import(new URL('../placelist.js', parts))

const rate = 48_000

/** A tone in Float32. */
function tone(frequency, count, level = 1) {
  return Float32Array.from({ length: count },
    (_, index) => level * Math.sin(2 * Math.PI * frequency * index / rate))
}

/** Returns the row of a frequency. */
const rowOf = (frequency) => Math.floor(frequency / (rate / 2) * rowCount)

test('a tone is in its row with its level', () => {
  for (const [channels, expected] of [
    [[tone(3000, 4096)], 255], [[tone(3000, 4096, 0.1)], 255 - 0.2 * 255],
    // Half of the power is missing if one of two channels is silent.
    [[tone(3000, 4096), new Float32Array(4096)], 255 - 0.0301 * 255],
  ]) {
    const spectrum = new Spectrum()
    spectrum.push(channels[0], channels[1], 0, 4096)
    const levels = new Uint8Array(rowCount)
    spectrum.levels(levels)
    const loudest = levels.indexOf(Math.max(...levels))
    assert.ok(Math.abs(loudest - rowOf(3000)) <= 1, `row ${loudest}`)
    // A tone between two bins appears up to 1.4 dB quieter.
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
  // Merged columns are wider than the columns of the picture.
  assert.ok((loud[6] || loud[7]) && !loud[2] && !loud[9])
  const levels = picture.levels.subarray(5 * rowCount, 6 * rowCount)
  const loudest = levels.indexOf(Math.max(...levels))
  assert.ok(Math.abs(loudest - rowOf(6000)) <= 1)
  // Columns after the end are unknown.
  assert.equal(overview.picture(0, 2 * count, 10).knownCount < 7, true)
})

test('many channels are mixed to two without getting louder', () => {
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

/** Returns the bytes of a file next to the page's modules. */
const bytes = (name) => fs.readFileSync(new URL(`aacorn/${name}`, page))
const aacorn = await load(bytes('aacorn.wasm'), { inspector: bytes('aacorn-inspector.wasm') })
const engine = new Engine(await WebAssembly.compile(bytes('aacorn-sound.wasm')))

/** Returns a stream with ADTS headers in pieces. */
function adts(seconds) {
  const encoder = aacorn.fileEncoder({
    container: 'adts', sampleRate: rate, channels: 2, rateControl: { constant: 320_000 },
  })
  const samples = Float32Array.from(bursts(seconds, { rate }), (sample) => sample / 32768)
  return [encoder.encode(samples), encoder.finish()].flat().map(({ bytes }) => bytes)
}

/** Returns the data of a file that Inspect has when decoding starts. */
async function inspected(blob) {
  const packer = new RowPacker()
  const rows = new RowStore()
  const report = await aacorn.inspect(blob, { onRows: (batch) => rows.append(packer.pack(batch)) })
  return { rows, report }
}

test('notes about the whole file do not mark a frame', async () => {
  const { rows } = await inspected(new Blob(adts(1).map((bytes) => bytes)))
  const faulty = new RowStore()
  const row = rows.row(0)
  faulty.append(new RowPacker().pack([{ ...row, faults: 1 }, { ...row, faults: 2 }, row]))
  faulty.removeNotes([{ severity: 'note', frame: 0 }, { severity: 'error', frame: 1 },
    { severity: 'note', frame: 9 }])
  assert.deepEqual(faulty.faulty, [1])
  assert.deepEqual([0, 1, 2].map((index) => faulty.faults(index)), [0, 2, 0])
})

/** Returns a blob that counts the bytes read from it. */
function counting(blob, taken) {
  return {
    size: blob.size,
    slice(start, end = blob.size) {
      const part = blob.slice(start, end)
      const counted = counting(part, taken)
      counted.arrayBuffer = () => {
        taken.bytes += part.size
        return part.arrayBuffer()
      }
      return counted
    },
  }
}

/** Jumps to positions in a file and back, and compares with the complete file. */
async function checkJumps(blob, index) {
  const whole = await (await SoundReader.open(engine, blob, SampleSeeker.options)).read()
  const taken = { bytes: 0 }
  const seeker = new SampleSeeker(engine, counting(blob, taken), index, rate)
  for (const position of [0, 700_000, 300_123, 310_000, 900_000, 5]) {
    const { channels } = await seeker.read(position, 5000)
    const expected = whole.channels[0].subarray(position, position + 5000)
    const worst = channels[0].reduce(
      (most, sample, at) => Math.max(most, Math.abs(sample - expected[at])), 0)
    assert.equal(channels[0].length, 5000)
    assert.ok(worst < 1e-3, `at ${position} it is ${worst} off`)
  }
  assert.equal(await seeker.read(5_000_000, 100), null)
  return taken.bytes
}

test('any part of a stream is decoded from its neighborhood', async () => {
  const blob = new Blob(adts(20))
  const index = frameIndex(await inspected(blob))
  const read = await checkJumps(blob, index)
  assert.ok(read < 2 * blob.size, `${read} bytes were read of ${blob.size}`)
})

test('any part of LATM is decoded, although few frames contain the configuration', async () => {
  const latm = execFileSync('ffmpeg', ['-v', 'error', '-i', '-', '-c', 'copy', '-f', 'latm',
    '-smc-interval', '50', '-'], { input: Buffer.concat(adts(20)), maxBuffer: 1 << 24 })
  const blob = new Blob([latm])
  const inspection = await inspected(blob)
  assert.equal(inspection.report.container, 'LATM in LOAS')
  assert.ok(inspection.rows.length > 900, `${inspection.rows.length} frames`)
  await checkJumps(blob, frameIndex(inspection))
})

/** Starts the page's worker in a thread of node; `onMessage` receives its messages. */
function startWorker(onMessage) {
  const worker = new Worker(`
    const { parentPort, workerData } = require('node:worker_threads')
    globalThis.self = { postMessage: (...message) => parentPort.postMessage(...message) }
    import(workerData).then(() => parentPort.on('message', data => self.onmessage({ data })))
  `, { eval: true, workerData: new URL('worker.js', parts).href })
  worker.on('message', onMessage)
  return worker
}

test('every requested picture is completed, short or long', { timeout: 60_000 }, async () => {
  const slow = 1000
  const file = wav(new Int16Array(1300 * slow), { rate: slow, channels: 1 })
  // The overview has columns of 1024 samples. The second request has a higher resolution, but is too long to
  // be decoded again; the third is not.
  const requests = [[0, 1_300_000, 100], [0, 1_300_000, 2000], [5000, 9000, 100]]
  for (const [start, end, columns] of requests) {
    let worker
    const pictures = await new Promise((resolve, reject) => {
      const received = []
      worker = startWorker((message) => {
        if (message.type === 'failed') reject(new Error(message.message))
        if (message.type === 'opened') {
          worker.postMessage({ type: 'picture', number: 1, start, end, columns })
        }
        if (message.type !== 'picture') return
        received.push(message)
        if (message.isExact) resolve(received)
      })
      worker.on('error', reject)
      worker.postMessage({ type: 'open', blob: new Blob([file]), index: null, expected: 0 })
    }).finally(() => worker.terminate())
    assert.equal(pictures.at(-1).picture.knownCount, columns)
  }
})

test('a file without frames is named by its format', () => {
  const file = { name: 'some.file' }
  assert.match(onlySound(file, 'aiff'), /^“some.file” is AIFF, not AAC/)
  assert.match(onlySound(file, 'mpeg-ts'), /^“some.file” can be played/)
})

/** The report of a hundred frames of a core at 24 kHz, 100 bytes each. */
const replicated = {
  codedSamples: 102_400, coreSampleRate: 24_000, payloadBytes: 10_000, replicatedFrom: 8250,
  replicatedTo: 16_125,
  replication: {
    payloads: 100, unheaded: 0, damaged: 0, headerFrames: 10, headerDistance: 12,
    headerInterval: 0.512, channels: 200, fixFix: 150, fixVar: 0, varFix: 0, varVar: 50,
    envelopes: 290, pairs: 100, coupled: 40, sines: 3, bits: 16_400, bitsPerFrame: 164,
  },
  parametricStereo: null,
}

test('band replication has two lines, other files none', () => {
  assert.equal(plain(replicationText(replicated)), '8.25 kHz to 16.125 kHz, headers at most '
    + '12 frames (0.512 s) apart; 164.0 bits a frame, 3.8 kb/s, 20.5 % of all')
  assert.equal(plain(gridText(replicated)), 'FIXFIX 75.0 %, VARVAR 25.0 %; 1.45 envelopes a frame; '
    + 'coupled 40.0 % of pairs; sines 3.0 % of frames')
  const none = { ...replicated, replicatedFrom: null, replication: null }
  assert.deepEqual([replicationText(none), gridText(none), stereoText(none)], ['', '', ''])
})

test('unreadable band replication is reported', () => {
  const replication = {
    ...replicated.replication, headerFrames: 1, unheaded: 4, damaged: 2,
  }
  assert.match(replicationText({ ...replicated, replicatedFrom: null, replication }),
    /^one header only, 4 of 100 payloads before any header, 2 of 100 payloads damaged; /)
  const late = { ...replication, headerFrames: 0, unheaded: 98, channels: 0 }
  assert.match(replicationText({ ...replicated, replication: late }), /, no header, 98 of /)
  assert.equal(gridText({ replication: late }), '')
})

test('parametric stereo has a line', () => {
  const stereo = {
    payloads: 100, unheaded: 0, damaged: 0, levelBands: 20, fineLevels: true, coherenceBands: 0,
    phases: 50, envelopes: 140, bits: 8000, bitsPerFrame: 80,
  }
  assert.equal(plain(stereoText({ ...replicated, parametricStereo: stereo })),
    '20 fine levels, no coherences, phases 50.0 %, 1.40 envelopes a frame; '
    + '80.0 bits a frame, 1.9 kb/s, 10.0 % of all')
  const late = { ...stereo, unheaded: 100 }
  assert.match(stereoText({ ...replicated, parametricStereo: late }),
    /^100 of 100 payloads before any header; /)
})

/** An element with the members that a list of gaps uses, since node has no document. */
class TestElement {
  static TEXT_NODE = 3
  children = []
  #click = null

  get childElementCount() { return this.children.length }
  get lastElementChild() { return this.children.at(-1) ?? null }
  setAttribute() {}
  append(...children) { this.children.push(...children) }
  replaceChildren() { this.children = [] }
  addEventListener(_, act) { this.#click = act }
  click() { this.#click() }
  focus() { document.activeElement = this }

  /** Returns the button in a line; the selector contains the line's number. */
  querySelector(selector) { return this.children[/n \+ (\d+)/.exec(selector)[1] - 1].children[0] }
}

test('a list of gaps shows 50 more at a time', (context) => {
  context.after(() => {
    delete globalThis.document
    delete globalThis.Node
  })
  globalThis.document = { createElement: () => new TestElement() }
  globalThis.Node = TestElement
  const gaps = Array.from({ length: 120 }, (_, index) => (
    { position: index * rate, length: 480, cause: 'overrun', filled: true }))
  const picked = []
  const list = new GapList({ onPick: (seconds) => picked.push(seconds) })
  list.show({ gaps, sampleRate: rate })
  const [, lines, more] = list.element.children
  const shown = () => [lines.childElementCount, more.hidden, more.textContent]
  assert.equal(list.element.hidden, false)
  assert.deepEqual(shown(), [50, false, 'Show more (70 left)'])
  more.click()
  assert.deepEqual(shown(), [100, false, 'Show more (20 left)'])
  const buttons = () => lines.children.map(({ children: [button] }) => button)
  assert.equal(document.activeElement, buttons()[50], 'the first new line has the focus')
  more.click()
  assert.deepEqual(shown(), [120, true, ''])
  assert.equal(document.activeElement, buttons()[100], 'the first new line has the focus')
  for (const button of buttons()) button.click()
  assert.deepEqual(picked, gaps.map((_, index) => index), 'every gap has one line, in order')
})

/** Replaces narrow spaces by ordinary spaces. */
function plain(text) {
  return text.replaceAll('\u202f', ' ')
}

test('the first twenty chapters are listed', () => {
  const chapters = Array.from({ length: 23 }, (_, index) => (
    { start: index * 61, title: `Part ${index}` }))
  assert.equal(chapterText([]), '')
  assert.equal(chapterText(chapters.slice(0, 2)), '0:00 Part 0; 1:01 Part 1')
  assert.ok(chapterText(chapters).endsWith('; 19:19 Part 19; and 3 more'))
})

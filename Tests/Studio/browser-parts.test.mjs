// Parts of “Convert” that need no browser: lost audio, file headers, uploads.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { load } from '../../Npm/aacorn.js'
import { until } from './waiting.mjs'

const parts = new URL('../../Sources/AacornStudioPage/Public/views/browser/', import.meta.url)
const { Capture, Continuity } = await import(new URL('capture.js', parts))
const { Recording } = await import(new URL('recording.js', parts))
const { Upload } = await import(new URL('upload.js', parts))
const {
  adtsFrameAt, adtsHeader, coreOf, mediaStart, unitLength, windowOf
} = await import(new URL('units.js', parts))
const { Damage, damageNote, lossNote } = await import(new URL('notes.js', parts))
const { freeName, stem, tagsOf } = await import(new URL('../files.js', parts))
const { openStore } = await import(new URL('store.js', parts))
const { sniff } = await import(new URL('sniff.js', parts))
const { waveHeader, waveHeaderSize } = await import(new URL('entries.js', parts))

const aacorn = await load()
const rate = 48_000
const blockLength = 1024

/**
 * Returns the number of missing frames that Continuity reports for blocks of `seconds` from the audio thread.
 * `stamp(time)` and `arrival(time)` return when a block is stamped and arrives, in ms; `start(index)` returns
 * its first frame.
 */
function missing(seconds, { stamp = time => time, arrival = time => time, start } = {}) {
  const continuity = new Continuity(rate)
  let sum = 0
  for (let index = 0; index < seconds * rate / blockLength; index++) {
    const block = { start: start?.(index) ?? index * blockLength, count: blockLength }
    const time = (index + 1) * blockLength / rate * 1000
    sum += continuity.missing(block, stamp(time), arrival(time))
  }
  return sum
}

test('audio without loss is not filled', () => {
  assert.equal(missing(20), 0)
  // The audio clock is 300 ppm slow for an hour: a second in total, but nothing is lost.
  const slow = time => time * 1.0003
  assert.equal(missing(3600, { stamp: slow, arrival: slow }), 0)
  // Blocks arrive up to 40 ms late, each by a different delay.
  const late = time => time + (time * 7919) % 40
  assert.equal(missing(60, { stamp: late, arrival: late }), 0)
})

test('a busy worker or a changed clock is not counted as lost audio', () => {
  // No block is processed for three seconds; then all arrive in a burst.
  const busy = time => (time > 5000 && time < 8000 ? 8000 : time)
  assert.equal(missing(20, { arrival: busy }), 0)
  const clock = time => time + (time > 6000 ? 3_600_000 : 0)
  assert.equal(missing(20, { stamp: clock }), 0)
  assert.equal(missing(20, { arrival: busy, stamp: clock }), 0)
})

test('a stalled audio thread loses audio, measured to the millisecond', () => {
  const still = time => time + (time > 5000 ? 1500 : 0)
  const frames = missing(20, { stamp: still, arrival: still })
  assert.ok(Math.abs(frames - 1.5 * rate) < rate / 1000, `${frames} frames`)
  // Each of the forty losses of 40 ms is too short to distinguish from a late block, but the sum is not.
  const often = time => time + 40 * Math.min(40, Math.floor(time / 2000))
  const sum = missing(90, { stamp: often, arrival: often })
  assert.ok(Math.abs(sum - 1.6 * rate) < 0.1 * rate, `${sum} frames`)
  // For 1.5 s, blocks are only late, but silence is inserted for them. The silence for a later loss is shorter
  // by that amount.
  const both = time => time + (time > 5000 && time < 6500 ? 150 : 0) + (time > 12_000 ? 900 : 0)
  const total = missing(20, { stamp: both, arrival: both })
  assert.ok(Math.abs(total - 0.9 * rate) < rate / 1000, `${total} frames`)
  // An hour of jitter between two losses does not reduce the second one.
  const noisy = time => time + (time * 7919) % 25 + (time > 5000 ? 900 : 0)
    + (time > 3_590_000 ? 600 : 0)
  const losses = missing(3600, { stamp: noisy, arrival: noisy })
  assert.ok(Math.abs(losses - 1.5 * rate) < 0.03 * rate, `${losses} frames`)
  // The browser itself skips frame numbers, together with the clock.
  const jump = index => index * blockLength + (index >= 200 ? 12_345 : 0)
  const later = time => time + (time > 200 * blockLength / rate * 1000 ? 12_345 / rate * 1000 : 0)
  assert.equal(missing(20, { start: jump, stamp: later, arrival: later }), 12_345)
})

test('the audio thread sends every sample in blocks, in order', async () => {
  let Processor
  Object.assign(globalThis, {
    currentFrame: 0, AudioWorkletProcessor: class { port = {} },
    registerProcessor(name, type) { Processor = type }
  })
  await import(new URL('microphone-worklet.js', parts))
  for (const channelCount of [1, 2]) {
    const processor = new Processor({ processorOptions: { channelCount, blockLength: 300 } })
    const [received, starts] = [[], []]
    const port = { postMessage({ samples, start, count }) {
      received.push(...samples.subarray(0, count * channelCount))
      starts.push([start, count])
      // Only some blocks return, as from a busy worker, and with old samples.
      if (starts.length % 3) port.onmessage({ data: { spare: samples } })
    } }
    processor.port.onmessage({ data: { port } })
    const expected = []
    const first = globalThis.currentFrame
    for (let call = 0; call < 200; call++) {
      // The browser skips frames once, and once no input is connected.
      if (call === 100) globalThis.currentFrame += 1000
      const value = (frame, channel) => (call === 50 ? 0 : call * 128 + frame + channel / 2)
      const input = Array.from({ length: call === 50 ? 0 : channelCount }, (_, channel) =>
        Float32Array.from({ length: 128 }, (_, frame) => value(frame, channel)))
      for (let frame = 0; frame < 128; frame++) {
        for (let channel = 0; channel < channelCount; channel++) expected.push(value(frame, channel))
      }
      assert.equal(processor.process([input], [[new Float32Array(128)]]), true)
      globalThis.currentFrame += 128
    }
    port.onmessage({ data: { flush: 1 } })
    assert.deepEqual(received, expected)
    // Each block has the frame of its first sample.
    let next = first
    for (const [start, count] of starts) {
      if (next === first + 100 * 128) next += 1000
      assert.equal(start, next)
      next += count
    }
    port.onmessage({ data: { close: true } })
    assert.equal(processor.process([[]], [[new Float32Array(128)]]), false)
  }
})

test('the header of a WAV file states the length, also beyond 4 GiB', () => {
  const text = (bytes, at) => String.fromCharCode(...bytes.subarray(at, at + 4))
  for (const byteCount of [0, 8 * rate, 5 * 2 ** 30]) {
    const bytes = waveHeader({ sampleRate: rate, channels: 2, byteCount })
    const view = new DataView(bytes.buffer)
    const isLong = byteCount > 2 ** 32
    assert.equal(bytes.length, waveHeaderSize)
    assert.equal(text(bytes, 0), isLong ? 'RF64' : 'RIFF')
    let at = 12
    const found = {}
    while (text(bytes, at) !== 'data') {
      found[text(bytes, at)] = at + 8
      at += 8 + view.getUint32(at + 4, true)
    }
    assert.equal(at + 8, waveHeaderSize)
    assert.equal(view.getUint16(found['fmt '], true), 3)
    assert.equal(view.getUint32(found['fmt '] + 4, true), rate)
    if (isLong) {
      assert.equal(Number(view.getBigUint64(found.ds64, true)), byteCount + waveHeaderSize - 8)
      assert.equal(Number(view.getBigUint64(found.ds64 + 8, true)), byteCount)
      assert.equal(Number(view.getBigUint64(found.ds64 + 16, true)), byteCount / 8)
    } else {
      assert.equal(view.getUint32(4, true), byteCount + waveHeaderSize - 8)
      assert.equal(view.getUint32(at + 4, true), byteCount)
    }
  }
})

/** Two seconds of a tone that begins suddenly, to force short blocks. */
function sound(channels) {
  const samples = new Float32Array(2 * rate * channels)
  for (let index = 0; index < samples.length; index++) {
    const frame = Math.floor(index / channels)
    const level = frame % rate < rate / 2 ? 0.001 : 0.6
    samples[index] = level * Math.sin(frame * (0.05 + 0.01 * (index % channels)))
  }
  return samples
}

test('a recording in pieces of any length equals the output of the encoder', async () => {
  for (const [container, channels] of [['adts', 1], ['adts', 2], ['m4a', 1], ['m4a', 2]]) {
    const options = {
      container, channels, sampleRate: rate, rateControl: { constant: 96_000 }, effort: 'balanced'
    }
    const samples = sound(channels)
    const recording = await Recording.open(aacorn, null, {
      ...options, id: 'test', name: 'test', keepsSamples: true
    })
    const shown = []
    for (let at = 0, length = 1; at < samples.length; at += length * channels) {
      length = 1 + (length * 31 + 7) % 2500
      recording.encode(samples.slice(at, at + length * channels))
      shown.push(...recording.takeFrames())
    }
    recording.encodeSilence(5000)
    const { file, samples: wave } = await recording.finish()
    const whole = new Float32Array(samples.length + 5000 * channels)
    whole.set(samples)
    const encoder = aacorn.fileEncoder(options)
    const store = await openStore(null)
    for (const writes of [encoder.encode(whole), encoder.finish()]) {
      for (const { offset, bytes } of writes) store.write(offset, bytes)
    }
    encoder.close()
    const [made, expected] = await Promise.all(
      [file, await store.close()].map(async blob => Buffer.from(await blob.arrayBuffer())))
    assert.ok(made.equals(expected), `${container} with ${channels} channels`)
    const kept = new Float32Array((await wave.slice(waveHeaderSize).arrayBuffer()))
    assert.deepEqual(kept, whole)
    // Blocks follow each other as the standard requires: start before short, stop after.
    const next = { 0: [0, 1], 1: [2], 2: [2, 3], 3: [0, 1] }
    assert.ok(shown.some(([, window]) => window === 2), 'no short block is shown')
    for (let index = 1; index < shown.length; index++) {
      assert.ok(next[shown[index - 1][1]].includes(shown[index][1]), `block ${index}`)
    }
    // Every reported frame is one access unit of the file, with the reported length.
    const report = []
    await aacorn.inspect(new Blob([expected]), { onRows: rows => report.push(...rows) })
    const reports = shown.map(([bytes]) => bytes)
    assert.deepEqual(reports, report.slice(0, reports.length).map(({ bytes }) => bytes))
    assert.ok(report.length - reports.length < 12, `${report.length} units, ${reports.length} reported`)
  }
})

/** Captures a microphone in memory: `feed(seconds)` delivers audio, `reports` contains its messages. */
async function captured(options = {}, { channels = 1, coder = aacorn } = {}) {
  const port = { close() {}, postMessage({ flush }) { if (flush) port.bring(1, flush) } }
  const reports = []
  let released = 0
  let start = 0
  const capture = await Capture.open(coder, {
    port, sampleRate: rate, channels, post: message => reports.push(message)
  })
  port.bring = (count, flush = 0) => {
    const samples = new Float32Array(count * channels).fill(0.1)
    start += count
    port.onmessage({ data: { samples, start: start - count, count, at: Date.now(), flush } })
  }
  const feed = seconds => {
    for (let left = seconds * rate; left > 0; left -= blockLength) port.bring(blockLength)
  }
  const notes = []
  const entry = {
    folder: null, release: () => { released++ },
    note: async more => { notes.push(more) },
    complete: async (file, samples, results) => ({ file, ...results })
  }
  await capture.start(entry, {
    container: 'm4a', channels, sampleRate: rate, id: 'test', name: 'test', ...options
  })
  return { capture, feed, reports, notes, released: () => released }
}

test('time during a pause is not counted as lost', async t => {
  t.mock.timers.enable({ apis: ['Date'] })
  let now = 0
  t.mock.method(performance, 'now', () => now)
  const pass = ms => {
    now += ms
    t.mock.timers.tick(ms)
  }
  for (const isPaused of [true, false]) {
    const { capture, feed } = await captured()
    feed(2)
    if (isPaused) capture.pause(true)
    pass(10_000)
    if (isPaused) capture.pause(false)
    feed(2)
    const { seconds, gapCount, lostSeconds } = await capture.stop()
    assert.equal(gapCount, isPaused ? 0 : 1)
    assert.equal(lostSeconds > 5, !isPaused)
    assert.ok(Math.abs(seconds - 4 - lostSeconds) < 0.1, `${seconds} s`)
    await capture.close()
  }
})

test('a failed recording is completed with the audio up to the failure', async () => {
  for (const stops of [false, true]) {
    const failing = {
      columns: (...values) => aacorn.columns(...values),
      fileEncoder(options) {
        const encoder = aacorn.fileEncoder(options)
        let count = 0
        const encode = encoder.encode.bind(encoder)
        encoder.encode = samples => {
          count += 1
          if (count > 100) throw new Error('It is too long.')
          return encode(samples)
        }
        return encoder
      }
    }
    const { capture, feed, reports, released } = await captured({}, { coder: failing })
    feed(3)
    // A stop at this moment returns the recording, too.
    const stopped = stops ? await capture.stop() : null
    const broken = await until(() => {
      const broken = reports.filter(({ type }) => type === 'broken')
      return broken.length > 0 && broken
    }, 'the report of the failure')
    assert.deepEqual(broken.map(({ message }) => message), ['It is too long.'])
    const [{ entry }] = broken
    if (stops) assert.equal(stopped, entry)
    assert.equal(capture.recording, null)
    assert.equal(released(), 1)
    const report = await aacorn.inspect(entry.file)
    assert.equal(report.errors, 0)
    assert.equal(report.samples, 100 * blockLength)
    await capture.close()
    assert.equal(released(), 1)
  }
})

for (const [profile, core, length] of [
  ['lc', { sampleRate: rate, channels: 2 }, 1024],
  ['he', { sampleRate: rate / 2, channels: 2 }, 2048],
  ['he2', { sampleRate: rate / 2, channels: 1 }, 2048],
]) {
  test(`recovered frames of ${profile} have ADTS headers`, async () => {
    const encoder = aacorn.encoder({
      sampleRate: rate, channels: 2, profile, rateControl: { constant: 32_000 }
    })
    assert.deepEqual(coreOf(encoder.audioSpecificConfig), core)
    assert.equal(unitLength(core, rate), length)
    const units = [...encoder.encode(sound(2)), ...encoder.finish().units]
    encoder.close()
    const blob = new Blob(units.flatMap(unit => [adtsHeader(core, unit.length), unit]))
    const bytes = new Uint8Array(await blob.arrayBuffer())
    let count = 0
    for (let at = 0, found; (found = adtsFrameAt(bytes, at)); at += found.length) {
      assert.equal(found.length - found.header, units[count].length)
      assert.notEqual(windowOf(units[count]), null)
      count++
    }
    assert.equal(count, units.length)
    const report = await aacorn.inspect(blob)
    assert.equal(report.errors, 0)
    assert.equal(report.sampleRate, rate)
    assert.equal(report.coreSampleRate, core.sampleRate)
    assert.equal(mediaStart(bytes), -1)
    // The recovered audio is as long as the recorded audio, except for the ends.
    assert.ok(Math.abs(count * unitLength(core, rate) / rate - 2) < 0.2)
  })
}

test('a recording stores its core and reports its frame rate', async () => {
  for (const [profile, channels, unitRate] of [
    [undefined, 2, rate / 1024], ['lc', 2, rate / 1024], ['he', 2, rate / 2048],
    ['he2', 1, rate / 2048],
  ]) {
    const { capture, feed, reports, notes } = await captured({
      profile, rateControl: { constant: 32_000 }
    }, { channels: 2 })
    feed(3)
    assert.deepEqual(notes, [{ core: { sampleRate: unitRate * 1024, channels } }])
    const meters = reports.filter(({ type }) => type === 'meter')
    assert.ok(meters.every(meter => meter.unitRate === unitRate))
    const shown = meters.flatMap(({ frames }) => frames)
    assert.ok(Math.abs(shown.length - 3 * unitRate) < 8, `${shown.length} frames of ${profile}`)
    const { file } = await capture.stop()
    assert.equal((await aacorn.inspect(file)).errors, 0)
    await capture.close()
  }
})

/** Replaces `fetch` by a server of uploads; `fault(request)` may respond instead. */
function serve(fault = () => null) {
  const server = { uploads: new Map(), finished: null, requests: 0, begun: 0 }
  globalThis.fetch = async (path, { method, body, headers }) => {
    assert.equal(headers['X-Aacorn'], 'studio')
    server.requests++
    const url = new URL(path, 'http://localhost')
    const answer = (status, value) => Response.json(value, { status })
    const wrong = fault({ method, path: url.pathname, number: server.requests, server })
    if (wrong instanceof Error) throw wrong
    if (wrong) return answer(...wrong)
    const [, , , id, act] = url.pathname.split('/')
    if (!id) {
      server.begun++
      server.uploads.set(`u${server.begun}`, { name: body.get('name'), bytes: Buffer.alloc(0) })
      return answer(200, { id: `u${server.begun}` })
    }
    const upload = server.uploads.get(id)
    if (!upload) return answer(404, { error: 'There is no such upload.' })
    if (act === 'finish') {
      server.finished = upload
      return answer(200, { name: upload.name })
    }
    const at = Number(url.searchParams.get('at'))
    assert.ok(body.length <= 1 << 20 && at <= upload.bytes.length)
    const whole = Buffer.alloc(Math.max(upload.bytes.length, at + body.length))
    upload.bytes.copy(whole)
    whole.set(body, at)
    upload.bytes = whole
    return answer(200, { bytes: whole.length })
  }
  return server
}

const content = Buffer.from(Array.from({ length: 2_500_000 }, (_, index) => (index * 7) & 0xff))
const read = (at, length) => content.subarray(at, at + length)

test('a file that grows and changes at its start arrives complete', async () => {
  const server = serve()
  const upload = new Upload({ name: 'one.m4a', read })
  upload.grow(10_000)
  await until(() => upload.sent === 10_000, 'the first bytes')
  const before = content[40]
  content[40] ^= 0xff
  upload.overwrite(40, 1)
  upload.grow(content.length)
  upload.finish()
  await upload.ended
  assert.equal(upload.state, 'done', upload.problem)
  assert.equal(upload.finalName, 'one.m4a')
  assert.ok(server.finished.bytes.equals(content))
  content[40] = before
})

/** Uploads a file; returns the upload at its end, and its states. */
async function sent(name, reading = read) {
  const states = new Set()
  const upload = new Upload({ name, read: reading })
  upload.addEventListener('change', () => states.add(upload.state))
  upload.grow(content.length)
  upload.finish()
  await upload.ended
  return { upload, states }
}

test('an upload waits for an unavailable server and restarts after the server has lost it', async () => {
  const server = serve(({ number, server }) => {
    if (number === 3) return new TypeError('network')
    if (number === 4) return [503, { error: 'busy' }]
    if (number === 5) server.uploads.clear()
    return null
  })
  const { upload, states } = await sent('two.aac')
  assert.equal(upload.state, 'done', upload.problem)
  assert.ok(states.has('waiting'))
  assert.equal(server.begun, 2)
  assert.ok(server.finished.bytes.equals(content))
})

test('a rejection ends the upload with the message of the server', async () => {
  const full = [507, { error: 'The disk is full.' }]
  const server = serve(({ number }) => (number === 2 ? full : null))
  const { upload } = await sent('three.aac')
  assert.equal(upload.state, 'failed')
  assert.equal(upload.problem, 'The disk is full.')
  assert.equal(server.requests, 2)
})

test('an unreadable file ends the upload without retries', async () => {
  serve()
  const { upload } = await sent('four.aac', () => Promise.reject(new Error('gone')))
  assert.equal(upload.state, 'failed')
  assert.match(upload.problem, /read/)
})

test('names provide tags, and results have unique names', () => {
  assert.deepEqual(tagsOf('03 - Some One - A song.flac'), { artist: 'Some One', title: 'A song' })
  assert.deepEqual(tagsOf('Some One – A song.wav'), { artist: 'Some One', title: 'A song' })
  assert.deepEqual(tagsOf('just_a_name.wav'), { title: 'just a name' })
  assert.equal(stem('a.b.wav'), 'a.b')
  assert.equal(stem('.wav'), '.wav')
  assert.equal(freeName('a.m4a', new Set(['a.m4a', 'a 2.m4a'])), 'a 3.m4a')
})

test('the format, the sampling rate and our decoder are selected by the first bytes', async () => {
  const bytes = (...values) => Buffer.concat(values.map(value => Buffer.from(value)))
  const flac = [0, 0, 0, 34, ...new Uint8Array(10), 0x0a, 0xc4, 0x42, 0xf0, ...new Uint8Array(20)]
  const opus = bytes('OggS', new Uint8Array(22), [1, 19], 'OpusHead', new Uint8Array(11))
  const frame = [0xff, 0xf1, 0x50, 0x80, 1, 0x1f, 0xfc, 0]
  const tag = bytes('ID3', [4, 0, 0, 0, 0, 1, 0], new Uint8Array(128))
  const packet = bytes([0x47, 0x40, 0, 0x10], new Uint8Array(184))
  const timed = bytes([0, 0, 0, 0], packet)
  const loas = [0x56, 0xe0, 4, 1, 2, 3, 4]
  const mayBeAAC = true
  for (const [head, expected] of [
    [bytes('fLaC', flac), { format: 'FLAC', sampleRate: 44_100, bits: 16, isRate: true, mayBeAAC: false }],
    [bytes(tag, 'fLaC', flac), { format: 'FLAC', sampleRate: 44_100, bits: 16 }],
    [opus, { format: 'Ogg Opus', sampleRate: 48_000, isSamples: false, mayBeAAC: false }],
    [bytes('\x1a', [0x45, 0xdf, 0xa3], new Uint8Array(95)), { mayBeAAC: false }],
    [bytes(tag, [0xff, 0xfb, 0x98, 0x64]), { format: 'MP3', sampleRate: 32_000 }],
    [bytes([0xff, 0xf1, 0x5c, 0x80, 0, 0, 0]), { format: 'AAC', sampleRate: 22_050 }],
    [bytes('RIFF', [0, 0, 0, 0], 'WAVE'), { format: 'WAV', isSamples: true, mayBeAAC: false }],
    [bytes('nonsense that is not audio'), { format: '', sampleRate: 48_000, isRate: false, mayBeAAC }],
    // Bytes that resemble MP3 before a complete AAC frame are the end of a frame.
    [bytes([0xff, 0xfb, 0x98, 0x64], frame, frame), { format: 'AAC', sampleRate: 44_100 }],
    // Pictures often contain bytes that resemble an MPEG audio header.
    [bytes([0xff, 0xd8, 0xff, 0xe0, 0xff, 0xfb, 0x98, 0x64]),
      { format: 'a JPEG picture', mayBeAAC: false }],
    [bytes([0x89], 'PNG\r\n', [0xff, 0xfb, 0x98, 0x64]), { format: 'a PNG picture', isLossy: false }],
    [bytes('fL'), { format: '', sampleRate: 48_000, mayBeAAC }],
    [bytes([0, 0, 0, 24], 'ftypM4A ', new Uint8Array(12)), { format: 'MPEG-4', mayBeAAC }],
    [bytes([0, 0, 0, 8], 'wide', [0, 0, 0, 8], 'mdat'), { format: 'MPEG-4', mayBeAAC }],
    [bytes(packet, packet, packet), { format: 'MPEG transport stream', mayBeAAC }],
    [bytes(timed, timed, timed), { format: 'MPEG transport stream', mayBeAAC }],
    [bytes(loas, loas), { format: 'AAC', mayBeAAC }],
    [bytes('ADIF', new Uint8Array(30)), { format: 'AAC', mayBeAAC }],
  ]) {
    const found = await sniff(new Blob([head]))
    for (const [key, value] of Object.entries(expected)) {
      assert.equal(found[key], value, `${key} of ${head.subarray(0, 12).toString('latin1')}`)
    }
  }
})

test('losses are described in messages', () => {
  assert.equal(lossNote({ isLossy: false }), '')
  assert.match(lossNote({ isLossy: true }), /already compressed/)
  const damage = new Damage()
  assert.equal(damageNote({ damage, sampleRate: rate }), '')
  damage.add([{ position: 590_400, frameCount: 1024, unitCount: 1 }])
  assert.equal(damageNote({ damage, sampleRate: rate }),
    '1 frame was damaged or missing and concealed, the first at 0:12.3.')
  damage.add([
    { position: 700_000, frameCount: 500, unitCount: 1 },
    { position: 900_000, frameCount: 1024, unitCount: 1 }
  ])
  assert.equal(damage.frameCount, 2548)
  assert.equal(damageNote({ damage, sampleRate: rate }),
    '3 frames were damaged or missing and concealed, the first at 0:12.3.')
})

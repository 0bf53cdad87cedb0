// The two data types of WebCodecs: their content, copies of samples, rejections.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  AudioData, EncodedAudioChunk,
} from '../../Npm/webcodecs.js'

const types = { u8: Uint8Array, s16: Int16Array, s32: Int32Array, f32: Float32Array }
const formats = Object.keys(types).flatMap((kind) => [kind, `${kind}-planar`])
/** The same five levels in every format, from full scale to full scale. */
const levels = {
  u8: [0, 64, 128, 192, 255],
  s16: [-32768, -16384, 0, 16384, 32767],
  s32: [-2147483648, -1073741824, 0, 1073741824, 2147483647],
  f32: [-1, -0.5, 0, 0.5, 1],
}

/**
 * The levels after a copy from one format to another. The maximum of a coarse format is one of its steps below
 * full scale, also in a finer format.
 */
const copied = {
  u8: {
    u8: levels.u8,
    s16: [-32768, -16384, 0, 16384, 32512],
    s32: [-2147483648, -1073741824, 0, 1073741824, 2130706432],
    f32: [-1, -0.5, 0, 0.5, 127 / 128],
  },
  s16: {
    u8: levels.u8,
    s16: levels.s16,
    s32: [-2147483648, -1073741824, 0, 1073741824, 2147418112],
    f32: [-1, -0.5, 0, 0.5, 32767 / 32768],
  },
  // A float rounds the maximum of 32 bits to full scale.
  s32: levels,
  f32: levels,
}
/** Steps between the levels, which narrower integers cannot represent: they are truncated, not rounded. */
const fine = {
  s32: {
    s32: [-2147483647, -1073741825, -1, 1, 1073741823],
    s16: [-32768, -16385, -1, 0, 16383],
    u8: [0, 63, 127, 128, 191],
  },
  s16: {
    s16: [-32767, -16385, -1, 1, 16383],
    u8: [0, 63, 127, 128, 191],
  },
}

function kind(format) {
  return format.split('-')[0]
}

/** Returns five frames of two channels in a format: rising levels, and falling levels. */
function samplesIn(format, from = format) {
  const left = copied[kind(from)][kind(format)]
  return arranged(format, left, [...left].reverse())
}

function arranged(format, left, right) {
  const list = format.endsWith('-planar') ? [...left, ...right]
    : left.flatMap((value, index) => [value, right[index]])
  return types[kind(format)].from(list)
}

function audioData(format, more) {
  return new AudioData({
    format, sampleRate: 48000, numberOfFrames: 5, numberOfChannels: 2, timestamp: 1000,
    data: samplesIn(format), ...more,
  })
}

for (const from of formats) {
  for (const to of formats) {
    test(`samples in ${from} are copied as ${to}`, () => {
      const data = audioData(from)
      const Type = types[kind(to)]
      const isPlanar = to.endsWith('-planar')
      for (const planeIndex of isPlanar ? [0, 1] : [0]) {
        const all = samplesIn(to, from)
        const expected = isPlanar ? all.slice(5 * planeIndex, 5 * planeIndex + 5) : all
        const options = { planeIndex, format: to }
        assert.equal(data.allocationSize(options), expected.length * Type.BYTES_PER_ELEMENT)
        const copy = new Type(expected.length)
        data.copyTo(copy, options)
        assert.deepEqual(copy, expected)
      }
    })
  }
}

for (const [from, results] of Object.entries(fine)) {
  for (const [to, expected] of Object.entries(results)) {
    test(`integers of ${from} are truncated, not rounded, in ${to}`, () => {
      const data = audioData(from, { data: arranged(from, results[from], results[from]) })
      for (const format of [to, `${to}-planar`]) {
        const whole = arranged(format, expected, expected)
        const wanted = format === to ? whole : whole.slice(5)
        const copy = new types[to](wanted.length)
        data.copyTo(copy, { planeIndex: format === to ? 0 : 1, format })
        assert.deepEqual(copy, wanted)
      }
    })
  }
}

test('a part of the frames is copied, to any offset', () => {
  for (const format of formats) {
    const data = audioData(format)
    const planeIndex = format.endsWith('-planar') ? 1 : 0
    const options = { planeIndex, frameOffset: 1, frameCount: 3 }
    const size = data.allocationSize(options)
    const all = samplesIn(format)
    const expected = format.endsWith('-planar') ? all.slice(6, 9) : all.slice(2, 8)
    const room = new Uint8Array(size + 4)
    // An unaligned offset.
    data.copyTo(room.subarray(1), options)
    assert.deepEqual(room.slice(1, 1 + size), new Uint8Array(expected.buffer))
    assert.deepEqual(room.slice(1 + size), new Uint8Array(3))
    data.copyTo(room.buffer, options)
    assert.deepEqual(room.slice(0, size), new Uint8Array(expected.buffer))
  }
})

test('an AudioData shows its properties until it is closed', () => {
  const data = audioData('s16')
  const clone = data.clone()
  assert.ok(clone instanceof AudioData)
  for (const one of [data, clone]) {
    assert.deepEqual([one.format, one.sampleRate, one.numberOfFrames, one.numberOfChannels,
      one.timestamp, one.duration], ['s16', 48000, 5, 2, 1000, 104])
  }
  data.close()
  data.close()
  assert.deepEqual([data.format, data.sampleRate, data.numberOfFrames, data.numberOfChannels,
    data.timestamp, data.duration], [null, 0, 0, 0, 1000, 0])
  const wrong = { name: 'InvalidStateError', constructor: DOMException }
  assert.throws(() => data.clone(), wrong)
  assert.throws(() => data.allocationSize({ planeIndex: 0 }), wrong)
  assert.throws(() => data.copyTo(new Uint8Array(100), { planeIndex: 0 }), wrong)
  const copy = new Int16Array(10)
  clone.copyTo(copy, { planeIndex: 0 })
  assert.deepEqual(copy, samplesIn('s16'))
})

test('an AudioData has a copy of its samples', () => {
  const samples = samplesIn('f32')
  const data = audioData('f32', { data: samples })
  samples.fill(0)
  const copy = new Float32Array(10)
  data.copyTo(copy, { planeIndex: 0 })
  assert.deepEqual(copy, samplesIn('f32'))
})

test('an invalid AudioData is rejected', () => {
  for (const wrong of [{ format: 's24' }, { format: undefined }, { sampleRate: 0 },
    { sampleRate: NaN }, { sampleRate: undefined }, { numberOfFrames: 0 }, { numberOfFrames: 6 },
    { numberOfChannels: 0 }, { numberOfChannels: undefined }, { timestamp: undefined },
    { timestamp: Infinity }, { data: undefined }, { data: [1, 2] }, { data: new Uint8Array(19) }]) {
    assert.throws(() => audioData('s16', wrong), TypeError)
  }
  assert.throws(() => new AudioData(), TypeError)
})

test('an invalid copy is rejected', () => {
  const room = new Float32Array(10)
  for (const format of ['f32', 'f32-planar']) {
    const data = audioData(format)
    for (const wrong of [{ planeIndex: 2 }, { planeIndex: 0, frameOffset: 5 },
      { planeIndex: 0, frameCount: 6 }, { planeIndex: 0, frameOffset: 3, frameCount: 3 },
      { planeIndex: 1, format: 's16' }]) {
      assert.throws(() => data.copyTo(room, wrong), RangeError)
      assert.throws(() => data.allocationSize(wrong), RangeError)
    }
    for (const wrong of [undefined, {}, { planeIndex: -1 }, { planeIndex: 0, format: 'x' }]) {
      assert.throws(() => data.copyTo(room, wrong), TypeError)
    }
    assert.throws(() => data.copyTo(new Float32Array(4), { planeIndex: 0 }), RangeError)
    assert.throws(() => data.copyTo([], { planeIndex: 0 }), TypeError)
  }
  audioData('f32-planar').copyTo(room, { planeIndex: 1 })
})

test('transferred buffers are detached', () => {
  const { buffer } = samplesIn('s16')
  const data = audioData('s16', { data: buffer, transfer: [buffer] })
  assert.equal(buffer.byteLength, 0)
  assert.equal(data.numberOfFrames, 5)
  assert.throws(() => audioData('s16', { data: buffer }), TypeError)
  const other = new ArrayBuffer(4)
  const init = { type: 'key', timestamp: 0, data: other, transfer: [other, other] }
  assert.throws(() => new EncodedAudioChunk(init), { name: 'DataCloneError' })
  const chunk = new EncodedAudioChunk({ ...init, transfer: [other] })
  assert.deepEqual([chunk.byteLength, other.byteLength], [4, 0])
})

test('a chunk contains a copy of its data', () => {
  const data = Uint8Array.of(1, 2, 3)
  const chunk = new EncodedAudioChunk({ type: 'delta', timestamp: -5, duration: 7, data })
  data.fill(0)
  assert.deepEqual([chunk.type, chunk.timestamp, chunk.duration, chunk.byteLength],
    ['delta', -5, 7, 3])
  const room = new Uint8Array(5)
  chunk.copyTo(room.subarray(1))
  assert.deepEqual(room, Uint8Array.of(0, 1, 2, 3, 0))
  assert.throws(() => chunk.copyTo(new Uint8Array(2)), TypeError)
  assert.equal(new EncodedAudioChunk({ type: 'key', timestamp: 0, data }).duration, null)
})

test('an invalid chunk is rejected', () => {
  const right = { type: 'key', timestamp: 0, data: new Uint8Array(3) }
  for (const wrong of [{ type: 'lock' }, { type: undefined }, { timestamp: undefined },
    { timestamp: NaN }, { data: undefined }, { data: 'text' }, { duration: -1 }]) {
    assert.throws(() => new EncodedAudioChunk({ ...right, ...wrong }), TypeError)
  }
})

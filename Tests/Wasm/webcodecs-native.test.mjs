// WebCodecs by Aacorn in a browser whose own WebCodecs lacks AAC: the distribution of the calls.

import assert from 'node:assert/strict'
import { test } from 'node:test'

/** The calls that reached the browser's encoder. */
const calls = []

class NativeChunk {
  constructor(init) {
    Object.assign(this, init)
    this.byteLength = init.data.byteLength
  }
}

/** The browser's samples; our objects are not instances of this class. */
class NativeData {
  constructor(init) {
    Object.assign(this, init)
  }

  copyTo(destination) {
    destination.set(new destination.constructor(this.data).subarray(0, destination.length))
  }

  clone() {
    return new NativeData(this)
  }

  close() {}
}

/** An Opus encoder that outputs a chunk for each AudioData on demand. */
class NativeEncoder extends EventTarget {
  static made = []
  state = 'unconfigured'
  encodeQueueSize = 0

  static async isConfigSupported({ codec }) {
    return { supported: codec === 'opus', config: { codec, opus: {} } }
  }

  constructor(init) {
    super()
    this.init = init
    NativeEncoder.made.push(this)
  }

  configure(config) {
    calls.push(['configure', config])
    this.state = 'configured'
  }

  encode(data) {
    calls.push(['encode', data.timestamp])
    this.init.output(new NativeChunk({ type: 'key', timestamp: data.timestamp,
      data: new Uint8Array(1) }), {})
  }

  async flush() {
    calls.push(['flush'])
  }

  close() {
    calls.push(['close'])
    this.state = 'closed'
  }
}

/** A decoder that supports AAC, so that ours is not needed. */
class NativeDecoder extends EventTarget {
  static async isConfigSupported() {
    return { supported: true }
  }
}

Object.assign(globalThis, {
  AudioData: NativeData, EncodedAudioChunk: NativeChunk, AudioEncoder: NativeEncoder,
  AudioDecoder: NativeDecoder,
})
const webcodecs = await import('../../Npm/webcodecs.js')

/** Two channels of silence. */
function silence(timestamp) {
  return new NativeData({ format: 'f32-planar', numberOfFrames: 3000, numberOfChannels: 2,
    sampleRate: 48000, timestamp, data: new ArrayBuffer(24000) })
}

const stereo = { sampleRate: 48000, numberOfChannels: 2 }

/** Returns an encoder that collects its outputs and errors. */
function keeping() {
  const kept = { outputs: [], errors: [] }
  kept.encoder = new webcodecs.AudioEncoder({
    output: (chunk) => kept.outputs.push(chunk), error: (error) => kept.errors.push(error) })
  return kept
}

test('only classes without AAC are replaced', async () => {
  assert.deepEqual(await webcodecs.installWebCodecs(), ['AudioEncoder'])
  assert.equal(globalThis.AudioEncoder, webcodecs.AudioEncoder)
  assert.equal(globalThis.AudioDecoder, NativeDecoder)
  assert.equal(globalThis.AudioData, NativeData)
})

test('all codecs are replaced on request, but not the data types', async () => {
  assert.deepEqual(await webcodecs.installWebCodecs({ always: true }),
    ['AudioDecoder', 'AudioEncoder'])
  assert.equal(globalThis.AudioDecoder, webcodecs.AudioDecoder)
})

test('other codecs are passed to the browser, and so are their members', async () => {
  calls.length = 0
  const { encoder, outputs, errors } = keeping()
  assert.deepEqual(await webcodecs.AudioEncoder.isConfigSupported({ ...stereo, codec: 'opus' }),
    { supported: true, config: { codec: 'opus', opus: {} } })
  const config = { ...stereo, codec: 'opus', opus: { usedtx: true } }
  encoder.configure(config)
  encoder.encode(silence(5))
  encoder.encode(silence(6))
  await encoder.flush()
  encoder.close()
  assert.deepEqual(calls, [['configure', config], ['encode', 5], ['encode', 6], ['flush'],
    ['close']])
  assert.deepEqual(outputs.map(({ timestamp }) => timestamp), [5, 6])
  assert.deepEqual(errors, [])
})

test('AAC is output as chunks of the browser', async () => {
  const { encoder, outputs, errors } = keeping()
  encoder.configure({ ...stereo, codec: 'mp4a.40.2' })
  encoder.encode(silence(7))
  await encoder.flush()
  assert.ok(outputs.length > 2)
  for (const chunk of outputs) assert.ok(chunk instanceof NativeChunk)
  assert.equal(outputs[0].timestamp, 7)
  assert.deepEqual(errors, [])
})

test('an encoder switches codecs in the order of its inputs', async () => {
  const { encoder, outputs, errors } = keeping()
  encoder.configure({ ...stereo, codec: 'mp4a.40.2' })
  encoder.encode(silence(0))
  encoder.configure({ ...stereo, codec: 'opus' })
  encoder.encode(silence(1000000))
  await encoder.flush()
  const times = outputs.map(({ timestamp }) => timestamp)
  assert.deepEqual([times[0], times.at(-1)], [0, 1000000])
  assert.deepEqual(times, [...times].sort((one, other) => one - other))
  assert.deepEqual(errors, [])
})

test('codecs that the browser does not support either are reported as unsupported', async () => {
  const { encoder, errors } = keeping()
  encoder.configure({ ...stereo, codec: 'vorbis' })
  await assert.rejects(encoder.flush(), { name: 'NotSupportedError' })
  assert.equal(errors.length, 1)
})

test('a failure of the browser ends the encoder, also while its queue is full', async () => {
  const { encoder, errors } = keeping()
  encoder.configure({ ...stereo, codec: 'opus' })
  await encoder.flush()
  const native = NativeEncoder.made.at(-1)
  native.encodeQueueSize = 9
  encoder.encode(silence(0))
  const flush = encoder.flush()
  // Wait until the first item has left the queue. It then waits until the browser's encoder has room.
  await new Promise((resolve) => encoder.addEventListener('dequeue', resolve, { once: true }))
  const failure = new DOMException('It failed.', 'EncodingError')
  native.init.error(failure)
  await assert.rejects(flush, failure)
  assert.deepEqual(errors, [failure])
  assert.equal(encoder.state, 'closed')
})

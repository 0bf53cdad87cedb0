// WebCodecs by Aacorn: what the standard and the browsers' common tests of it ask for, as far as
// AAC and node go.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  AudioData, AudioDecoder, AudioEncoder, EncodedAudioChunk, installWebCodecs,
} from '../../Sources/AacornStudioPage/Public/aacorn/webcodecs.js'
import { load } from '../../Sources/AacornStudioPage/Public/aacorn/aacorn.js'
import { sound } from './sound.mjs'

const stereo = { codec: 'mp4a.40.2', sampleRate: 48000, numberOfChannels: 2 }

/** Sound as an AudioData: all of it, or the frames from `first` on to `end`. */
function audioData(frames, options = {}) {
  const { timestamp = 0, channels = 2, sampleRate = 48000, first = 0, end = frames } = options
  return new AudioData({
    format: 'f32', sampleRate, numberOfFrames: end - first, numberOfChannels: channels, timestamp,
    data: sound(frames, channels, sampleRate, 5).subarray(first * channels, end * channels),
  })
}

/** An encoder or decoder that keeps what it puts out. */
function keeping(Type) {
  const kept = { outputs: [], metadata: [], errors: [] }
  kept.codec = new Type({
    output(result, metadata) {
      kept.outputs.push(result)
      kept.metadata.push(metadata)
    },
    error(error) {
      kept.errors.push([error, kept.codec.state])
    },
  })
  return kept
}

/** Chunks of some sound, and what a decoder is told. */
async function encoded(config = {}, frames = 24000) {
  const kept = keeping(AudioEncoder)
  kept.codec.configure({ ...stereo, ...config })
  kept.codec.encode(audioData(frames, {
    channels: config.numberOfChannels, sampleRate: config.sampleRate,
  }))
  await kept.codec.flush()
  kept.codec.close()
  assert.deepEqual(kept.errors, [])
  return { chunks: kept.outputs, decoderConfig: kept.metadata[0].decoderConfig }
}

async function decoded({ chunks, decoderConfig }) {
  const kept = keeping(AudioDecoder)
  kept.codec.configure(decoderConfig)
  for (const chunk of chunks) kept.codec.decode(chunk)
  await kept.codec.flush()
  kept.codec.close()
  assert.deepEqual(kept.errors, [])
  return kept.outputs
}

function bytesOf(chunk) {
  const bytes = new Uint8Array(chunk.byteLength)
  chunk.copyTo(bytes)
  return bytes
}

const closesWith = (name) => ({ name, constructor: DOMException })

test('chunks are the units of the encoder, with their times', async () => {
  const { chunks, decoderConfig } = await encoded({ bitrate: 128000, bitrateMode: 'constant' })
  const encoder = (await load()).encoder({
    sampleRate: 48000, channels: 2, rateControl: { constant: 128000 } })
  const units = encoder.encode(sound(24000, 2, 48000, 5))
  units.push(...encoder.finish().units)
  assert.deepEqual(chunks.map(bytesOf), units)
  assert.deepEqual(new Uint8Array(decoderConfig.description), encoder.audioSpecificConfig)
  const { description, ...rest } = decoderConfig
  assert.deepEqual(rest, stereo)
  for (const [index, chunk] of chunks.entries()) {
    assert.equal(chunk.type, 'key')
    assert.equal(chunk.timestamp, Math.round(index * 1024e6 / 48000))
    assert.ok([21333, 21334].includes(chunk.duration))
  }
})

for (const [codec, rate, frames] of [
  ['mp4a.40.2', 44100, 1024], ['mp4a.40.02', 48000, 1024], ['mp4a.40.5', 44100, 2048],
  ['mp4a.40.05', 48000, 2048], ['mp4a.40.29', 48000, 2048],
]) {
  for (const format of ['aac', 'adts']) {
    test(`${codec} at ${rate} Hz as ${format} comes back with its rate, channels and times`,
      async () => {
        const made = await encoded({ codec, sampleRate: rate, aac: { format } })
        assert.equal('description' in made.decoderConfig, format === 'aac')
        assert.equal(made.decoderConfig.codec, codec)
        assert.equal(bytesOf(made.chunks[0])[0] === 0xff, format === 'adts')
        const parts = await decoded(made)
        assert.equal(parts.length, made.chunks.length)
        for (const [index, part] of parts.entries()) {
          assert.equal(part.format, 'f32-planar')
          assert.equal(part.sampleRate, rate)
          assert.equal(part.numberOfChannels, 2)
          assert.equal(part.numberOfFrames, frames)
          assert.equal(part.timestamp, made.chunks[index].timestamp)
        }
        const samples = new Float32Array(frames)
        parts[parts.length >> 2].copyTo(samples, { planeIndex: 1 })
        assert.ok(Math.hypot(...samples) > 1)
      })
  }
}

test('ADTS says in its headers how long a frame is and what it holds', async () => {
  const { chunks } = await encoded({ aac: { format: 'adts' }, numberOfChannels: 6 })
  const { chunks: bare } = await encoded({ numberOfChannels: 6 })
  for (const [index, chunk] of chunks.entries()) {
    const bytes = bytesOf(chunk)
    assert.deepEqual([...bytes.subarray(0, 3)], [0xff, 0xf1, 0x4d])
    assert.equal(bytes[3] >> 6, 2)
    assert.equal((bytes[3] & 3) << 11 | bytes[4] << 3 | bytes[5] >> 5, bytes.length)
    assert.deepEqual(bytes.subarray(7), bytesOf(bare[index]))
  }
})

test('units without a description are decoded as their configuration says', async () => {
  const { chunks, decoderConfig } = await encoded()
  const { description, ...bare } = decoderConfig
  const [one, other] = [await decoded({ chunks, decoderConfig }),
    await decoded({ chunks, decoderConfig: bare })]
  const samples = (parts) => parts.map((part) => {
    const plane = new Float32Array(part.numberOfFrames)
    part.copyTo(plane, { planeIndex: 0 })
    return plane
  })
  assert.deepEqual(samples(one), samples(other))
})

test('16-bit samples are encoded as they are, whatever their planes', async () => {
  const numbers = Int16Array.from(sound(9000, 2, 48000, 3), (value) => Math.round(value * 32767))
  const planes = new Int16Array(18000)
  for (let frame = 0; frame < 9000; frame++) {
    planes[frame] = numbers[2 * frame]
    planes[9000 + frame] = numbers[2 * frame + 1]
  }
  const results = []
  for (const [format, data] of [['s16', numbers], ['s16-planar', planes]]) {
    const kept = keeping(AudioEncoder)
    kept.codec.configure(stereo)
    kept.codec.encode(new AudioData({
      format, data, sampleRate: 48000, numberOfFrames: 9000, numberOfChannels: 2, timestamp: 0 }))
    await kept.codec.flush()
    results.push(kept.outputs.map(bytesOf))
  }
  assert.deepEqual(results[0], results[1])
})

test('what makes no sense is a TypeError at once', async () => {
  const wrongs = [undefined, {}, { ...stereo, codec: undefined }, { ...stereo, codec: ' ' },
    { ...stereo, sampleRate: undefined }, { ...stereo, sampleRate: 0 },
    { ...stereo, numberOfChannels: undefined }, { ...stereo, numberOfChannels: 0 }]
  const encoderWrongs = [{ ...stereo, bitrate: 6e9 }, { ...stereo, bitrate: -1 },
    { ...stereo, bitrateMode: 'best' }, { ...stereo, aac: { format: 'latm' } }]
  const buffer = new ArrayBuffer(4)
  structuredClone(buffer, { transfer: [buffer] })
  const decoderWrongs = [{ ...stereo, description: buffer }, { ...stereo, description: [1] }]
  for (const [Type, list] of [[AudioEncoder, [...wrongs, ...encoderWrongs]],
    [AudioDecoder, [...wrongs, ...decoderWrongs]]]) {
    for (const wrong of list) {
      const { codec } = keeping(Type)
      assert.throws(() => codec.configure(wrong), TypeError)
      assert.equal(codec.state, 'unconfigured')
      await assert.rejects(Type.isConfigSupported(wrong), TypeError)
    }
    assert.throws(() => new Type(), TypeError)
    assert.throws(() => new Type({ output() {} }), TypeError)
    assert.throws(() => Type({ output() {}, error() {} }), TypeError)
  }
})

const unsupported = [{ codec: 'bogus' }, { codec: 'opus' }, { codec: 'mp4a.FF.9' },
  { codec: 'mp4a.40.2x' }, { numberOfChannels: 1024 }]
const unsupportedByEncoder = [...unsupported, { bitrate: 1 }, { sampleRate: 1 },
  { sampleRate: 10000000 }, { codec: 'mp4a.40.29', numberOfChannels: 1 },
  { codec: 'mp4a.40.5', sampleRate: 96000 }]
const unsupportedByDecoder = [...unsupported, { description: Uint8Array.of(0xff) }]

for (const [Type, list] of [[AudioEncoder, unsupportedByEncoder],
  [AudioDecoder, unsupportedByDecoder]]) {
  for (const part of list) {
    test(`${Type.name} does not support ${JSON.stringify(part)}`, async () => {
      const config = { ...stereo, ...part }
      const support = await Type.isConfigSupported(config)
      assert.equal(support.supported, false)
      assert.equal(support.config.codec, config.codec)
      const { codec, errors } = keeping(Type)
      codec.configure(config)
      assert.equal(codec.state, 'configured')
      await assert.rejects(codec.flush(), closesWith('NotSupportedError'))
      assert.equal(errors.length, 1)
      assert.equal(errors[0][0].name, 'NotSupportedError')
      assert.equal(errors[0][1], 'closed')
    })
  }

  test(`${Type.name} tells a supported configuration without what it does not know`, async () => {
    const given = { ...stereo, futureFeature: 1 }
    const { supported, config } = await Type.isConfigSupported(given)
    assert.equal(supported, true)
    assert.notEqual(config, given)
    const { bitrateMode, ...rest } = config
    assert.deepEqual(rest, stereo)
  })

  test(`${Type.name} refuses what is not for its state`, async () => {
    const item = Type === AudioEncoder ? audioData(1024)
      : new EncodedAudioChunk({ type: 'key', timestamp: 0, data: Uint8Array.of(0) })
    const act = Type === AudioEncoder ? 'encode' : 'decode'
    const { codec, errors } = keeping(Type)
    assert.equal(codec.state, 'unconfigured')
    codec.reset()
    const wrong = closesWith('InvalidStateError')
    assert.throws(() => codec[act](item), wrong)
    await assert.rejects(codec.flush(), wrong)
    codec.configure(stereo)
    assert.equal(codec.state, 'configured')
    assert.throws(() => codec[act]({}), TypeError)
    codec.reset()
    assert.equal(codec.state, 'unconfigured')
    codec.close()
    assert.equal(codec.state, 'closed')
    for (const call of [() => codec.configure(stereo), () => codec.reset(), () => codec.close(),
      () => codec[act](item)]) {
      assert.throws(call, wrong)
    }
    await assert.rejects(codec.flush(), wrong)
    assert.deepEqual(errors, [])
  })
}

test('the description of a supported configuration is a copy', async () => {
  const description = Uint8Array.of(0x11, 0x90)
  const { supported, config } = await AudioDecoder.isConfigSupported({ ...stereo, description })
  assert.equal(supported, true)
  assert.notEqual(config.description, description)
  assert.deepEqual(new Uint8Array(config.description), description)
})

test('an encoder tells a decoder once for each configuration', async () => {
  const kept = keeping(AudioEncoder)
  kept.codec.configure(stereo)
  kept.codec.encode(audioData(5000))
  await kept.codec.flush()
  kept.codec.encode(audioData(5000, { timestamp: 1000000 }))
  await kept.codec.flush()
  const first = kept.outputs.length
  kept.codec.configure({ ...stereo, codec: 'mp4a.40.5' })
  kept.codec.encode(audioData(9000, { timestamp: 2000000 }))
  await kept.codec.flush()
  const told = [...kept.metadata.keys()].filter((index) => kept.metadata[index].decoderConfig)
  assert.deepEqual(told, [0, first])
  assert.equal(kept.metadata[first].decoderConfig.codec, 'mp4a.40.5')
  // Every sound begins with the time of its first samples.
  assert.equal(kept.outputs[first / 2].timestamp, 1000000)
  assert.equal(kept.outputs[first].timestamp, 2000000)
})

test('samples may begin before 0, and come in any portions', async () => {
  const whole = keeping(AudioEncoder)
  whole.codec.configure(stereo)
  whole.codec.encode(audioData(10000, { timestamp: -10000 }))
  await whole.codec.flush()
  assert.equal(whole.outputs[0].timestamp, -10000)
  const cut = keeping(AudioEncoder)
  cut.codec.configure(stereo)
  for (let first = 0; first < 10000; first += 1250) {
    const timestamp = Math.round(first * 1e6 / 48000)
    const data = audioData(10000, { first, end: first + 1250, timestamp })
    cut.codec.encode(data)
    // The encoder has a copy.
    data.close()
  }
  await cut.codec.flush()
  assert.deepEqual(cut.outputs.map(bytesOf), whole.outputs.map(bytesOf))
})

test('a reconfiguration puts out first what was given before it', async () => {
  const kept = keeping(AudioEncoder)
  kept.codec.configure(stereo)
  kept.codec.encode(audioData(5000))
  kept.codec.configure({ ...stereo, numberOfChannels: 1 })
  kept.codec.encode(audioData(5000, { channels: 1, timestamp: 500000 }))
  await kept.codec.flush()
  assert.deepEqual(kept.errors, [])
  const channels = kept.metadata.flatMap(({ decoderConfig }) => (
    decoderConfig?.numberOfChannels ?? []))
  assert.deepEqual(channels, [2, 1])
  assert.equal(kept.outputs.filter(({ timestamp }) => timestamp < 500000).length,
    (await encoded({}, 5000)).chunks.length)
})

test('samples of another rate or number of channels end an encoder', async () => {
  for (const other of [{ channels: 1 }, { sampleRate: 44100 }]) {
    const { codec, errors } = keeping(AudioEncoder)
    codec.configure(stereo)
    codec.encode(audioData(2000))
    codec.encode(audioData(2000, other))
    await assert.rejects(codec.flush(), closesWith('EncodingError'))
    assert.equal(errors[0][0].name, 'EncodingError')
    assert.equal(codec.state, 'closed')
    assert.equal(codec.encodeQueueSize, 0)
  }
})

test('a closed AudioData is not encoded', () => {
  const { codec } = keeping(AudioEncoder)
  codec.configure(stereo)
  const data = audioData(2000)
  data.close()
  assert.throws(() => codec.encode(data), TypeError)
  assert.equal(codec.encodeQueueSize, 0)
  codec.close()
})

test('damaged and empty chunks end a decoder', async () => {
  const { chunks, decoderConfig } = await encoded()
  for (const data of [new Uint8Array(0), bytesOf(chunks[5]).slice(0, 12)]) {
    const { codec, errors } = keeping(AudioDecoder)
    codec.configure(decoderConfig)
    codec.decode(chunks[4])
    codec.decode(new EncodedAudioChunk({ type: 'key', timestamp: 0, data }))
    await assert.rejects(codec.flush(), closesWith('EncodingError'))
    assert.equal(errors.length, 1)
    assert.equal(codec.state, 'closed')
  }
})

test('damaged ADTS ends a decoder', async () => {
  const { chunks, decoderConfig } = await encoded({ aac: { format: 'adts' } })
  const { codec, errors } = keeping(AudioDecoder)
  codec.configure(decoderConfig)
  const bytes = bytesOf(chunks[5])
  codec.decode(new EncodedAudioChunk({ type: 'key', timestamp: 0, data: bytes.slice(0, 40) }))
  await assert.rejects(codec.flush(), closesWith('EncodingError'))
  assert.equal(errors.length, 1)
})

test('the first chunk, and the first after a flush, must be a key', async () => {
  const { chunks, decoderConfig } = await encoded()
  const { codec, outputs } = keeping(AudioDecoder)
  const delta = new EncodedAudioChunk({ type: 'delta', timestamp: 0, data: bytesOf(chunks[1]) })
  codec.configure(decoderConfig)
  assert.throws(() => codec.decode(delta), closesWith('DataError'))
  codec.decode(chunks[0])
  codec.decode(delta)
  await codec.flush()
  assert.throws(() => codec.decode(delta), closesWith('DataError'))
  codec.decode(chunks[0])
  await codec.flush()
  assert.equal(outputs.length, 3)
  codec.close()
})

test('a chunk may have a time before 0', async () => {
  const { chunks, decoderConfig } = await encoded()
  const early = new EncodedAudioChunk({ type: 'key', timestamp: -42, data: bytesOf(chunks[0]) })
  const [part] = await decoded({ chunks: [early], decoderConfig })
  assert.equal(part.timestamp, -42)
})

test('a reset in an output ends the flush, and nothing more comes', async () => {
  const { chunks, decoderConfig } = await encoded()
  let outputs = 0
  const codec = new AudioDecoder({
    output() {
      outputs += 1
      codec.reset()
    },
    error: assert.fail,
  })
  codec.configure(decoderConfig)
  for (const chunk of chunks) codec.decode(chunk)
  await assert.rejects(codec.flush(), closesWith('AbortError'))
  assert.equal(outputs, 1)
  assert.equal(codec.decodeQueueSize, 0)
  assert.equal(codec.state, 'unconfigured')
  codec.configure(decoderConfig)
  codec.decode(chunks[0])
  await assert.rejects(codec.flush(), closesWith('AbortError'))
  assert.equal(outputs, 2)
})

test('closing ends a flush without an error', async () => {
  const { codec, outputs, errors } = keeping(AudioEncoder)
  codec.configure(stereo)
  codec.encode(audioData(20000))
  const flush = codec.flush()
  codec.close()
  await assert.rejects(flush, closesWith('AbortError'))
  assert.deepEqual([outputs, errors], [[], []])
})

test('nothing is put out before the call returns', async () => {
  const { codec, outputs } = keeping(AudioEncoder)
  codec.configure(stereo)
  codec.encode(audioData(20000))
  assert.equal(outputs.length, 0)
  assert.equal(codec.encodeQueueSize, 1)
  await codec.flush()
  assert.ok(outputs.length > 0)
})

test('the queue gets shorter with every dequeue event, down to 0', async () => {
  for (const how of ['ondequeue', 'addEventListener']) {
    const { codec } = keeping(AudioEncoder)
    assert.equal(codec.encodeQueueSize, 0)
    codec.configure(stereo)
    assert.equal(codec.encodeQueueSize, 0)
    const sizes = []
    const note = (event) => {
      assert.equal(event.type, 'dequeue')
      assert.equal(event.target, codec)
      sizes.push(codec.encodeQueueSize)
    }
    if (how === 'ondequeue') codec.ondequeue = note
    else codec.addEventListener('dequeue', note)
    for (let index = 0; index < 5; index++) codec.encode(audioData(500))
    assert.equal(codec.encodeQueueSize, 5)
    await codec.flush()
    assert.deepEqual(sizes, [4, 3, 2, 1, 0])
    for (let index = 0; index < 3; index++) codec.encode(audioData(500))
    codec.reset()
    assert.equal(codec.encodeQueueSize, 0)
    assert.equal(codec.ondequeue, how === 'ondequeue' ? note : null)
    codec.ondequeue = null
    codec.close()
  }
})

test('two encoders and two flushes do not disturb each other', async () => {
  const alone = (await encoded()).chunks.map(bytesOf)
  const [one, other] = [keeping(AudioEncoder), keeping(AudioEncoder)]
  one.codec.configure(stereo)
  other.codec.configure({ ...stereo, numberOfChannels: 1 })
  one.codec.encode(audioData(24000))
  other.codec.encode(audioData(24000, { channels: 1 }))
  await Promise.all([one.codec.flush(), one.codec.flush(), other.codec.flush()])
  assert.deepEqual(one.outputs.map(bytesOf), alone)
})

test('what is missing is installed, and what is there is left', async () => {
  const names = ['AudioData', 'EncodedAudioChunk', 'AudioDecoder', 'AudioEncoder']
  assert.deepEqual(await installWebCodecs(), names)
  const types = [AudioData, EncodedAudioChunk, AudioDecoder, AudioEncoder]
  for (const [index, name] of names.entries()) {
    assert.equal(globalThis[name], types[index])
    delete globalThis[name]
  }
})

// WebCodecs by Aacorn: states, queues and failures, as specified by the standard and tested by the browsers'
// common tests, as far as AAC and node allow.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  AudioDecoder, AudioEncoder, EncodedAudioChunk,
} from '../../Npm/webcodecs.js'
import { audioData, bytesOf, closesWith, encoded, keeping, stereo } from './webcodecs-rig.mjs'

test('an invalid argument is an immediate TypeError', async () => {
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

  test(`${Type.name} returns a supported configuration without unknown members`, async () => {
    const given = { ...stereo, futureFeature: 1 }
    const { supported, config } = await Type.isConfigSupported(given)
    assert.equal(supported, true)
    assert.notEqual(config, given)
    const { bitrateMode, ...rest } = config
    assert.deepEqual(rest, stereo)
  })

  test(`${Type.name} rejects calls that its state does not allow`, async () => {
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
  for (const [format, data] of [['aac', () => new Uint8Array(0)],
    ['aac', (bytes) => bytes.slice(0, 12)], ['adts', (bytes) => bytes.slice(0, 40)]]) {
    const { chunks, decoderConfig } = await encoded({ aac: { format } })
    const { codec, errors } = keeping(AudioDecoder)
    codec.configure(decoderConfig)
    codec.decode(chunks[4])
    codec.decode(new EncodedAudioChunk({ type: 'key', timestamp: 0, data: data(bytesOf(chunks[5])) }))
    await assert.rejects(codec.flush(), closesWith('EncodingError'))
    assert.equal(errors.length, 1)
    assert.equal(codec.state, 'closed')
  }
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

test('a reset during an output ends the flush and all outputs', async () => {
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

test('there is no output before the call returns', async () => {
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

// The adapter for mediabunny, with a stub of its interface. Scripts/check-npm tests it with mediabunny
// itself.

import assert from 'node:assert/strict'
import { register } from 'node:module'
import { test } from 'node:test'
import { load } from '../../Npm/aacorn.js'
import { sound } from './sound.mjs'

register('./mediabunny-hook.mjs', import.meta.url)
const adapter = await import('../../Npm/mediabunny.js')
const mediabunny = await import('mediabunny')

// A second registration changes the options, and is otherwise harmless.
for (let time = 0; time < 2; time++) {
  adapter.registerAacornEncoder()
  adapter.registerAacornDecoder()
}

const stereo = {
  codec: 'mp4a.40.2', sampleRate: 48000, numberOfChannels: 2, bitrate: 128000,
}

/** Returns audio in mediabunny's form. */
function sample({ sampleRate = 48000, numberOfChannels = 2 }, frames = 24000, timestamp = 0) {
  return new mediabunny.AudioSample({
    format: 'f32', sampleRate, numberOfChannels, timestamp,
    data: sound(frames, numberOfChannels, sampleRate, 5),
  })
}

/** Returns packets of test audio, and the configuration for their decoder. */
async function encoded(config, frames, timestamp) {
  const packets = []
  const configurations = []
  const encoder = mediabunny.make('encode', 'aac', config, {
    onPacket(packet, metadata) {
      assert.ok(packet instanceof mediabunny.EncodedPacket)
      packets.push(packet)
      if (metadata?.decoderConfig) configurations.push(metadata.decoderConfig)
    },
    onError: assert.fail,
  })
  await encoder.init()
  await encoder.encode(sample(config, frames, timestamp))
  await encoder.flush()
  await encoder.close()
  assert.equal(configurations.length, 1)
  return { packets, decoderConfig: configurations[0] }
}

async function decoded({ packets, decoderConfig }) {
  const samples = []
  const decoder = mediabunny.make('decode', 'aac', decoderConfig, {
    onSample: (one) => samples.push(one), onError: assert.fail,
  })
  await decoder.init()
  for (const packet of packets) await decoder.decode(packet)
  await decoder.flush()
  await decoder.close()
  return samples
}

test('packets contain the units of the encoder, with their times', async () => {
  const { packets, decoderConfig } = await encoded(stereo, 24000, 3)
  const encoder = (await load()).encoder({
    sampleRate: 48000, channels: 2, rateControl: { average: 128000 } })
  const units = encoder.encode(sound(24000, 2, 48000, 5))
  units.push(...encoder.finish().units)
  assert.deepEqual(packets.map(({ data }) => data), units)
  assert.deepEqual(new Uint8Array(decoderConfig.description), encoder.audioSpecificConfig)
  for (const [index, { timestamp, duration }] of packets.entries()) {
    assert.equal(timestamp, 3 + index * 1024 / 48000)
    assert.equal(duration, 1024 / 48000)
  }
})

for (const [codec, frames] of [['mp4a.40.2', 1024], ['mp4a.40.5', 2048], ['mp4a.40.29', 2048]]) {
  for (const format of ['aac', 'adts']) {
    test(`${codec} as ${format} decodes to its source`, async () => {
      const made = await encoded({ ...stereo, codec, bitrate: 48000, aac: { format } })
      assert.equal(made.decoderConfig.codec, codec)
      const samples = await decoded(made)
      assert.equal(samples.length, made.packets.length)
      for (const [index, part] of samples.entries()) {
        assert.equal(part.timestamp, made.packets[index].timestamp)
        assert.deepEqual([part.sampleRate, part.numberOfChannels, part.numberOfFrames],
          [48000, 2, frames])
      }
    })
  }
}

test('an impossible profile falls back to AAC-LC', async () => {
  for (const config of [
    { ...stereo, codec: 'mp4a.40.29', numberOfChannels: 1 },
    { ...stereo, codec: 'mp4a.40.5', bitrate: 320000 }, { ...stereo, bitrate: 10 ** 7 },
    { ...stereo, bitrate: 1000 }, { ...stereo, codec: 'mp4a.40.29', sampleRate: 22050 },
    { ...stereo, codec: 'mp4a.40.5', sampleRate: 8000, numberOfChannels: 1 },
    { ...stereo, codec: 'mp4a.40.5', sampleRate: 96000 },
  ]) {
    const made = await encoded(config)
    assert.equal(made.decoderConfig.codec, 'mp4a.40.2')
    assert.equal(made.decoderConfig.sampleRate, config.sampleRate)
    assert.equal((await decoded(made))[0].numberOfFrames, 1024)
  }
})

test('every rate and channel count accepts any bitrate', async () => {
  for (const sampleRate of [7350, 8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000,
    64000, 88200, 96000]) {
    for (const numberOfChannels of [1, 2, 3, 4, 5, 6, 8]) {
      for (const bitrate of [1, 10 ** 7, undefined]) {
        const encoder = mediabunny.make('encode', 'aac', {
          ...stereo, sampleRate, numberOfChannels, bitrate })
        await encoder.init()
        await encoder.close()
      }
    }
  }
})

test('other codecs and unsupported AAC are left to other implementations', () => {
  for (const kind of ['encode', 'decode']) {
    assert.equal(mediabunny.make(kind, 'mp3', { ...stereo, codec: 'mp3' }), undefined)
    assert.equal(mediabunny.make(kind, 'aac', { ...stereo, codec: 'mp4a.40.42' }), undefined)
  }
  for (const wrong of [{ sampleRate: 37000 }, { numberOfChannels: 7 }, { numberOfChannels: 9 }]) {
    assert.equal(mediabunny.make('encode', 'aac', { ...stereo, ...wrong }), undefined)
  }
})

test('a damaged packet is rejected', async () => {
  const { packets, decoderConfig } = await encoded(stereo)
  const decoder = mediabunny.make('decode', 'aac', decoderConfig, { onSample() {} })
  await decoder.init()
  const damaged = new mediabunny.EncodedPacket(packets[5].data.slice(0, 12), 'key', 0, 0)
  await assert.rejects(decoder.decode(damaged), /damaged/)
})

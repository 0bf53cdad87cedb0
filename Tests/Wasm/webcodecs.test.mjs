// WebCodecs by Aacorn: the results and times of encoding and decoding.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  AudioData, AudioDecoder, AudioEncoder, EncodedAudioChunk, installWebCodecs,
} from '../../Npm/webcodecs.js'
import { load } from '../../Npm/aacorn.js'
import { sound } from './sound.mjs'
import { audioData, bytesOf, decoded, encode, encoded, keeping, stereo } from './webcodecs-rig.mjs'

test('chunks contain the units of the encoder, with their times', async () => {
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
    test(`${codec} at ${rate} Hz as ${format} keeps its rate, channels and times`,
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

test('ADTS headers contain the length and configuration of the frame', async () => {
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

test('units without a description are decoded by their configuration', async () => {
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

test('16-bit samples are encoded unchanged, planar or interleaved', async () => {
  const numbers = Int16Array.from(sound(9000, 2, 48000, 3), (value) => Math.round(value * 32767))
  const planes = new Int16Array(18000)
  for (let frame = 0; frame < 9000; frame++) {
    planes[frame] = numbers[2 * frame]
    planes[9000 + frame] = numbers[2 * frame + 1]
  }
  const results = []
  for (const [format, data] of [['s16', numbers], ['s16-planar', planes]]) {
    const { chunks } = await encode({}, new AudioData({
      format, data, sampleRate: 48000, numberOfFrames: 9000, numberOfChannels: 2, timestamp: 0 }))
    results.push(chunks.map(bytesOf))
  }
  assert.deepEqual(results[0], results[1])
})

test('an encoder provides a decoder configuration once for each configuration', async () => {
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
  const indexes = [...kept.metadata.keys()].filter((index) => kept.metadata[index].decoderConfig)
  assert.deepEqual(indexes, [0, first])
  assert.equal(kept.metadata[first].decoderConfig.codec, 'mp4a.40.5')
  // Every stream begins at the time of its first samples.
  assert.equal(kept.outputs[first / 2].timestamp, 1000000)
  assert.equal(kept.outputs[first].timestamp, 2000000)
})

test('samples may begin before 0, and arrive in any portions', async () => {
  const { chunks: whole } = await encode({}, audioData(10000, { timestamp: -10000 }))
  assert.equal(whole[0].timestamp, -10000)
  const portions = Array.from({ length: 8 }, (_, index) => audioData(10000, {
    first: 1250 * index, end: 1250 * (index + 1), timestamp: Math.round(1250 * index * 1e6 / 48000) }))
  const { chunks: cut } = await encode({}, ...portions)
  assert.deepEqual(cut.map(bytesOf), whole.map(bytesOf))
})

test('a reconfiguration first outputs the earlier inputs', async () => {
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

test('missing classes are installed, and existing classes stay', async () => {
  const names = ['AudioData', 'EncodedAudioChunk', 'AudioDecoder', 'AudioEncoder']
  assert.deepEqual(await installWebCodecs(), names)
  const types = [AudioData, EncodedAudioChunk, AudioDecoder, AudioEncoder]
  for (const [index, name] of names.entries()) {
    assert.equal(globalThis[name], types[index])
    delete globalThis[name]
  }
})

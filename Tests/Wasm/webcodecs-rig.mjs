// Shared helpers of the WebCodecs tests: audio, and codecs that collect their outputs.

import assert from 'node:assert/strict'
import {
  AudioData, AudioDecoder, AudioEncoder,
} from '../../Npm/webcodecs.js'
import { sound } from './sound.mjs'

/** The default configuration of the tests. */
export const stereo = { codec: 'mp4a.40.2', sampleRate: 48000, numberOfChannels: 2 }

/** Returns audio as an AudioData: all of it, or the frames from `first` to `end`. */
export function audioData(frames, options = {}) {
  const { timestamp = 0, channels = 2, sampleRate = 48000, first = 0, end = frames } = options
  return new AudioData({
    format: 'f32', sampleRate, numberOfFrames: end - first, numberOfChannels: channels, timestamp,
    data: sound(frames, channels, sampleRate, 5).subarray(first * channels, end * channels),
  })
}

/** Returns an encoder or decoder that collects its outputs. */
export function keeping(Type) {
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

/** Returns the chunks of all inputs, and the configuration for their decoder. */
export async function encode(config, ...inputs) {
  const kept = keeping(AudioEncoder)
  kept.codec.configure({ ...stereo, ...config })
  for (const input of inputs) {
    kept.codec.encode(input)
    // The encoder has a copy.
    input.close()
  }
  await kept.codec.flush()
  kept.codec.close()
  assert.deepEqual(kept.errors, [])
  return { chunks: kept.outputs, decoderConfig: kept.metadata[0].decoderConfig }
}

/** Returns chunks of test audio, and the configuration for their decoder. */
export function encoded(config = {}, frames = 24000) {
  const { numberOfChannels: channels, sampleRate } = config
  return encode(config, audioData(frames, { channels, sampleRate }))
}

export async function decoded({ chunks, decoderConfig }) {
  const kept = keeping(AudioDecoder)
  kept.codec.configure(decoderConfig)
  for (const chunk of chunks) kept.codec.decode(chunk)
  await kept.codec.flush()
  kept.codec.close()
  assert.deepEqual(kept.errors, [])
  return kept.outputs
}

export function bytesOf(chunk) {
  const bytes = new Uint8Array(chunk.byteLength)
  chunk.copyTo(bytes)
  return bytes
}

/** Returns the expectation of `assert.rejects` for an exception with this name. */
export const closesWith = (name) => ({ name, constructor: DOMException })

import { AACDecoding, decoderModule } from './aac-decoding.js'
import { bytesOf, integer, required } from './arguments.js'
import { AudioData } from './audio-data.js'
import { Codec, queueOf } from './codec.js'
import { decodedProfile } from './codec-strings.js'
import { NativeCoder } from './native-coder.js'
import { natives } from './natives.js'

let module = decoderModule()

/** Sets the source of the module for all decoders. */
export function setDecoderModule(source) {
  module = decoderModule(source)
}

/** The decoder of WebCodecs: Aacorn decodes AAC, and the browser's own decoder all other codecs, if it has one. */
export class AudioDecoder extends Codec {
  #needsKey = true

  constructor(init) {
    super(init, (config, callbacks) => (
      decodedProfile(config.codec) ? AACCoder.open(config, callbacks)
        : NativeCoder.open(natives.AudioDecoder, 'decode', config, callbacks)))
  }

  static async isConfigSupported(given) {
    const config = checked(given)
    if (!decodedProfile(config.codec)) {
      return natives.AudioDecoder?.isConfigSupported(given) ?? { supported: false, config }
    }
    try {
      (await AACDecoding.open(module, config)).close()
      return { supported: true, config }
    } catch {
      return { supported: false, config }
    }
  }

  get decodeQueueSize() {
    return queueOf(this).size
  }

  configure(given) {
    const config = checked(given)
    queueOf(this).configure(decodedProfile(config.codec) ? config
      : { ...given, ...(config.description && { description: config.description }) })
    this.#needsKey = true
  }

  decode(chunk) {
    if (typeof chunk?.copyTo !== 'function' || typeof chunk.byteLength !== 'number') {
      throw new TypeError('The chunk to decode must be an EncodedAudioChunk.')
    }
    queueOf(this).throwUnlessConfigured()
    if (this.#needsKey && chunk.type !== 'key') {
      throw new DOMException('The first chunk must be a key chunk.', 'DataError')
    }
    this.#needsKey = false
    queueOf(this).process(chunk)
  }

  async flush() {
    queueOf(this).throwUnlessConfigured()
    this.#needsKey = true
    return queueOf(this).flush()
  }
}

/** A coder that decodes chunks to AudioData. */
class AACCoder {
  #decoding
  #output

  static async open(config, { output }) {
    return new AACCoder(await AACDecoding.open(module, config), output)
  }

  constructor(decoding, output) {
    this.#decoding = decoding
    this.#output = output
  }

  async process(chunk) {
    const bytes = new Uint8Array(chunk.byteLength)
    chunk.copyTo(bytes)
    const parts = await this.#decoding.decode(bytes)
    if (!parts) throw new Error('The chunk is damaged, or not AAC as it was configured.')
    const Data = natives.AudioData ?? AudioData
    let { timestamp } = chunk
    for (const { channels, sampleRate } of parts) {
      const numberOfFrames = channels[0].length
      // All channels are in one buffer, one after the other.
      const { buffer: data } = channels[0]
      this.#output(new Data({
        format: 'f32-planar', sampleRate, numberOfFrames, numberOfChannels: channels.length,
        timestamp, data,
      }))
      timestamp += Math.round(numberOfFrames * 1e6 / sampleRate)
    }
  }

  /**
   * Resets the decoder, because the next chunk starts a new stream. No samples are pending: the decoder outputs
   * all samples of a chunk immediately.
   */
  async flush() {
    this.#decoding.reset()
  }

  close() {
    this.#decoding.close()
  }
}

/** Returns the known members of a configuration; throws a TypeError for values that are never valid. */
function checked(given) {
  const codec = String(required(given, 'codec'))
  if (codec.trim() === '') throw new TypeError('“codec” is empty.')
  const config = {
    codec,
    sampleRate: integer(required(given, 'sampleRate'), 'sampleRate', 1),
    numberOfChannels: integer(required(given, 'numberOfChannels'), 'numberOfChannels', 1),
  }
  const { description } = given
  if (description !== undefined) {
    config.description = bytesOf(description, 'description').slice().buffer
  }
  return config
}

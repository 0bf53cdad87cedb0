import { AACEncoding, encoderModule } from './aac-encoding.js'
import { asDictionary, integer, oneOf, required } from './arguments.js'
import { Codec, queueOf } from './codec.js'
import { encodedProfile } from './codec-strings.js'
import { EncodedAudioChunk } from './encoded-audio-chunk.js'
import { NativeCoder } from './native-coder.js'
import { natives } from './natives.js'

let module = encoderModule()

/** Sets the source of the module for all encoders. */
export function setEncoderModule(source) {
  module = encoderModule(source)
}

/** The encoder of WebCodecs: Aacorn encodes AAC, and the browser's own encoder all other codecs, if it has one. */
export class AudioEncoder extends Codec {
  constructor(init) {
    super(init, (config, callbacks) => (
      encodedProfile(config.codec) ? AACCoder.open(config, callbacks)
        : NativeCoder.open(natives.AudioEncoder, 'encode', config, callbacks)))
  }

  static async isConfigSupported(given) {
    const config = checked(given)
    if (!encodedProfile(config.codec)) {
      return natives.AudioEncoder?.isConfigSupported(given) ?? { supported: false, config }
    }
    try {
      (await AACEncoding.open(module, config)).close()
      return { supported: true, config }
    } catch {
      return { supported: false, config }
    }
  }

  get encodeQueueSize() {
    return queueOf(this).size
  }

  configure(given) {
    const config = checked(given)
    queueOf(this).configure(encodedProfile(config.codec) ? config : { ...given })
  }

  encode(data) {
    if (typeof data?.copyTo !== 'function' || typeof data.clone !== 'function') {
      throw new TypeError('The data to encode must be an AudioData.')
    }
    if (data.format === null && data.numberOfFrames === 0) {
      throw new TypeError('The AudioData is closed.')
    }
    queueOf(this).throwUnlessConfigured()
    queueOf(this).process(data.clone())
  }

  async flush() {
    return queueOf(this).flush()
  }
}

/** A coder that encodes AudioData to chunks. */
class AACCoder {
  #config
  #output
  /**
   * The current session; undefined after a flush. A new session has the same configuration, so it is supported.
   */
  #encoding
  #isClosed = false
  #isConfigurationReported = false
  /** The time of the first sample in microseconds, and the number of units since then. */
  #start
  #unitCount = 0

  static async open(config, { output }) {
    return new AACCoder(config, output, await AACEncoding.open(module, config))
  }

  constructor(config, output, encoding) {
    this.#config = config
    this.#output = output
    this.#encoding = encoding
  }

  async process(data) {
    const { sampleRate, numberOfChannels } = this.#config
    if (data.sampleRate !== sampleRate || data.numberOfChannels !== numberOfChannels) {
      throw new Error(`The AudioData has ${data.numberOfChannels} channels at ${data.sampleRate} ` +
        `Hz, but the encoder is configured for ${numberOfChannels} at ${sampleRate} Hz.`)
    }
    this.#encoding ??= await this.#begin()
    this.#start ??= data.timestamp
    this.#put(await this.#encoding.encode(data))
  }

  async flush() {
    if (this.#start === undefined) return
    const encoding = this.#encoding
    this.#put(await encoding.finish())
    this.#encoding = undefined
    this.#start = undefined
    this.#unitCount = 0
  }

  close() {
    this.#isClosed = true
    this.#encoding?.close()
  }

  async #begin() {
    const encoding = await AACEncoding.open(module, this.#config)
    if (this.#isClosed) encoding.close()
    return encoding
  }

  #put(units) {
    const Chunk = natives.EncodedAudioChunk ?? EncodedAudioChunk
    for (const data of units) {
      // Round each time separately, so that errors do not accumulate.
      const timestamp = this.#time(this.#unitCount)
      this.#unitCount += 1
      const duration = this.#time(this.#unitCount) - timestamp
      const { decoderConfig } = this.#encoding
      const metadata = this.#isConfigurationReported ? {} : { decoderConfig }
      this.#isConfigurationReported = true
      this.#output(new Chunk({ type: 'key', timestamp, duration, data }), metadata)
    }
  }

  #time(unitCount) {
    const frames = unitCount * this.#encoding.unitFrames
    return this.#start + Math.round(frames * 1e6 / this.#config.sampleRate)
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
  const { bitrate, bitrateMode = 'variable', aac } = given
  if (bitrate !== undefined) config.bitrate = integer(bitrate, 'bitrate')
  config.bitrateMode = oneOf(['constant', 'variable'], bitrateMode, 'bitrateMode')
  if (aac !== undefined) {
    const { format = 'aac' } = asDictionary(aac)
    config.aac = { format: oneOf(['aac', 'adts'], format, 'format') }
  }
  return config
}

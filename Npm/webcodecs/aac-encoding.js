import { encoderAddress } from '../addresses.js'
import { Encoder } from '../encoder.js'
import { LazyModule } from '../module.js'
import { adtsFrame } from './adts.js'
import { encodedProfile } from './codec-strings.js'

/** The encoder module unless the caller specifies another source. */
const standard = new LazyModule(encoderAddress)

/** Returns the encoder module from a source, or the default module. */
export function encoderModule(source) {
  return source === undefined ? standard : new LazyModule(source)
}

/** An encoding session with a configuration of WebCodecs, from the first samples to `finish`. */
export class AACEncoding {
  #module
  #config
  #encoder
  #description

  /** Creates a session; rejects a configuration that the encoder does not support. */
  static async open(module, config, effort) {
    const options = encoderOptions(config, effort)
    return new AACEncoding(module, config, await module.use((engine) => (
      new Encoder(engine, options))))
  }

  constructor(module, config, encoder) {
    this.#module = module
    this.#config = config
    this.#encoder = encoder
    this.#description = encoder.audioSpecificConfig
  }

  /** Samples per channel in a unit. */
  get unitFrames() {
    return encodedProfile(this.#config.codec) === 'lc' ? 1024 : 2048
  }

  /** The configuration for a decoder; without `description` for ADTS, whose headers describe the stream. */
  get decoderConfig() {
    const { codec, sampleRate, numberOfChannels } = this.#config
    const config = { codec, sampleRate, numberOfChannels }
    if (!this.#isADTS) config.description = this.#description.slice().buffer
    return config
  }

  /** Encodes the samples of an object like AudioData, and returns the completed units. */
  async encode(data) {
    const samples = samplesOf(data)
    const units = await this.#module.use(() => (
      Array.isArray(samples) ? this.#encoder.encodePlanar(samples) : this.#encoder.encode(samples)))
    return this.#wrapped(units)
  }

  /** Ends the stream, and returns the last units. */
  async finish() {
    const { units } = await this.#module.use(() => this.#encoder.finish())
    this.close()
    return this.#wrapped(units)
  }

  /** Releases the memory. */
  close() {
    this.#encoder.close()
  }

  get #isADTS() {
    return this.#config.aac?.format === 'adts'
  }

  #wrapped(units) {
    if (!this.#isADTS) return units
    return units.map((unit) => adtsFrame(this.#description, unit))
  }
}

/** Converts a configuration of WebCodecs to the encoder's options. */
function encoderOptions({ codec, sampleRate, numberOfChannels, bitrate, bitrateMode }, effort) {
  let rateControl
  if (bitrate !== undefined) {
    rateControl = bitrateMode === 'constant' ? { constant: bitrate } : { average: bitrate }
  }
  return {
    sampleRate, channels: numberOfChannels, profile: encodedProfile(codec), rateControl, effort,
  }
}

/** Converts samples for the encoder: 16-bit samples unchanged, all others to numbers in −1…1. */
function samplesOf(data) {
  const { format, numberOfFrames, numberOfChannels } = data
  if (format === 's16') {
    const samples = new Int16Array(numberOfFrames * numberOfChannels)
    data.copyTo(samples, { planeIndex: 0, format })
    return samples
  }
  return Array.from({ length: numberOfChannels }, (_, planeIndex) => {
    const samples = new Float32Array(numberOfFrames)
    data.copyTo(samples, { planeIndex, format: 'f32-planar' })
    return samples
  })
}

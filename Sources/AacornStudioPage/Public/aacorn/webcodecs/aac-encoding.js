import { encoderAddress } from '../addresses.js'
import { Encoder } from '../encoder.js'
import { ModuleInReserve } from '../module.js'
import { adtsFrame } from './adts.js'
import { encodedProfile } from './codec-strings.js'

/** The module of the encoder where no other is named. */
const standard = new ModuleInReserve(encoderAddress)

/** The module that one names. */
export function encoderModule(source) {
  return source === undefined ? standard : new ModuleInReserve(source)
}

/** Sound of one beginning and one end that is encoded as a configuration of WebCodecs says. */
export class AACEncoding {
  #module
  #config
  #encoder
  #description

  /** Rejects what the encoder does not support. */
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

  /** Samples of each channel in a unit. */
  get unitFrames() {
    return encodedProfile(this.#config.codec) === 'lc' ? 1024 : 2048
  }

  /** What a decoder is told; ADTS tells the rest itself. */
  get decoderConfig() {
    const { codec, sampleRate, numberOfChannels } = this.#config
    const config = { codec, sampleRate, numberOfChannels }
    if (!this.#isADTS) config.description = this.#description.slice().buffer
    return config
  }

  /** Takes the samples of something like an AudioData and gives the units that are complete. */
  async encode(data) {
    const samples = samplesOf(data)
    const units = await this.#module.use(() => (
      Array.isArray(samples) ? this.#encoder.encodePlanar(samples) : this.#encoder.encode(samples)))
    return this.#wrapped(units)
  }

  /** Ends the sound and gives the last units. */
  async finish() {
    const { units } = await this.#module.use(() => this.#encoder.finish())
    this.close()
    return this.#wrapped(units)
  }

  /** Gives the memory back. */
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

/** What the encoder calls the members of a configuration. */
function encoderOptions({ codec, sampleRate, numberOfChannels, bitrate, bitrateMode }, effort) {
  let rateControl
  if (bitrate !== undefined) {
    rateControl = bitrateMode === 'constant' ? { constant: bitrate } : { average: bitrate }
  }
  return {
    sampleRate, channels: numberOfChannels, profile: encodedProfile(codec), rateControl, effort,
  }
}

/** Samples as the encoder takes them: 16 bits as they are, all else as numbers from −1 to 1. */
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

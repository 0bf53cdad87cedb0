import { decoderAddress } from '../addresses.js'
import { Decoder } from '../decoder.js'
import { ModuleInReserve } from '../module.js'
import { isADTS, readADTS } from './adts.js'
import { decodedProfile } from './codec-strings.js'

/** The module of the decoder where no other is named. */
const standard = new ModuleInReserve(decoderAddress)

/** The module that one names. */
export function decoderModule(source) {
  return source === undefined ? standard : new ModuleInReserve(source)
}

/** Sound that is decoded as a configuration of WebCodecs says. */
export class AACDecoding {
  #module
  #config
  /** What the decoder was made for; ADTS may change it. */
  #stream
  #decoder

  /** Rejects what the decoder does not support. */
  static async open(module, config) {
    const decoding = new AACDecoding(module, config)
    const { description, sampleRate, numberOfChannels } = config
    await decoding.#begin(description ?? { sampleRate, channels: numberOfChannels })
    return decoding
  }

  constructor(module, config) {
    this.#module = module
    this.#config = config
  }

  /** Decodes a chunk; null if it is damaged. */
  async decode(bytes) {
    // By the rules what has no description is ADTS, but some give bare units all the same.
    if (this.#config.description || !isADTS(bytes)) return this.#decodeUnit(bytes)
    const parts = []
    for (let rest = bytes; rest.length > 0;) {
      const frame = readADTS(rest)
      if (!frame) return null
      if (String(frame.audioSpecificConfig) !== String(this.#stream)) {
        await this.#begin(frame.audioSpecificConfig)
      }
      const decoded = await this.#decodeUnit(frame.unit)
      if (!decoded) return null
      parts.push(...decoded)
      rest = frame.rest
    }
    return parts
  }

  /** Forgets the sound so far. */
  reset() {
    this.#decoder.reset()
  }

  /** Gives the memory back. */
  close() {
    this.#decoder?.close()
  }

  async #begin(stream) {
    this.close()
    const parametricStereo = decodedProfile(this.#config.codec) === 'he2'
    this.#stream = stream
    this.#decoder = await this.#module.use((engine) => (
      new Decoder(engine, stream, { parametricStereo })))
  }

  async #decodeUnit(unit) {
    const part = await this.#module.use(() => this.#decoder.decode(unit))
    return part.isConcealed ? null : [part]
  }
}

import { decoderAddress } from '../addresses.js'
import { Decoder } from '../decoder.js'
import { LazyModule } from '../module.js'
import { isADTS, readADTS } from './adts.js'
import { decodedProfile } from './codec-strings.js'

/** The decoder module unless the caller specifies another source. */
const standard = new LazyModule(decoderAddress)

/** Returns the decoder module from a source, or the default module. */
export function decoderModule(source) {
  return source === undefined ? standard : new LazyModule(source)
}

/** A decoding session with a configuration of WebCodecs. */
export class AACDecoding {
  #module
  #config
  /** The configuration of the decoder, which ADTS headers may change. */
  #stream
  #decoder

  /** Creates a session; rejects a configuration that the decoder does not support. */
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

  /** Decodes a chunk; null if the chunk is damaged. */
  async decode(bytes) {
    // According to the standard, chunks without a description are ADTS, but some programs pass units without
    // ADTS headers.
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

  /** Resets the decoder. */
  reset() {
    this.#decoder.reset()
  }

  /** Releases the memory. */
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

// The decoder of aacorn.js without the encoder.
//
//    import { loadDecoder } from './decoder.js'
//    const decoder = (await loadDecoder()).decoder({ sampleRate: 44100, channels: 2 })
//    const { channels } = decoder.decode(unit)

import { Engine, whole } from './engine.js'
import { AacornError } from './errors.js'
import { beside, compile, LazyModule } from './module.js'
import { checkNames, decoderOptions, moduleNames } from './options.js'
import { SoundReader } from './sound-reader.js'
import { readLayout } from './speakers.js'

const decoderAddress = /* @__PURE__ */ beside(
  'aacorn-decoder.wasm', () => new URL('./aacorn-decoder.wasm', import.meta.url))
const soundAddress = /* @__PURE__ */ beside(
  'aacorn-sound.wasm', () => new URL('./aacorn-sound.wasm', import.meta.url))

export { AacornError, SoundReader }

/**
 * Loads the decoder module; by default the file aacorn-decoder.wasm beside this one. The module that reads
 * audio files is loaded when it is first needed, by default from aacorn-sound.wasm.
 */
export async function loadDecoder(source = decoderAddress, options) {
  return new AacornDecoder(await compile(source), options)
}

/** A loaded decoder module. All objects created by it share its memory. */
export class AacornDecoder {
  #engine
  #sound

  /**
   * Creates an instance from a compiled module, for example in a worker from the `module` of the page's
   * instance.
   */
  constructor(module, options) {
    checkNames(options, moduleNames)
    this.module = module
    this.#engine = new Engine(module)
    this.#sound = new LazyModule(options?.sound ?? soundAddress)
  }

  /** Creates a decoder of access units with this configuration. */
  decoder(configuration, options) {
    return new Decoder(this.#engine, configuration, options)
  }

  /** Opens an audio file: any file with AAC, and WAV, AIFF and CAF. */
  soundFile(file, options) {
    return this.#sound.use((engine) => SoundReader.open(engine, file, options))
  }
}

/** A decoder from access units to samples. */
export class Decoder {
  #engine
  #handle
  #format = { sampleRate: 0, channelCount: 0, layout: null }

  /** Use `decoder` of a loaded module instead. */
  constructor(engine, configuration, options) {
    checkNames(options, decoderOptions)
    const numbers = configurationNumbers(configuration)
    this.#engine = engine
    this.#handle = engine.create(this, 'decoder')
    try {
      const flags = (options?.dynamicRange ? 1 : 0) + (options?.parametricStereo ? 2 : 0)
      if (numbers) {
        this.#run('configure_plain', ...numbers, flags)
      } else {
        const bytes = asBytes(configuration)
        engine.write(this.#handle, bytes)
        this.#run('configure', bytes.length, flags)
      }
    } catch (error) {
      this.close()
      throw error
    }
  }

  /** Decodes a unit. */
  decode(unit) {
    const bytes = asBytes(unit)
    if (!bytes) throw new TypeError('A unit must be a Uint8Array.')
    this.#engine.write(this.#handle, bytes)
    return this.#take(this.#run('decode', bytes.length))
  }

  /** Returns samples that conceal a missing unit. */
  conceal() {
    return this.#take(this.#run('conceal'))
  }

  /** Resets the decoder, as after a seek to the unit with this index. */
  reset(unitIndex = 0) {
    this.#run('reset', Math.max(0, whole(unitIndex)))
  }

  /** Releases the memory. */
  close() {
    this.#engine.close(this, this.#handle)
    this.#handle = 0
  }

  #run(name, ...values) {
    return this.#engine.run(`decoder_${name}`, this.#handle, ...values)
  }

  #take(status) {
    const engine = this.#engine
    const handle = this.#handle
    if (status & 2) {
      this.#format = {
        sampleRate: engine.call('decoder_rate', handle),
        channelCount: engine.call('decoder_channels', handle),
        layout: readLayout(engine, 'decoder', handle),
      }
    }
    const { sampleRate, channelCount, layout } = this.#format
    const count = this.#run('samples')
    const channels = engine.readPlanar(handle, count, channelCount)
    return { channels, sampleRate, layout, isConcealed: (status & 1) !== 0 }
  }
}

/** Returns the rate and channels, or null for the bytes of an AudioSpecificConfig. */
function configurationNumbers(configuration) {
  if (asBytes(configuration)) return null
  if (typeof configuration === 'object' && configuration !== null) {
    return [whole(configuration.sampleRate), whole(configuration.channels)]
  }
  throw new TypeError(
    'A configuration must be the bytes of an AudioSpecificConfig or { sampleRate, channels }.')
}

/** Returns the bytes of a buffer or a view of one; undefined for anything else. */
function asBytes(value) {
  if (value instanceof ArrayBuffer) return new Uint8Array(value)
  if (!ArrayBuffer.isView(value)) return undefined
  return new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
}

// The decoder alone: what aacorn.js has of it, without the encoder.
//
//     import { loadDecoder } from './decoder.js'
//     const decoder = (await loadDecoder()).decoder({ sampleRate: 44100, channels: 2 })
//     const { channels } = decoder.decode(unit)

import { Engine, whole } from './engine.js'
import { AacornError } from './errors.js'
import { beside, compile, ModuleInReserve } from './module.js'
import { checkNames, decoderOptions, moduleNames } from './options.js'
import { SoundReader } from './sound-reader.js'
import { readLayout } from './speakers.js'

const decoderAddress = /* @__PURE__ */ beside(
  'aacorn-decoder.wasm', () => new URL('./aacorn-decoder.wasm', import.meta.url))
const soundAddress = /* @__PURE__ */ beside(
  'aacorn-sound.wasm', () => new URL('./aacorn-sound.wasm', import.meta.url))

export { AacornError, SoundReader }

/**
 * Loads the module that decodes; by default the file aacorn-decoder.wasm beside this one. The one
 * that reads sound files is loaded when it is first needed, by default from aacorn-sound.wasm.
 */
export async function loadDecoder(source = decoderAddress, options) {
  return new AacornDecoder(await compile(source), options)
}

/** A loaded module that decodes. What it makes shares its memory. */
export class AacornDecoder {
  #engine
  #sound

  /** Takes a compiled module, such as the `module` of another one that was sent to a worker. */
  constructor(module, options) {
    checkNames(options, moduleNames)
    this.module = module
    this.#engine = new Engine(module)
    this.#sound = new ModuleInReserve(options?.sound ?? soundAddress)
  }

  /** A decoder of units with this configuration. */
  decoder(configuration, options) {
    return new Decoder(this.#engine, configuration, options)
  }

  /** Opens a sound file: any with AAC, and WAV, AIFF and CAF. */
  soundFile(file, options) {
    return this.#sound.use((engine) => SoundReader.open(engine, file, options))
  }
}

/** Makes samples of units. */
export class Decoder {
  #engine
  #handle
  #format = { sampleRate: 0, channelCount: 0, layout: null }

  /** Use `decoder` of a loaded module instead. */
  constructor(engine, configuration, options) {
    checkNames(options, decoderOptions)
    const numbers = configurationNumbers(configuration)
    this.#engine = engine
    this.#handle = engine.run('decoder_create')
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

  /** Gives what stands in for a unit that is missing. */
  conceal() {
    return this.#take(this.#run('conceal'))
  }

  /** Forgets all units before, as after a jump to the unit with this index. */
  reset(unitIndex = 0) {
    this.#run('reset', Math.max(0, whole(unitIndex)))
  }

  /** Gives the memory back. */
  close() {
    // Handles are used again, so this one must not be.
    if (this.#handle > 0) this.#engine.call('close', this.#handle)
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

/** Rate and channels, if that is what is given, or else nothing. */
function configurationNumbers(configuration) {
  if (asBytes(configuration)) return null
  if (typeof configuration === 'object' && configuration !== null) {
    return [whole(configuration.sampleRate), whole(configuration.channels)]
  }
  throw new TypeError(
    'A configuration must be the bytes of an AudioSpecificConfig or { sampleRate, channels }.')
}

/** The bytes of an array or a buffer; undefined for anything else. */
function asBytes(value) {
  if (value instanceof ArrayBuffer) return new Uint8Array(value)
  if (!ArrayBuffer.isView(value)) return undefined
  return new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
}

// AAC encoder, decoder and inspector, compiled from Swift to WebAssembly.
//
//     import { load } from './aacorn.js'
//     const aacorn = await load()
//     const encoder = aacorn.fileEncoder({ container: 'm4a', sampleRate: 48000, channels: 2 })
//
// Everything runs where it is called: use a worker for long work. The types are in aacorn.d.ts.

import { decoderAddress, encoderAddress } from './addresses.js'
import { Columns } from './columns.js'
import { Decoder } from './decoder.js'
import { Encoder, FileEncoder } from './encoder.js'
import { Engine } from './engine.js'
import { AacornError } from './errors.js'
import { asBlob } from './file-bytes.js'
import { readTags } from './file-tags.js'
import { inspect } from './inspector.js'
import { beside, compile, ModuleInReserve } from './module.js'
import { checkNames, moduleNames } from './options.js'
import { SoundFile } from './sound-file.js'

const samplesAddress = /* @__PURE__ */ beside(
  'aacorn-samples.wasm', () => new URL('./aacorn-samples.wasm', import.meta.url))
const soundAddress = /* @__PURE__ */ beside(
  'aacorn-sound.wasm', () => new URL('./aacorn-sound.wasm', import.meta.url))
const inspectorAddress = /* @__PURE__ */ beside(
  'aacorn-inspector.wasm', () => new URL('./aacorn-inspector.wasm', import.meta.url))

export { AacornError }
export { AacornDecoder, Decoder, loadDecoder } from './decoder.js'
export { FileAssembler } from './file-assembler.js'
export { SoundReader } from './sound-reader.js'
export { Encoder, FileEncoder, SoundFile }
export { Columns as SoundColumns }

/**
 * Loads the module; by default the file aacorn.wasm beside this one. Those that take stored
 * samples, decode, read sound files and inspect are loaded when they are first needed, by default
 * from aacorn-samples.wasm, aacorn-decoder.wasm, aacorn-sound.wasm and aacorn-inspector.wasm.
 */
export async function load(source = encoderAddress, options) {
  return new Aacorn(await compile(source), options)
}

/** A loaded module. What it makes shares its memory. */
export class Aacorn {
  #engine
  #samples
  #decoder
  #sound
  #inspector

  /** Takes a compiled module, such as the `module` of another one that was sent to a worker. */
  constructor(module, options) {
    checkNames(options, moduleNames)
    this.module = module
    this.#engine = new Engine(module)
    this.#samples = new ModuleInReserve(options?.samples ?? samplesAddress)
    this.#decoder = new ModuleInReserve(options?.decoder ?? decoderAddress)
    this.#sound = new ModuleInReserve(options?.sound ?? soundAddress)
    this.#inspector = new ModuleInReserve(options?.inspector ?? inspectorAddress)
  }

  /** An encoder that gives access units. */
  encoder(options) {
    return new Encoder(this.#engine, options ?? {})
  }

  /** An encoder that gives the bytes of a file. */
  fileEncoder(options) {
    return new FileEncoder(this.#engine, options ?? {})
  }

  /** A decoder of units with this configuration. */
  decoder(configuration, options) {
    return this.#decoder.use((engine) => new Decoder(engine, configuration, options))
  }

  /** Opens a sound file: any with AAC, and WAV, AIFF and CAF. */
  soundFile(file, options) {
    return SoundFile.open(this.#engine, this.#samples, this.#sound, file, options)
  }

  /** The tags and the cover of a FLAC, MP3, Ogg, WAV, AIFF or CAF file, as `inputTags` takes them. */
  fileTags(file) {
    return this.#samples.use((engine) => readTags(engine, asBlob(file)))
  }

  /** What waveforms and spectrograms draw. */
  columns(sampleRate, channels) {
    return this.#samples.use((engine) => new Columns(engine, sampleRate, channels))
  }

  /** Reads an AAC file to its last bit and tells what is in it. */
  inspect(file, options) {
    return this.#inspector.use((engine) => inspect(engine, file, options))
  }
}

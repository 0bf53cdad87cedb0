// AAC encoder, decoder and inspector, compiled from Swift to WebAssembly.
//
//    import { load } from './aacorn.js'
//    const aacorn = await load()
//    const encoder = aacorn.fileEncoder({ container: 'm4a', sampleRate: 48000, channels: 2 })
//
// All calls run on the calling thread: use a worker for long work. The types are in aacorn.d.ts.

import { decoderAddress, encoderAddress } from './addresses.js'
import { Columns } from './columns.js'
import { Decoder } from './decoder.js'
import { defaultBitrate, Encoder, FileAssembler, FileEncoder } from './encoder.js'
import { Engine } from './engine.js'
import { AacornError } from './errors.js'
import { asBlob, readTags } from './file-bytes.js'
import { inspect } from './inspector.js'
import { beside, compile, LazyModule } from './module.js'
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
export { SoundReader } from './sound-reader.js'
export { Encoder, FileAssembler, FileEncoder, SoundFile }
export { Columns as SoundColumns }

/**
 * Loads the encoder module; by default the file aacorn.wasm beside this one. The modules for uncompressed
 * audio, decoding, reading audio files and inspection are loaded when they are first needed, by default from
 * aacorn-samples.wasm, aacorn-decoder.wasm, aacorn-sound.wasm and aacorn-inspector.wasm.
 */
export async function load(source = encoderAddress, options) {
  return new Aacorn(await compile(source), options)
}

/** A loaded module. All objects created by it share its memory. */
export class Aacorn {
  #engine
  #samples
  #decoder
  #sound
  #inspector

  /**
   * Creates an instance from a compiled module, for example in a worker from the `module` of the page's
   * instance.
   */
  constructor(module, options) {
    checkNames(options, moduleNames)
    this.module = module
    this.#engine = new Engine(module)
    this.#samples = new LazyModule(options?.samples ?? samplesAddress)
    this.#decoder = new LazyModule(options?.decoder ?? decoderAddress)
    this.#sound = new LazyModule(options?.sound ?? soundAddress)
    this.#inspector = new LazyModule(options?.inspector ?? inspectorAddress)
  }

  /** Returns the bitrate that an encoder uses by default. */
  defaultBitrate(options) {
    checkNames(options, ['sampleRate', 'channels', 'profile'])
    return defaultBitrate(this.#engine, options ?? {})
  }

  /** Creates an encoder that returns access units. */
  encoder(options) {
    return new Encoder(this.#engine, options ?? {})
  }

  /** Creates an encoder that returns the bytes of a file. */
  fileEncoder(options) {
    return new FileEncoder(this.#engine, options ?? {})
  }

  /** Creates a decoder of access units with this configuration. */
  decoder(configuration, options) {
    return this.#decoder.use((engine) => new Decoder(engine, configuration, options))
  }

  /** Opens an audio file: any file with AAC, and WAV, AIFF and CAF. */
  soundFile(file, options) {
    return SoundFile.open(this.#engine, this.#samples, this.#sound, file, options)
  }

  /** Returns the tags, cover and chapters of a FLAC, MP3, Ogg, WAV, AIFF or CAF file as `inputTags`. */
  fileTags(file) {
    return this.#samples.use((engine) => readTags(engine, asBlob(file)))
  }

  /** Creates a source of columns for waveforms and spectrograms. */
  columns(sampleRate, channels) {
    return this.#samples.use((engine) => new Columns(engine, sampleRate, channels))
  }

  /** Analyzes an AAC file completely and reports its contents. */
  inspect(file, options) {
    return this.#inspector.use((engine) => inspect(engine, file, options))
  }
}

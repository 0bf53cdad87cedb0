// AAC-LC encoder and inspector of AAC files, compiled from Swift to WebAssembly.
//
//     import { load } from './aacorn.js'
//     const aacorn = await load()
//     const encoder = aacorn.fileEncoder({ container: 'm4a', sampleRate: 48000, channels: 2 })
//
// Everything runs where it is called: use a worker for long work. The types are in aacorn.d.ts.

import { Columns } from './columns.js'
import { Encoder, FileEncoder } from './encoder.js'
import { Engine } from './engine.js'
import { AacornError } from './errors.js'
import { inspect } from './inspector.js'
import { SoundFile } from './sound-file.js'

export { AacornError }
export { FileAssembler } from './file-assembler.js'
export { Encoder, FileEncoder, SoundFile }
export { Columns as SoundColumns }

/**
 * Loads the module; by default the file aacorn.wasm beside this one. The module that inspects is
 * loaded when it is first needed, by default from aacorn-inspector.wasm.
 */
export async function load(source = new URL('./aacorn.wasm', import.meta.url), options) {
  return new Aacorn(await compile(source), options)
}

/** A loaded module. What it makes shares its memory. */
export class Aacorn {
  #engine
  #inspectorSource
  #inspector

  /** Takes a compiled module, such as the `module` of another one that was sent to a worker. */
  constructor(module, options) {
    this.module = module
    this.#engine = new Engine(module)
    this.#inspectorSource = options?.inspector ??
      new URL('./aacorn-inspector.wasm', import.meta.url)
  }

  /** An encoder that gives access units. */
  encoder(options) {
    return new Encoder(this.#engine, options ?? {})
  }

  /** An encoder that gives the bytes of a file. */
  fileEncoder(options) {
    return new FileEncoder(this.#engine, options ?? {})
  }

  /** Opens a WAV, AIFF or CAF file. */
  soundFile(blob) {
    return SoundFile.open(this.#engine, blob)
  }

  /** What waveforms and spectrograms draw. */
  columns(sampleRate, channels) {
    return new Columns(this.#engine, sampleRate, channels)
  }

  /** Reads an AAC file to its last bit and tells what is in it. */
  async inspect(blob, options) {
    try {
      return await inspect(await this.#loadInspector(), blob, options ?? {})
    } catch (error) {
      // A module that broke down is of no more use.
      if (error instanceof AacornError && error.code === 'crashed') this.#inspector = undefined
      throw error
    }
  }

  async #loadInspector() {
    this.#inspector ??= compile(this.#inspectorSource).then((module) => new Engine(module))
    try {
      return await this.#inspector
    } catch (error) {
      // The next try may have better luck.
      this.#inspector = undefined
      throw error
    }
  }
}

async function compile(given) {
  const source = await given
  if (source instanceof WebAssembly.Module) return source
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) {
    return WebAssembly.compile(source)
  }
  if (typeof Response !== 'undefined' && source instanceof Response) return compileResponse(source)
  // A path without a scheme is meant as it would be in a page, or else as a file beside this one.
  const base = globalThis.location?.href ?? import.meta.url
  const url = new URL(source, base)
  if (url.protocol === 'file:') {
    // Only node has such addresses; its fetch does not take them. Bundlers leave this import alone.
    const files = await import(/* webpackIgnore: true */ /* @vite-ignore */ 'node:fs/promises')
    return WebAssembly.compile(await files.readFile(url))
  }
  return compileResponse(await fetch(url))
}

async function compileResponse(response) {
  if (!response.ok) {
    throw new AacornError('not-loaded', `The module “${response.url}” was not loaded: the server ` +
      `answered ${response.status}. Check where the file is.`)
  }
  // Compiling while loading asks for this very type, which not every server gives.
  const isNamed = response.headers.get('Content-Type')?.toLowerCase() === 'application/wasm'
  if (isNamed) return WebAssembly.compileStreaming(response)
  return WebAssembly.compile(await response.arrayBuffer())
}

import { Engine } from './engine.js'
import { AacornError } from './errors.js'

/** Where node has its files. */
const filesOfNode = ['node:fs', 'promises'].join('/')

/** Compiles a module, wherever it comes from. */
export async function compile(given) {
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
    // Only node has such addresses; its fetch does not take them. Bundlers leave this import alone,
    // some for what is said to them here, others for not knowing the name.
    const files = await import(/* webpackIgnore: true */ /* @vite-ignore */ filesOfNode)
    return WebAssembly.compile(await files.readFile(url))
  }
  return compileResponse(await fetch(url))
}

/** A module that is loaded when it is first needed. */
export class ModuleInReserve {
  #source
  #engine

  constructor(source) {
    this.#source = source
  }

  /** Does something with the running module. */
  async use(action) {
    const engine = await this.#load()
    try {
      return await action(engine)
    } catch (error) {
      // A module that broke down is of no more use.
      if (error instanceof AacornError && error.code === 'crashed') this.#engine = undefined
      throw error
    }
  }

  async #load() {
    this.#engine ??= compile(this.#source).then((module) => new Engine(module))
    try {
      return await this.#engine
    } catch (error) {
      // The next try may have better luck.
      this.#engine = undefined
      throw error
    }
  }
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

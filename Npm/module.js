import { Engine } from './engine.js'
import { AacornError } from './errors.js'

/** The module of Node for file access. */
const filesOfNode = ['node:fs', 'promises'].join('/')
/** The recovery suggestion for a module that cannot be loaded. */
const advice = 'Check that the .wasm files of the package are there, or say where they are.'

/**
 * The address of this file. In a bundle that is not a module there is no `import.meta.url`. The address is then
 * that of the page's current script, of the file in Node, or else of the page or the worker.
 */
const here = import.meta.url || globalThis.document?.currentScript?.src ||
  (typeof __filename === 'string' ? fileAddress(__filename) : globalThis.location?.href)

/**
 * Returns the address of a file of the package: beside its other files, or beside the bundle that contains
 * them. `find` returns the same address by an expression that bundlers recognize. An invalid address causes an
 * error only when it is loaded.
 */
export function beside(name, find) {
  try {
    return import.meta.url ? find() : new URL(name, here)
  } catch {
    return name
  }
}

/** Compiles a module from any kind of source. */
export async function compile(given) {
  const source = await given
  if (source instanceof WebAssembly.Module) return source
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) {
    return WebAssembly.compile(source)
  }
  if (typeof Response !== 'undefined' && source instanceof Response) return compileResponse(source)
  const url = addressOf(source)
  let response
  try {
    if (url.protocol === 'file:') {
      // Only Node has such addresses, and its fetch does not support them. Bundlers skip this import: some
      // because of the comments in it, others because the name is not a constant.
      const files = await import(/* webpackIgnore: true */ /* @vite-ignore */ filesOfNode)
      response = new Response(await files.readFile(url))
    } else {
      response = await fetch(url)
    }
  } catch (error) {
    throw notLoaded(url, `was not loaded: ${error.message}. ${advice}`, error)
  }
  return compileResponse(response, url)
}

/** A module that is loaded when it is first needed. */
export class LazyModule {
  #source
  #engine

  constructor(source) {
    this.#source = source
  }

  /** Calls a function with the running module. */
  async use(action) {
    const engine = await this.#load()
    try {
      return await action(engine)
    } catch (error) {
      // A crashed module is unusable, so load it again at the next use.
      if (error instanceof AacornError && error.code === 'crashed') this.#engine = undefined
      throw error
    }
  }

  async #load() {
    this.#engine ??= compile(this.#source).then((module) => new Engine(module))
    try {
      return await this.#engine
    } catch (error) {
      // Forget the failure, so that the next use loads the module again.
      this.#engine = undefined
      throw error
    }
  }
}

async function compileResponse(response, url = response.url) {
  if (!response.ok) {
    throw notLoaded(url, `was not loaded: the server answered ${response.status}. ${advice}`)
  }
  // Streaming compilation requires this exact type, which some servers do not send.
  const isNamed = response.headers.get('Content-Type')?.toLowerCase() === 'application/wasm'
  try {
    if (isNamed) return await WebAssembly.compileStreaming(response)
    return await WebAssembly.compile(await response.arrayBuffer())
  } catch (error) {
    // Many servers respond with a page in place of a missing file.
    throw notLoaded(url, `was not compiled: ${error.message}. ${advice}`, error)
  }
}

/** Resolves a path without a scheme against the page, or else against this file. */
function addressOf(source) {
  try {
    return new URL(source, globalThis.location?.href ?? here)
  } catch (error) {
    throw notLoaded(source, `has no address here. ${advice}`, error)
  }
}

/** Converts a file path in Node to an address. */
function fileAddress(path) {
  const url = new URL('file:///')
  url.pathname = path.replaceAll('%', '%25').replaceAll('\\', '/')
  return url.href
}

function notLoaded(url, what, cause) {
  // The address may contain the whole module, as a `data:` URL.
  const name = String(url).length > 200 ? `${String(url).slice(0, 200)}…` : url
  return new AacornError('not-loaded', `The module “${name}” ${what}`, cause && { cause })
}

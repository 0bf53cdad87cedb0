import { Engine } from './engine.js'
import { AacornError } from './errors.js'

/** Where node has its files. */
const filesOfNode = ['node:fs', 'promises'].join('/')
/** What to do if a module does not come. */
const advice = 'Check that the .wasm files of the package are there, or say where they are.'

/**
 * The address of this file. A bundle that is no module has no `import.meta.url`: what it knows is the
 * script of a page that it is run for, or its file in node, or else where the page or the worker is.
 */
const here = import.meta.url || globalThis.document?.currentScript?.src ||
  (typeof __filename === 'string' ? fileAddress(__filename) : globalThis.location?.href)

/**
 * Where a module of the package is: beside its other files, or beside the bundle that they are in.
 * `find` tells the same by an expression that bundlers look for. Nothing is wrong before it is loaded.
 */
export function beside(name, find) {
  try {
    return import.meta.url ? find() : new URL(name, here)
  } catch {
    return name
  }
}

/** Compiles a module, wherever it comes from. */
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
      // Only node has such addresses; its fetch does not take them. Bundlers leave this import alone,
      // some for what is said to them here, others for not knowing the name.
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

async function compileResponse(response, url = response.url) {
  if (!response.ok) {
    throw notLoaded(url, `was not loaded: the server answered ${response.status}. ${advice}`)
  }
  // Compiling while loading asks for this very type, which not every server gives.
  const isNamed = response.headers.get('Content-Type')?.toLowerCase() === 'application/wasm'
  try {
    if (isNamed) return await WebAssembly.compileStreaming(response)
    return await WebAssembly.compile(await response.arrayBuffer())
  } catch (error) {
    // Many servers answer with a page in place of a file that is not there.
    throw notLoaded(url, `was not compiled: ${error.message}. ${advice}`, error)
  }
}

/** A path without a scheme is meant as it would be in a page, or else as a file beside this one. */
function addressOf(source) {
  try {
    return new URL(source, globalThis.location?.href ?? here)
  } catch (error) {
    throw notLoaded(source, `has no address here. ${advice}`, error)
  }
}

/** The address of a file of node, which knows only its path here. */
function fileAddress(path) {
  const url = new URL('file:///')
  url.pathname = path.replaceAll('%', '%25').replaceAll('\\', '/')
  return url.href
}

function notLoaded(url, what, cause) {
  // The address may be the module itself, as one of data:.
  const name = String(url).length > 200 ? `${String(url).slice(0, 200)}…` : url
  return new AacornError('not-loaded', `The module “${name}” ${what}`, cause && { cause })
}

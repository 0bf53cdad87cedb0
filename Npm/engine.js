import { AacornError, checked } from './errors.js'

/** Converts a value to a 32-bit integer for the module, or to −1, which the module rejects. */
export function whole(value) {
  const number = Number(value)
  return Number.isInteger(number) && Math.abs(number) < 2 ** 31 ? number : -1
}

/** An instance of a module: its functions, and the memory for input and output. */
export class Engine {
  #exports
  /** Closes the sessions of owners that are garbage-collected without a call of `close`. */
  #forgotten = new FinalizationRegistry((handle) => this.#free(handle))

  constructor(module) {
    this.#exports = new WebAssembly.Instance(module, {}).exports
    if (this.#exports.aacorn_version?.() !== 4) throw otherModule()
  }

  /** Calls the exported function `aacorn_…` with this name, and returns its result. */
  call(name, ...values) {
    const function_ = this.#exports[`aacorn_${name}`]
    if (!function_) throw otherModule()
    try {
      return function_(...values)
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError)) throw error
      throw new AacornError('crashed', `The module crashed (${error.message}). Load it again.`)
    }
  }

  /** Calls a function whose negative results are errors, and throws for them. */
  run(name, ...values) {
    return checked(this.call(name, ...values))
  }

  /** Creates a session by `aacorn_…_create`, and returns its handle. Its owner closes it. */
  create(owner, kind, ...values) {
    const handle = this.run(`${kind}_create`, ...values)
    this.#forgotten.register(owner, handle, owner)
    return handle
  }

  /**
   * Closes the session of an owner; 0 is the handle of a closed one. Handles are reused, so the owner must set
   * its handle to 0.
   */
  close(owner, handle) {
    if (!(handle > 0)) return
    this.#forgotten.unregister(owner)
    this.#free(handle)
  }

  #free(handle) {
    try {
      this.call('close', handle)
    } catch {
      // The module crashed, so there is no memory to free.
    }
  }

  /** Returns the input memory of a session, valid until the next call. */
  input(handle, byteLength) {
    // WebAssembly returns addresses as signed numbers.
    const pointer = this.call('input', handle, byteLength) >>> 0
    if (pointer === 0) checked(handle > 0 && byteLength > 1 << 26 ? -9 : -8)
    return new Uint8Array(this.#exports.memory.buffer, pointer, byteLength)
  }

  /** Copies the bytes of an array to the input memory of a session. */
  write(handle, array) {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
    this.input(handle, bytes.length).set(bytes)
  }

  /** Returns a copy of the output of a session. */
  read(handle, length) {
    const pointer = this.call('output', handle) >>> 0
    return new Uint8Array(this.#exports.memory.buffer, pointer, length).slice()
  }

  /** Returns a copy of a session's output of samples, one channel after the other. */
  readPlanar(handle, count, channelCount) {
    const { buffer } = this.read(handle, 4 * count * channelCount)
    return Array.from({ length: channelCount }, (_, channel) => (
      new Float32Array(buffer, 4 * count * channel, count)))
  }

  /** Returns the output of a session as text. */
  readText(handle, length) {
    return new TextDecoder().decode(this.read(handle, length))
  }

  /** The size of the module's memory in bytes. */
  get byteLength() {
    return this.#exports.memory.buffer.byteLength
  }
}

function otherModule() {
  return new AacornError('version',
    'The module is not the one, or not the version, that aacorn.js needs.')
}

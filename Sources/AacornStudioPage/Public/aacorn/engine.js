import { AacornError, checked } from './errors.js'

/** What the module takes for a number: whole and of 32 bits, or -1, which it refuses. */
export function whole(value) {
  const number = Number(value)
  return Number.isInteger(number) && Math.abs(number) < 2 ** 31 ? number : -1
}

/** A running module: calls, and the memory through which bytes go in and out. */
export class Engine {
  #exports

  constructor(module) {
    this.#exports = new WebAssembly.Instance(module, {}).exports
    if (this.#exports.aacorn_version?.() !== 4) throw otherModule()
  }

  /** Calls a function and returns what it does. */
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

  /** Calls a function of which negative results are failures. */
  run(name, ...values) {
    return checked(this.call(name, ...values))
  }

  /** Room for bytes of a session, valid until the next call. */
  input(handle, byteLength) {
    // Addresses are signed numbers to JavaScript.
    const pointer = this.call('input', handle, byteLength) >>> 0
    if (pointer === 0) checked(handle > 0 && byteLength > 1 << 26 ? -9 : -8)
    return new Uint8Array(this.#exports.memory.buffer, pointer, byteLength)
  }

  /** Hands over the bytes of an array. */
  write(handle, array) {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
    this.input(handle, bytes.length).set(bytes)
  }

  /** A copy of what a session put out. */
  read(handle, length) {
    const pointer = this.call('output', handle) >>> 0
    return new Uint8Array(this.#exports.memory.buffer, pointer, length).slice()
  }

  /** A copy of samples that a session put out one channel after the other. */
  readPlanar(handle, count, channelCount) {
    const { buffer } = this.read(handle, 4 * count * channelCount)
    return Array.from({ length: channelCount }, (_, channel) => (
      new Float32Array(buffer, 4 * count * channel, count)))
  }

  /** What a session put out, as text. */
  readText(handle, length) {
    return new TextDecoder().decode(this.read(handle, length))
  }

  /** Bytes of memory that the module has taken. */
  get byteLength() {
    return this.#exports.memory.buffer.byteLength
  }
}

function otherModule() {
  return new AacornError('version',
    'The module is not the one, or not the version, that aacorn.js needs.')
}

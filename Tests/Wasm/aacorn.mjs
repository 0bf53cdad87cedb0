// A thin cover over the functions of Sources/AacornWasm/Exports.swift.

import { readFileSync } from 'node:fs'

export const modes = { constant: 0, average: 1, variable: 2 }
export const efforts = { fast: 0, balanced: 1, best: 2 }

/** Loads the module, which imports nothing, and returns its exports. */
export function load(path) {
  const module = new WebAssembly.Module(readFileSync(path))
  return new WebAssembly.Instance(module, {}).exports
}

/** One encoder inside a loaded module. */
export class Encoder {
  #wasm
  #handle

  constructor(wasm, { rate, channels, mode, value, effort }) {
    this.#wasm = wasm
    this.#handle = wasm.aacorn_encoder_create(
      rate, channels, modes[mode], value, efforts[effort])
    if (this.#handle <= 0) throw new Error(`no encoder: failure ${this.#handle}`)
  }

  /** Takes interleaved samples, an Int16Array or a Float32Array. */
  encode(samples) {
    const pointer = this.#wasm.aacorn_encoder_input(this.#handle, samples.byteLength)
    const memory = new Uint8Array(this.#wasm.memory.buffer, pointer, samples.byteLength)
    memory.set(new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength))
    const status = samples instanceof Int16Array
      ? this.#wasm.aacorn_encoder_encode_int16(this.#handle, samples.length)
      : this.#wasm.aacorn_encoder_encode_float(this.#handle, samples.length)
    if (status < 0) throw new Error(`samples refused: failure ${status}`)
  }

  /** The access units that are ready. */
  take() {
    const units = []
    for (;;) {
      const length = this.#wasm.aacorn_encoder_next(this.#handle)
      if (length < 0) throw new Error(`no unit: failure ${length}`)
      if (length === 0) return units
      units.push(this.#output(length))
    }
  }

  /** The AudioSpecificConfig. */
  get configuration() {
    return this.#output(this.#wasm.aacorn_encoder_config(this.#handle))
  }

  /** Ends the input and returns what a decoder has to cut off. */
  finish() {
    this.#wasm.aacorn_encoder_finish(this.#handle)
    return {
      priming: this.#wasm.aacorn_encoder_priming(this.#handle),
      remainder: this.#wasm.aacorn_encoder_remainder(this.#handle),
    }
  }

  destroy() {
    this.#wasm.aacorn_encoder_destroy(this.#handle)
  }

  #output(length) {
    const pointer = this.#wasm.aacorn_encoder_output(this.#handle)
    return Buffer.from(new Uint8Array(this.#wasm.memory.buffer, pointer, length))
  }
}

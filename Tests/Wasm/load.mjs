// The published modules, and access to their memory.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'

const folder = new URL('../../Npm/', import.meta.url)

export function published(name) {
  return readFileSync(new URL(name, folder))
}

/** Returns the exports of a module, without the JavaScript wrapper. */
export function bare(name) {
  return new WebAssembly.Instance(new WebAssembly.Module(published(name)), {}).exports
}

/** Writes bytes into the memory of a session of such a module. */
export function write(wasm, handle, bytes) {
  const pointer = wasm.aacorn_input(handle, bytes.length) >>> 0
  new Uint8Array(wasm.memory.buffer, pointer, bytes.length).set(bytes)
}

/** Checks that such a module needs no more memory after many rounds than after a few. */
export function checkMemory(wasm, rounds, run) {
  for (let round = 0; round < 20; round++) run(round)
  const before = wasm.memory.buffer.byteLength
  for (let round = 0; round < rounds; round++) run(round)
  assert.equal(wasm.memory.buffer.byteLength, before)
}

export async function bytesOf(blob) {
  return Buffer.from(await blob.arrayBuffer())
}

/**
 * Checks that an action reports its progress up to 1, and that a signal aborts it; returns the number of reports.
 */
export async function checkProgress(act) {
  const fractions = []
  await act({ onProgress: (fraction) => fractions.push(fraction) })
  assert.deepEqual(fractions, [...fractions].sort((a, b) => a - b))
  assert.equal(fractions.at(-1), 1)
  const controller = new AbortController()
  await assert.rejects(act({ signal: controller.signal, onProgress: () => controller.abort() }),
    { name: 'AbortError' })
  return fractions.length
}

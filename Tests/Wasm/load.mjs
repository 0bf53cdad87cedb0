// The published modules, and the command for comparisons.

import { readFileSync } from 'node:fs'
import { load } from '../../Npm/aacorn.js'

const folder = new URL('../../Npm/', import.meta.url)

/** Returns the bytes of a published file. */
export function published(name) {
  return readFileSync(new URL(name, folder))
}

/** Returns a new instance that no other test has used. */
export function fresh() {
  return load()
}

/** Returns the exports of a module, without the JavaScript wrapper. */
export function bare(name) {
  return new WebAssembly.Instance(new WebAssembly.Module(published(name)), {}).exports
}

/** The native command. */
export const command = process.env.AACORN
if (!command) throw new Error('AACORN does not name the native command. Run Scripts/check-wasm.')

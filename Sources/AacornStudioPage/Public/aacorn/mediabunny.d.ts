// Aacorn for mediabunny, a package of its own that must be there too.

import type { Effort, ModuleSource } from './aacorn.js'

/**
 * Makes mediabunny encode AAC with Aacorn from now on. Call it before any output begins; where the
 * browser has an encoder of its own, ask `canEncodeAudio('aac')` before if you prefer that one.
 */
export function registerAacornEncoder(options?: {
  effort?: Effort
  /** Where the module of the encoder is, by default aacorn.wasm beside this file. */
  encoder?: ModuleSource
}): void

/** Makes mediabunny decode AAC with Aacorn from now on. */
export function registerAacornDecoder(options?: {
  /** Where the module of the decoder is, by default aacorn-decoder.wasm beside this file. */
  decoder?: ModuleSource
}): void

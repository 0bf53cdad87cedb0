// Aacorn for mediabunny, a separate package that must be installed too.

import type { Effort, ModuleSource } from './aacorn.js'

/**
 * Makes mediabunny use Aacorn to encode AAC. Call it before starting any output. To prefer a browser's own
 * encoder, check `canEncodeAudio('aac')` before the call.
 */
export function registerAacornEncoder(options?: {
  effort?: Effort
  /** The encoder module, by default aacorn.wasm beside this file. */
  encoder?: ModuleSource
}): void

/** Makes mediabunny use Aacorn to decode AAC. */
export function registerAacornDecoder(options?: {
  /** The decoder module, by default aacorn-decoder.wasm beside this file. */
  decoder?: ModuleSource
}): void

// The addresses of two modules, for the files in subfolders: next to this file, or next to the bundle that
// contains it. The addresses of the other modules are in the files that use them, because bundlers copy every
// module whose address is in an imported file.

import { beside } from './module.js'

export const encoderAddress = /* @__PURE__ */ beside(
  'aacorn.wasm', () => new URL('./aacorn.wasm', import.meta.url))
export const decoderAddress = /* @__PURE__ */ beside(
  'aacorn-decoder.wasm', () => new URL('./aacorn-decoder.wasm', import.meta.url))

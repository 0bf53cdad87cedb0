// The addresses of the modules that files in subfolders use: next to this file, or next to the bundle that
// contains it. The files that use the other modules define their addresses themselves, because bundlers copy
// every module whose address is in an imported file.

import { beside } from './module.js'

export const encoderAddress = /* @__PURE__ */ beside(
  'aacorn.wasm', () => new URL('./aacorn.wasm', import.meta.url))
export const decoderAddress = /* @__PURE__ */ beside(
  'aacorn-decoder.wasm', () => new URL('./aacorn-decoder.wasm', import.meta.url))

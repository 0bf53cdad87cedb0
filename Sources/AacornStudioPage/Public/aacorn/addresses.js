// The addresses of modules, for files in subfolders: beside this file, and so also beside the bundle that
// contains it. The other addresses are not here, since bundlers copy every module with an address in an
// imported file.

import { beside } from './module.js'

export const encoderAddress = /* @__PURE__ */ beside(
  'aacorn.wasm', () => new URL('./aacorn.wasm', import.meta.url))
export const decoderAddress = /* @__PURE__ */ beside(
  'aacorn-decoder.wasm', () => new URL('./aacorn-decoder.wasm', import.meta.url))

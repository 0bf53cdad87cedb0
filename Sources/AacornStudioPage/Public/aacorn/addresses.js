// Where modules are, for those who are in folders of their own: beside this file, and so also beside
// what a bundler has made of all of them. Not all modules are here: bundlers copy those that are named.

import { beside } from './module.js'

export const encoderAddress = /* @__PURE__ */ beside(
  'aacorn.wasm', () => new URL('./aacorn.wasm', import.meta.url))
export const decoderAddress = /* @__PURE__ */ beside(
  'aacorn-decoder.wasm', () => new URL('./aacorn-decoder.wasm', import.meta.url))

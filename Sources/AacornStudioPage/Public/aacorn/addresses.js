// Where modules are, for those who are in folders of their own: beside this file, and so also beside
// what a bundler has made of all of them.

export const encoderAddress = new URL('./aacorn.wasm', import.meta.url)
export const decoderAddress = new URL('./aacorn-decoder.wasm', import.meta.url)

// The compiled modules: each module is loaded once, and passed to every worker that needs it.

import { load } from '../../aacorn/aacorn.js'
import { compile } from '../../aacorn/module.js'

/**
 * Returns a function that returns a promise of the result of `loading`. An error has a human-readable message,
 * and the next call tries again.
 */
function loadedOnce(name, loading) {
  let module = null
  return () => {
    module ??= loading().catch(error => {
      module = null
      throw new Error(`The ${name} could not be loaded. Reload the page. If that does not help, `
        + `restart the studio. (${error?.message ?? error})`)
    })
    // The callers handle an error when they await the promise; until then it is not an error of the page.
    module.catch(() => {})
    return module
  }
}

export const encoderModule = loadedOnce('encoder', async () => (await load()).module)

/** The module that reads WAV, AIFF and CAF files, converts audio and computes columns for drawings. */
export const samplesModule = loadedOnce('reader of samples', () =>
  compile(new URL('../../aacorn/aacorn-samples.wasm', import.meta.url)))

/** The module that decodes files with AAC. */
export const decoderModule = loadedOnce('decoder', () =>
  compile(new URL('../../aacorn/aacorn-sound.wasm', import.meta.url)))

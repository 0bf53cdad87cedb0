// The compiled modules: each is loaded once, and handed to every worker that needs it.

import { load } from '../../aacorn/aacorn.js'
import { compile } from '../../aacorn/module.js'

/**
 * A function that answers a promise of what `loading` gives; a failure is a sentence, and the next
 * call tries again.
 */
function loadedOnce(name, loading) {
  let module = null
  return () => {
    module ??= loading().catch(error => {
      module = null
      throw new Error(`The ${name} could not be loaded. Reload the page. If that does not help, `
        + `restart the studio. (${error?.message ?? error})`)
    })
    // Whoever needs it awaits it; until then a failure is not an error of the page.
    module.catch(() => {})
    return module
  }
}

/** What encodes. */
export const encoderModule = loadedOnce('encoder', async () => (await load()).module)

/** What reads WAV, AIFF and CAF files, converts sound and makes what drawings show. */
export const samplesModule = loadedOnce('reader of samples', () =>
  compile(new URL('../../aacorn/aacorn-samples.wasm', import.meta.url)))

/** What decodes files with AAC. */
export const decoderModule = loadedOnce('decoder', () =>
  compile(new URL('../../aacorn/aacorn-sound.wasm', import.meta.url)))

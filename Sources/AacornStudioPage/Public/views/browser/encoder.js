// The compiled encoder: loaded once, and handed to every worker.

import { load } from '../../aacorn/aacorn.js'

let module = null

/** A promise of the compiled module; a failure is a sentence, and the next call tries again. */
export function encodedModule() {
  module ??= load().then(aacorn => aacorn.module).catch(error => {
    module = null
    throw new Error('The encoder could not be loaded. Load the page again; if that does not help, '
      + `restart the studio. (${error?.message ?? error})`)
  })
  // Whoever needs it awaits it; until then a failure is not an error of the page.
  module.catch(() => {})
  return module
}

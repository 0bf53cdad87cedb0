// The loudness of the recording, beside its meters.

import { loudness } from '../../format.js'
import { factList } from '../transport.js'

/** Creates `{element, show(reading), clear()}`; a reading is the `loudness` of a meter event. */
export function loudnessReadout() {
  const facts = factList('loudness', [
    ['now', 'Loudness', 'The loudness of the last three seconds (EBU R 128, short-term)'],
    ['whole', 'So far', 'The loudness of the recording up to now (EBU R 128, integrated)']
  ])
  return {
    element: facts.element,
    show(reading) {
      facts.show('now', loudness(reading?.shortTerm ?? reading?.momentary))
      facts.show('whole', loudness(reading?.integrated))
    },
    clear: facts.reset
  }
}

import { PlaceList, placeLine } from '../placelist.js'
import { counted, exactClock } from '../words.js'

/** The list of concealed ranges; each range calls `onPick(seconds)`. */
export class ConcealedList extends PlaceList {
  #rate = 0
  /** The counts already shown, to avoid an update without a change. */
  #shown = ''

  constructor(actions) { super('concealed', actions) }

  /** Shows the concealed ranges found by a decoding up to now. */
  show({ concealed: { count, frameCount, list }, sampleRate }) {
    this.element.hidden = count === 0
    const now = `${count} ${frameCount}`
    if (count === 0 || now === this.#shown) return
    this.#shown = now
    this.#rate = sampleRate
    const unlistedCount = count - list.length
    this.showPlaces(list, 'Concealed',
      `${counted(count, 'place')}, ${(frameCount / sampleRate).toFixed(3)} s`,
      unlistedCount > 0 && `${counted(unlistedCount, 'more place')} counted, but not listed.`)
  }

  line({ position, frameCount }) {
    const seconds = position / this.#rate
    return placeLine([`${(frameCount / this.#rate).toFixed(3)} s`, 'danger'],
      'Damaged or missing; concealed by the decoder',
      `at ${exactClock(seconds)}, ${counted(frameCount, 'sample')}`,
      () => this.onPick(seconds), 'Go to the place')
  }
}

import { h, replace, showText } from '../../dom.js'
import { counted, exactClock, hexadecimal, spaced } from '../../format.js'
import { faultCounts, gapSummary } from './facts.js'

/** The number of places added to a list at a time. */
const chunk = 50

/** Creates a line that goes to a place: a badge and its kind, words, and the position. */
function placeLine([badge, kind], words, position, onclick, title = 'Go to the frame') {
  return h('li', h('button', { class: 'fault quiet', title, onclick },
    h('span', { class: `badge ${kind}` }, badge), h('span', { class: 'fault-words' }, words),
    h('span', { class: 'fault-place' }, position)))
}

/** A list of places in a file. A subclass implements `line(place)`. */
class PlaceList {
  #limit = chunk
  #places = []
  #head = h('h4')
  #list = h('ol', { class: 'fault-list', role: 'list' })
  #more = h('button', { class: 'quiet', onclick: () => this.#showMore() })
  #foot = h('p', { class: 'hint' })

  constructor(kind, { onPick }) {
    this.onPick = onPick
    this.element = h('div', { class: `faults side-${kind}`, hidden: true },
      this.#head, this.#list, this.#more, this.#foot)
  }

  /** Shows places with their counts, and a note about unlisted ones; existing lines stay. */
  showPlaces(places, title, counts, note) {
    this.#places = places
    replace(this.#head, title, h('span', { class: 'fault-counts' }, counts))
    // The last place may have grown.
    this.#list.lastElementChild?.remove()
    this.#fill()
    showText(this.#foot, note)
  }

  #fill() {
    const begin = this.#list.childElementCount
    this.#list.append(...this.#places.slice(begin, this.#limit).map(place => this.line(place)))
    const left = this.#places.length - this.#list.childElementCount
    showText(this.#more, left > 0 && `Show more (${spaced(left)} left)`)
  }

  #showMore() {
    const first = this.#list.childElementCount
    this.#limit += chunk
    this.#fill()
    this.#list.querySelector(`:scope > li:nth-child(n + ${first + 1}) button`)?.focus()
  }
}

const kinds = { error: 'danger', warning: 'warning' }

/** The list of faults: severity, position, message. Each fault goes to its frame and calls `onPick(frame)`. */
export class FaultList extends PlaceList {
  constructor(actions) { super('faults', actions) }

  show(report) {
    const { errors, warnings, notes, faults } = report
    const unlistedCount = errors + warnings + notes - faults.length
    this.showPlaces(faults, 'Faults', faultCounts(report), unlistedCount > 0
      && `${counted(unlistedCount, 'more fault')} counted, but not listed. `
        + 'The table of frames marks them.')
  }

  line({ severity, message, frame, offset, length }) {
    return placeLine([severity, kinds[severity] ?? ''], message, [
      `frame ${spaced(frame)}, byte ${spaced(offset)} (`,
      h('span', { class: 'code' }, hexadecimal(offset)),
      length > 0 ? `), ${counted(length, 'byte')}` : ')'
    ], () => this.onPick(frame))
  }
}

/** The list of gaps that a recorder stored in its file; each gap calls `onPick(seconds)`. */
export class GapList extends PlaceList {
  #rate = 0
  /** The duration of the priming samples in seconds, which positions of gaps do not include. */
  #delay = 0

  constructor(actions) { super('gaps', actions) }

  show(report) {
    this.#rate = report.trimRate || report.sampleRate
    this.#delay = (report.priming ?? 0) / this.#rate
    this.element.hidden = report.gaps.length === 0 || !(this.#rate > 0)
    if (!this.element.hidden) this.showPlaces(report.gaps, 'Gaps', gapSummary(report))
  }

  line(gap) {
    if (!Number.isFinite(gap.position) || !Number.isFinite(gap.length)) {
      return h('li', { class: 'hint' }, 'An entry without a position.')
    }
    const seconds = gap.position / this.#rate
    const words = [gap.cause ?? 'unknown cause']
    if (typeof gap.filled === 'boolean') {
      words.push(gap.filled ? 'filled with silence' : 'not filled')
    }
    if (gap.time) words.push(gap.time)
    return placeLine([`${(gap.length / this.#rate).toFixed(3)} s`, 'warning'], words.join(', '),
      `at ${exactClock(seconds)}, ${counted(gap.length, 'sample')}`,
      () => this.onPick(seconds + this.#delay))
  }
}

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

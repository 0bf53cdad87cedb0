import { h, replace } from '../../../dom.js'
import { counted, exactClock, grouped } from '../words.js'

/** The number of ranges added to the list at a time. */
const chunk = 50

/** The list of concealed ranges; each range is a button that calls `onPick(seconds)`. */
export class ConcealedList {
  #limit = chunk
  #ranges = []
  #rate = 0
  /** The counts already shown, to avoid an update without a change. */
  #shown = ''
  #head = h('h4')
  #list = h('ol', { class: 'fault-list', role: 'list' })
  #more = h('button', { type: 'button', class: 'quiet', onclick: () => this.#showMore() })
  #foot = h('p', { class: 'hint', hidden: true })

  constructor({ onPick }) {
    this.onPick = onPick
    this.element = h('div', { class: 'faults side-concealed', hidden: true },
      this.#head, this.#list, this.#more, this.#foot)
  }

  /** Shows the concealed ranges found by a decoding up to now. */
  show({ concealed, sampleRate }) {
    this.element.hidden = concealed.count === 0
    const now = `${concealed.count} ${concealed.frameCount}`
    if (concealed.count === 0 || now === this.#shown) return
    this.#shown = now
    this.#ranges = concealed.list
    this.#rate = sampleRate
    replace(this.#head, 'Concealed', h('span', { class: 'fault-counts' },
      `${counted(concealed.count, 'place')}, ${(concealed.frameCount / sampleRate).toFixed(3)} s`))
    // The last range may have grown.
    this.#list.lastElementChild?.remove()
    this.#fill()
    const unlistedCount = concealed.count - concealed.list.length
    this.#foot.hidden = unlistedCount <= 0
    replace(this.#foot, `${counted(unlistedCount, 'more place')} counted, but not listed.`)
  }

  #fill() {
    const begin = this.#list.childElementCount
    this.#list.append(...this.#ranges.slice(begin, this.#limit).map(range => this.#line(range)))
    const left = this.#ranges.length - this.#list.childElementCount
    this.#more.hidden = left <= 0
    replace(this.#more, `Show more (${grouped(left)} left)`)
  }

  #showMore() {
    const first = this.#list.childElementCount
    this.#limit += chunk
    this.#fill()
    this.#list.children[first]?.querySelector('button').focus()
  }

  #line({ position, frameCount }) {
    const seconds = position / this.#rate
    return h('li', null, h('button', {
      type: 'button', class: 'fault quiet', title: 'Go to the place',
      onclick: () => this.onPick(seconds)
    },
    h('span', { class: 'badge danger' }, `${(frameCount / this.#rate).toFixed(3)} s`),
    h('span', { class: 'fault-words' }, 'Damaged or missing; concealed by the decoder'),
    h('span', { class: 'fault-place' },
      `at ${exactClock(seconds)}, ${counted(frameCount, 'sample')}`)))
  }
}

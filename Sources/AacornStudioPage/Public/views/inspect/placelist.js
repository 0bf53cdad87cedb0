import { h, replace, showText } from '../../dom.js'
import { grouped } from './words.js'

/** The number of places added to a list at a time. */
const chunk = 50

/** Creates a line that goes to a place: a badge and its kind, words, and the position. */
export function placeLine([badge, kind], words, position, onclick, title = 'Go to the frame') {
  return h('li', h('button', { class: 'fault quiet', title, onclick },
    h('span', { class: `badge ${kind}` }, badge), h('span', { class: 'fault-words' }, words),
    h('span', { class: 'fault-place' }, position)))
}

/** A list of places in a file. A subclass implements `line(place)`. */
export class PlaceList {
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
    showText(this.#more, left > 0 && `Show more (${grouped(left)} left)`)
  }

  #showMore() {
    const first = this.#list.childElementCount
    this.#limit += chunk
    this.#fill()
    this.#list.children[first]?.querySelector('button').focus()
  }
}

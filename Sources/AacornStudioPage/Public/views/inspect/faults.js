import { h, replace } from '../../dom.js'
import { faultCounts } from './facts.js'
import { counted, grouped, hexadecimal } from './words.js'

/** The number of faults added to the list at a time. */
const chunk = 50

/**
 * The list of faults: severity, position, message. Each fault is a button that goes to its frame and calls
 * `onPick(frame)`.
 */
export class FaultList {
  #limit = chunk
  #faults = []
  #report = null
  #head = h('h4')
  #list = h('ol', { class: 'fault-list', role: 'list' })
  #foot = h('p', { class: 'hint' })
  #more = h('button', { type: 'button', class: 'quiet', onclick: () => this.#showMore() })

  constructor({ onPick }) {
    this.onPick = onPick
    this.element = h('div', { class: 'faults side-faults' },
      this.#head, this.#list, this.#more, this.#foot)
  }

  show(report) {
    this.#report = report
    this.#faults = report.faults
    this.#limit = chunk
    this.#list.replaceChildren()
    replace(this.#head, 'Faults', h('span', { class: 'fault-counts' },
      faultCounts(report.faultCounts)))
    this.element.toggleAttribute('data-none', this.#faults.length === 0)
    this.#fill()
  }

  #fill() {
    const begin = this.#list.childElementCount
    this.#list.append(...this.#faults.slice(begin, this.#limit).map(fault => this.#line(fault)))
    const left = this.#faults.length - this.#list.childElementCount
    this.#more.hidden = left <= 0
    replace(this.#more, `Show more (${grouped(left)} left)`)
    const { errors, warnings, notes } = this.#report.faultCounts
    const unlistedCount = errors + warnings + notes - this.#faults.length
    this.#foot.hidden = unlistedCount <= 0 || left > 0
    replace(this.#foot, `${counted(unlistedCount, 'more fault')} counted, but not listed. `
      + 'The table of frames marks them.')
  }

  #showMore() {
    const first = this.#list.childElementCount
    this.#limit += chunk
    this.#fill()
    this.#list.children[first]?.querySelector('button').focus()
  }

  #line(fault) {
    const kinds = { error: 'danger', warning: 'warning', note: '' }
    const length = fault.length > 0 ? `, ${counted(fault.length, 'byte')}` : ''
    return h('li', null, h('button', {
      type: 'button', class: 'fault quiet', title: 'Go to the frame',
      onclick: () => this.onPick(fault.frame)
    },
    h('span', { class: `badge ${kinds[fault.severity] ?? ''}` }, fault.severity),
    h('span', { class: 'fault-words' }, fault.message),
    h('span', { class: 'fault-place' },
      `frame ${grouped(fault.frame)}, byte ${grouped(fault.offset)} (`,
      h('span', { class: 'code' }, hexadecimal(fault.offset)), `)${length}`)))
  }
}

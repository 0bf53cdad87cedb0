import { h } from '../../dom.js'
import { exactClock, spaced } from '../../format.js'
import { firstIndex } from './rows.js'

const columns = [
  { key: 'number', title: 'Frame', text: row => spaced(row.number) },
  { key: 'time', title: 'Time', text: row => exactClock(row.time) },
  { key: 'offset', title: 'Byte', text: row => spaced(row.offset) },
  { key: 'bytes', title: 'Size', text: row => spaced(row.bytes) },
  { key: 'block', title: 'Block', text: row => row.block },
  {
    key: 'reservoir', title: 'Reservoir',
    text: row => (row.reservoirBits === null ? '–' : spaced(row.reservoirBits))
  },
  { key: 'faults', title: 'Faults', text: row => (row.faults > 0 ? spaced(row.faults) : '') }
]

let count = 0

/**
 * The table of frames: a grid that contains only the visible rows, so that hundreds of thousands of rows cost
 * no more than a screenful. It has a single tab stop; arrows, Page, Home and End move the active cell. Calls
 * `onActive(index)` when another frame becomes active. Initially no frame is active.
 */
export class FrameTable {
  #rows = null
  #shown = null
  #active = 0
  /** Whether the user has chosen the row at `#active`, which is otherwise only the keyboard's starting point. */
  #isChosen = false
  #column = 0
  #id = `frame-table-${(count += 1)}`
  #body
  #scroll

  constructor({ label, onActive }) {
    this.onActive = onActive
    this.#body = h('div', { class: 'frame-body', role: 'rowgroup' })
    const header = h('div', { class: 'frame-row frame-header', role: 'row', 'aria-rowindex': '1' },
      columns.map((column, index) => h('div', {
        role: 'columnheader', 'aria-colindex': String(index + 1), class: `frame-${column.key}`
      }, column.title)))
    this.element = h('div', {
      class: 'frame-table', role: 'grid', tabindex: '0', id: this.#id,
      'aria-label': label, 'aria-colcount': String(columns.length), 'aria-readonly': 'true',
      onkeydown: event => this.#key(event), onfocus: () => this.#focused()
    }, h('div', { class: 'frame-head', role: 'rowgroup' }, header), this.#body)
    this.#scroll = new VirtualScroll(this.element, this.#body, () => this.#draw())
    this.#body.addEventListener('click', event => this.#click(event))
  }

  /** The active frame; −1 if no frame is active. */
  get active() { return this.#isChosen && this.#length > 0 ? this.#frame(this.#active) : -1 }

  /** Shows rows; `frames` are the numbers of the rows to show, or null for all. */
  show(rows, frames = null) {
    const before = this.active
    this.#rows = rows
    this.#shown = frames
    this.#active = frames ? lowerBound(frames, Math.max(0, before)) : Math.max(0, before)
    this.#active = Math.min(this.#active, Math.max(0, this.#length - 1))
    this.element.setAttribute('aria-rowcount', String(this.#length + 1))
    this.#scroll.count = this.#length
    this.#draw()
  }

  /** Activates a frame and scrolls it into view. */
  go(frame) {
    if (this.#length === 0) return
    const rowIndex = this.#shown ? lowerBound(this.#shown, frame) : frame
    this.#move(rowIndex, true)
  }

  get #length() {
    if (!this.#rows) return 0
    return this.#shown ? this.#shown.length : this.#rows.length
  }

  #frame(rowIndex) { return this.#shown ? this.#shown[rowIndex] : rowIndex }

  /** Activates the first row when the table receives the focus by keyboard; a pointer selects its own row. */
  #focused() {
    if (!this.#isChosen && this.#length > 0 && this.element.matches(':focus-visible')) this.#move(0)
  }

  #move(rowIndex, isCentered = false) {
    this.#isChosen = true
    this.#active = Math.max(0, Math.min(this.#length - 1, rowIndex))
    this.#scroll.reveal(this.#active, isCentered)
    this.#draw()
    this.onActive?.(this.active)
  }

  #key(event) {
    if (event.altKey || event.metaKey || this.#length === 0) return
    const page = Math.max(1, this.#scroll.pageSize - 1)
    const moves = { ArrowUp: -1, ArrowDown: 1, PageUp: -page, PageDown: page }
    if (event.key in moves) this.#move(this.#active + moves[event.key])
    else if (event.key === 'Home' && event.ctrlKey) this.#move(0)
    else if (event.key === 'End' && event.ctrlKey) this.#move(this.#length - 1)
    else if (event.key === 'Home') this.#moveColumn(-columns.length)
    else if (event.key === 'End') this.#moveColumn(columns.length)
    else if (event.key === 'ArrowLeft') this.#moveColumn(-1)
    else if (event.key === 'ArrowRight') this.#moveColumn(1)
    else return
    event.preventDefault()
  }

  #moveColumn(distance) {
    this.#column = Math.max(0, Math.min(columns.length - 1, this.#column + distance))
    this.#draw()
  }

  #click(event) {
    const cell = event.target.closest('[role=gridcell]')
    if (!cell) return
    this.#column = Number(cell.getAttribute('aria-colindex')) - 1
    this.#move(Number(cell.parentElement.dataset.index))
  }

  #draw() {
    const { first, last } = this.#scroll.range()
    const lines = []
    for (let rowIndex = first; rowIndex < last; rowIndex += 1) {
      lines.push(this.#line(rowIndex, this.#scroll.position(rowIndex)))
    }
    this.#body.replaceChildren(...lines)
    // A row out of view has no element to reference; the next key scrolls it into view.
    const isVisible = this.#isChosen && this.#active >= first && this.#active < last
    if (isVisible) {
      this.element.setAttribute('aria-activedescendant', this.#cellID(this.#active, this.#column))
    } else {
      this.element.removeAttribute('aria-activedescendant')
    }
  }

  #line(rowIndex, position) {
    const row = this.#rows.row(this.#frame(rowIndex))
    const isActive = this.#isChosen && rowIndex === this.#active
    const kind = [
      'frame-row', isActive && 'active', row.faults > 0 && 'faulty'
    ].filter(Boolean).join(' ')
    const line = h('div', {
      class: kind, role: 'row', 'aria-rowindex': String(rowIndex + 2),
      'aria-selected': String(isActive), 'data-index': String(rowIndex),
      'data-block': row.block.split('/')[0]
    }, columns.map((column, index) => h('div', {
      role: 'gridcell', 'aria-colindex': String(index + 1), id: this.#cellID(rowIndex, index),
      class: `frame-${column.key}${isActive && index === this.#column ? ' active-cell' : ''}`
    }, column.text(row))))
    line.style.setProperty('transform', `translateY(${position}px)`)
    return line
  }

  #cellID(rowIndex, column) { return `${this.#id}-${rowIndex}-${column}` }
}

/** Returns the index of the first number that is not less than `value`. */
const lowerBound = (numbers, value) => firstIndex(numbers.length, index => numbers[index] < value)

/** The height of a row and of the sticky header above the rows, in pixels. */
const rowHeight = 28
/** Browsers truncate elements beyond about ten million pixels; longer lists scroll in larger steps. */
const maxHeight = 8_000_000

/**
 * Scrolls through more rows than the maximum height of an element allows. `element` scrolls, and begins with a
 * sticky header as high as a row. `body` in it contains the visible rows, placed with `position`. `draw` is
 * called when other rows become visible.
 */
class VirtualScroll {
  #count = 0
  /** The first visible pixel of the list at its full height. */
  #top = 0
  #expected = -1
  #isDue = false

  constructor(element, body, draw) {
    this.element = element
    this.body = body
    this.draw = draw
    element.addEventListener('scroll', () => this.#scrolled(), { passive: true })
    element.addEventListener('wheel', event => this.#wheel(event), { passive: false })
    new ResizeObserver(() => this.#request()).observe(element)
  }

  set count(count) {
    this.#count = count
    this.body.style.setProperty('height', `${Math.min(this.#full, maxHeight)}px`)
    this.#moveTo(this.#top)
  }

  /** The number of rows visible at a time. */
  get pageSize() { return Math.floor(this.#height / rowHeight) }

  /** Returns the rows to draw: the visible ones, and a few around them. */
  range() {
    const first = Math.max(0, Math.floor(this.#top / rowHeight) - 4)
    const last = Math.ceil((this.#top + this.#height) / rowHeight) + 4
    return { first, last: Math.min(this.#count, last) }
  }

  /** Returns the position of a row in pixels of the body. */
  position(row) { return row * rowHeight - this.#top + this.element.scrollTop }

  reveal(row, isCentered = false) {
    const height = this.#height
    const y = row * rowHeight
    const isVisible = y >= this.#top && y + rowHeight <= this.#top + height
    if (isVisible) return
    if (isCentered) this.#moveTo(y - (height - rowHeight) / 2)
    else this.#moveTo(y < this.#top ? y : y + rowHeight - height)
  }

  get #height() { return Math.max(0, this.element.clientHeight - rowHeight) }
  get #full() { return this.#count * rowHeight }

  /** The number of pixels of the list per pixel of the scrolled element. */
  get #scale() {
    const height = this.#height
    const scrollable = Math.min(this.#full, maxHeight) - height
    return scrollable > 0 ? Math.max(1, (this.#full - height) / scrollable) : 1
  }

  #moveTo(top) {
    this.#top = Math.max(0, Math.min(this.#full - this.#height, top))
    this.#expected = Math.round(this.#top / this.#scale)
    if (this.element.scrollTop !== this.#expected) this.element.scrollTop = this.#expected
    this.#request()
  }

  #scrolled() {
    const position = this.element.scrollTop
    // After a programmatic scroll, the element's position is too coarse for a tall list, so keep `#top`.
    if (Math.abs(position - this.#expected) > 1) this.#top = position * this.#scale
    this.#request()
  }

  #wheel(event) {
    if (this.#scale === 1 || event.ctrlKey || event.deltaY === 0) return
    const unit = [1, rowHeight, this.#height][event.deltaMode] ?? 1
    event.preventDefault()
    this.#moveTo(this.#top + event.deltaY * unit)
  }

  #request() {
    if (this.#isDue) return
    this.#isDue = true
    requestAnimationFrame(() => {
      this.#isDue = false
      this.draw()
    })
  }
}

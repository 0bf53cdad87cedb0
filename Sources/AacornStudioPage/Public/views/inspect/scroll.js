/** The height of a row and of the sticky header above the rows, in pixels. */
const rowHeight = 28
/** Browsers truncate elements beyond about ten million pixels; longer lists scroll in larger steps. */
const maxHeight = 8_000_000

/**
 * Scrolls through more rows than the maximum height of an element allows. `element` scrolls, and begins with a
 * sticky header as high as a row. `body` in it contains the visible rows, placed with `position`. `draw` is
 * called when other rows become visible.
 */
export class VirtualScroll {
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

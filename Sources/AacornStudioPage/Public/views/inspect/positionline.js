import { h } from '../../dom.js'
import { margins } from './timeplot.js'

/** A line across a plot, which moves without a redraw of the plot. */
export class PositionLine {
  #left = null

  constructor(kind) {
    this.element = h('div', { class: `position-line ${kind}`, 'aria-hidden': 'true', hidden: true })
  }

  /** Moves the line to a position in the visible range; null or a position outside hides the line. */
  put(place, { first, count }) {
    const part = place === null || !(count > 0) ? -1 : (place - first) / count
    const left = part >= 0 && part <= 1
      ? `calc(${margins.left}px + (100% - ${margins.left + margins.right}px) * ${part.toFixed(5)})`
      : null
    if (left === this.#left) return
    this.#left = left
    this.element.hidden = left === null
    if (left !== null) this.element.style.setProperty('left', left)
  }
}

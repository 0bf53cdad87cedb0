import { h } from '../../dom.js'
import { Surface, colors } from '../../drawing/surface.js'
import { clock } from '../../format.js'
import { exactClock } from './words.js'

/** The margins around a plot in pixels; equal in all plots, so that their times are aligned. */
export const margins = { left: 44, right: 8, top: 8, bottom: 22 }

/** Returns 1, 2 or 5 times a power of ten, so that at most `parts` steps reach `limit`. */
export function evenStep(limit, parts) {
  const least = limit / parts
  const power = 10 ** Math.floor(Math.log10(least))
  for (const factor of [1, 2, 5]) {
    if (factor * power >= least * (1 - 1e-9)) return factor * power
  }
  return 10 * power
}

/** Returns a step in common units of time. */
function timeStep(duration, parts) {
  if (duration < parts) return evenStep(duration, parts)
  const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 28_800]
  return steps.find(step => step * parts >= duration) ?? evenStep(duration, parts)
}

/** Draws the times below a plot; `box` is the plot's area in CSS pixels. */
export function drawTimes(context, box, begin, duration) {
  const palette = colors()
  const step = timeStep(duration, Math.max(2, Math.floor(box.width / 90)))
  context.fillStyle = palette.muted
  context.strokeStyle = palette['plot-line']
  context.lineWidth = 1
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  const foot = box.y + box.height
  for (let index = Math.ceil(begin / step); index * step <= begin + duration; index += 1) {
    const x = Math.round(box.x + (index * step - begin) / duration * box.width) + 0.5
    context.beginPath()
    context.moveTo(x, foot)
    context.lineTo(x, foot + 4)
    context.stroke()
    const text = step < 1 ? exactClock(index * step) : clock(index * step + 1e-6)
    const half = context.measureText(text).width / 2
    const textX = Math.max(half, Math.min(box.x + box.width + margins.right - half, x))
    context.fillText(text, textX, foot + 14)
  }
}

/**
 * A plot over time. `source` owns it, and has the visible range `view` with its `first` position and its `count`,
 * and the `selection` of a drag, in the plot's unit. A subclass implements `isReady`, `paintAxes(context, box)` and
 * `paintContent(context, box)`.
 */
export class TimePlot extends Surface {
  constructor(canvas, source, bottom = margins.bottom) {
    super(canvas)
    this.source = source
    this.bottom = bottom
  }

  get plotWidth() { return Math.max(1, this.canvas.clientWidth - margins.left - margins.right) }

  /** Returns the position at a distance in CSS pixels from the canvas's left edge. */
  positionAt(x) {
    const { first, count } = this.source.view
    return first + (x - margins.left) / this.plotWidth * count
  }

  /** Returns the horizontal coordinate of a position. */
  xOf(box, position) {
    const { first, count } = this.source.view
    return box.x + (position - first) / count * box.width
  }

  paint(context, width, height) {
    const { scale } = this
    context.setTransform(scale, 0, 0, scale, 0, 0)
    context.clearRect(0, 0, width / scale, height / scale)
    if (!this.isReady) return
    const box = {
      x: margins.left, y: margins.top, width: this.plotWidth,
      height: height / scale - margins.top - this.bottom
    }
    context.font = '11px system-ui, sans-serif'
    context.textBaseline = 'middle'
    this.paintAxes(context, box)
    context.save()
    context.beginPath()
    // Thick lines may reach beyond the upper and the lower edge.
    context.rect(box.x, box.y - 4, box.width, box.height + 8)
    context.clip()
    this.paintContent(context, box)
    context.restore()
  }

  markFoot(context, box, x) {
    const foot = box.y + box.height
    context.beginPath()
    context.moveTo(x, foot - 7)
    context.lineTo(x + 4, foot)
    context.lineTo(x - 4, foot)
    context.fill()
  }

  markSelection(context, box) {
    const { selection } = this.source
    if (!selection) return
    const [left, right] = selection.map(position => this.xOf(box, position))
    context.fillStyle = colors().text
    context.globalAlpha = 0.14
    context.fillRect(left, box.y, right - left, box.height)
    context.globalAlpha = 1
  }
}

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

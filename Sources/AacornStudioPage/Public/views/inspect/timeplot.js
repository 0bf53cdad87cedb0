import { h, icon } from '../../dom.js'
import { Surface, colors } from '../../drawing/surface.js'
import { clock, exactClock } from '../../format.js'

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
 * A plot over time. `source`, its owner or the plot itself, has the visible range `view` with its `first` position
 * and its `count`, and the `selection` of a drag, in the plot's unit. A subclass implements `isReady`,
 * `paintAxes(context, box)` and `paintContent(context, box)`.
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

/** The movement in pixels that still counts as a click. */
const tolerance = 5

/**
 * Handles pointers in a plot: pointing moves the cursor, a click picks its position, and dragging selects a
 * range to zoom to. Two fingers and the wheel with Ctrl zoom; a horizontal wheel scrolls. Positions are in the
 * plot's unit, frames or seconds.
 */
export function listenToPointers(plot, stage, surface) {
  let pressed = null
  /** The last event of each finger, by pointer ID. */
  const fingers = new Map()
  const positionAt = event => surface.positionAt(event.clientX - stage.getBoundingClientRect().left)

  stage.addEventListener('pointerdown', event => {
    if (event.button > 0 || !plot.isReady) return
    stage.setPointerCapture(event.pointerId)
    if (event.pointerType === 'touch') fingers.set(event.pointerId, event)
    if (fingers.size > 1) {
      pressed = null
      plot.select(null)
    } else pressed = { x: event.clientX, position: positionAt(event) }
  })
  stage.addEventListener('pointermove', event => {
    if (!plot.isReady) return
    if (fingers.size > 1 && fingers.has(event.pointerId)) {
      pinch(plot, surface, stage, fingers, event)
      return
    }
    const position = positionAt(event)
    if (pressed && Math.abs(event.clientX - pressed.x) > tolerance) {
      plot.select([pressed.position, position].sort((a, b) => a - b))
    }
    plot.setCursor(position, event)
  })
  stage.addEventListener('pointerup', event => {
    fingers.delete(event.pointerId)
    const { selection } = plot
    const wasPressed = pressed !== null
    pressed = null
    plot.select(null)
    if (selection) plot.setView(selection[0], selection[1] - selection[0])
    else if (wasPressed) plot.pick(positionAt(event))
  })
  stage.addEventListener('pointercancel', event => {
    fingers.delete(event.pointerId)
    pressed = null
    plot.select(null)
  })
  stage.addEventListener('pointerleave', () => {
    const isKept = plot.keepsCursor && document.activeElement === stage
    if (!pressed && !isKept) plot.setCursor(null)
  })
  stage.addEventListener('wheel', event => {
    if (!plot.isReady) return
    const { first, count } = plot.view
    if (event.ctrlKey || event.metaKey) zoom(plot, 2 ** (event.deltaY / 200), positionAt(event))
    else if (Math.abs(event.deltaX) > Math.abs(event.deltaY) && !plot.showsAll) {
      plot.setView(first + event.deltaX / stage.clientWidth * count, count)
    } else return
    event.preventDefault()
  }, { passive: false })
}

/** Zooms so that the positions under the two fingers stay under them. */
function pinch(plot, surface, stage, fingers, event) {
  const { left } = stage.getBoundingClientRect()
  const [other] = [...fingers.values()].filter(one => one.pointerId !== event.pointerId)
  const before = fingers.get(event.pointerId).clientX
  fingers.set(event.pointerId, event)
  const still = surface.positionAt(other.clientX - left)
  const distance = event.clientX - other.clientX
  if (Math.abs(distance) < 2 * tolerance || distance * (before - other.clientX) <= 0) return
  zoom(plot, (before - other.clientX) / distance, still)
}

/**
 * Handles keys in the plot of frames: arrows, Page, Home and End move the cursor, Enter picks its frame, + and
 * − zoom.
 */
export function listenToKeys(plot, stage) {
  stage.addEventListener('keydown', event => {
    if (!plot.isReady || event.altKey || event.ctrlKey || event.metaKey) return
    const isZoom = zoomByKey(plot, event.key)
    if (isZoom || press(plot, event.key)) event.preventDefault()
  })
}

/** Shows `factor` times the current period of a plot, around a position or the plot's center. */
function zoom(plot, factor, around = plot.center) {
  const { first, count } = plot.view
  const wanted = Math.max(plot.closest, count * factor)
  plot.setView(around - (around - first) * wanted / count, wanted)
}

/** Zooms according to a key; returns false for other keys. */
export function zoomByKey(plot, key) {
  if (key === '+' || key === '=') zoom(plot, 0.5)
  else if (key === '-') zoom(plot, 2)
  else if (key === '0') plot.showWhole()
  else return false
  return true
}

/** Performs the action of a key; returns false for other keys. */
function press(plot, key) {
  const from = Math.max(0, plot.cursor >= 0 ? plot.cursor : plot.active)
  const step = Math.max(1, Math.round(plot.view.count / plot.columnCount))
  const page = Math.max(1, Math.round(plot.view.count / 10))
  const moves = {
    ArrowLeft: -step, ArrowDown: -step, ArrowRight: step, ArrowUp: step, PageDown: -page,
    PageUp: page, Home: -Infinity, End: Infinity
  }
  if (key in moves) {
    plot.setCursor(from + moves[key])
    const { first, count } = plot.view
    if (plot.cursor < first || plot.cursor >= first + count) {
      plot.setView(plot.cursor - count / 2, count)
    }
  } else if (key === 'Enter' || key === ' ') plot.pick(from)
  else return false
  return true
}

/** The buttons that zoom a plot; `subject` names its content for screen readers. */
export class ZoomButtons {
  #closer
  #wider
  #whole

  constructor(plot, subject) {
    const button = (content, title, label, onclick) =>
      h('button', { class: 'quiet', title, 'aria-label': label, onclick }, content)
    this.#closer = button(icon('plus'), 'Zoom in', `Zoom in on the ${subject}`,
      () => zoom(plot, 0.5))
    this.#wider = button('−', 'Zoom out', `Zoom out of the ${subject}`, () => zoom(plot, 2))
    this.#whole = button('All', 'Show the whole file', `All: show the whole ${subject}`,
      () => plot.showWhole())
    this.element = h('span', { class: 'rate-buttons' }, this.#closer, this.#wider, this.#whole)
  }

  update({ showsAll, view, closest }) {
    this.#wider.disabled = showsAll
    this.#whole.disabled = showsAll
    this.#closer.disabled = view.count <= closest
  }
}

import { h, icon } from '../../dom.js'

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
    if (event.ctrlKey || event.metaKey) plot.zoom(2 ** (event.deltaY / 200), positionAt(event))
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
  plot.zoom((before - other.clientX) / distance, still)
}

/**
 * Handles keys in the plot of frames: arrows, Page, Home and End move the cursor, Enter picks its frame, + and
 * − zoom.
 */
export function listenToKeys(plot, stage, surface) {
  stage.addEventListener('keydown', event => {
    if (!plot.isReady || event.altKey || event.ctrlKey || event.metaKey) return
    const isZoom = zoomByKey(plot, event.key)
    if (isZoom || press(plot, event.key, surface.columnCount)) event.preventDefault()
  })
}

/** Zooms according to a key; returns false for other keys. */
export function zoomByKey(plot, key) {
  if (key === '+' || key === '=') plot.zoom(0.5)
  else if (key === '-') plot.zoom(2)
  else if (key === '0') plot.showWhole()
  else return false
  return true
}

/** Performs the action of a key; returns false for other keys. */
function press(plot, key, columnCount) {
  const from = Math.max(0, plot.cursor >= 0 ? plot.cursor : plot.active)
  const step = Math.max(1, Math.round(plot.view.count / columnCount))
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
      () => plot.zoom(0.5))
    this.#wider = button('−', 'Zoom out', `Zoom out of the ${subject}`, () => plot.zoom(2))
    this.#whole = button('All', 'Show the whole file', `All: show the whole ${subject}`,
      () => plot.showWhole())
    this.element = h('span', { class: 'rate-buttons' }, this.#closer, this.#wider, this.#whole)
  }

  update({ showsAll, isClosest }) {
    this.#wider.disabled = showsAll
    this.#whole.disabled = showsAll
    this.#closer.disabled = isClosest
  }
}

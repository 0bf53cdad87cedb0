/** Pixels that a pointer may move in a click. */
const tolerance = 5

/**
 * What pointers and keys do in a plot: pointing moves the cursor, a click or Enter picks its frame,
 * dragging chooses a range to look at, + and − and the wheel with Ctrl zoom, a wheel to the side
 * moves along.
 */
export function listen(plot, stage, surface) {
  let pressed = null
  const frameAt = event => surface.frameAt(event.clientX - stage.getBoundingClientRect().left)

  stage.addEventListener('pointerdown', event => {
    if (event.button > 0 || !plot.rows) return
    pressed = { x: event.clientX, frame: frameAt(event) }
    stage.setPointerCapture(event.pointerId)
  })
  stage.addEventListener('pointermove', event => {
    if (!plot.rows) return
    const frame = frameAt(event)
    if (pressed && Math.abs(event.clientX - pressed.x) > tolerance) {
      plot.select([pressed.frame, frame].sort((a, b) => a - b))
    }
    plot.setCursor(frame)
  })
  stage.addEventListener('pointerup', event => {
    const { selection } = plot
    const wasPressed = pressed !== null
    pressed = null
    plot.select(null)
    if (selection) plot.setView(selection[0], selection[1] - selection[0])
    else if (wasPressed) {
      plot.setCursor(frameAt(event))
      plot.onPick(plot.cursor)
    }
  })
  stage.addEventListener('pointercancel', () => {
    pressed = null
    plot.select(null)
  })
  stage.addEventListener('pointerleave', () => {
    if (!pressed && document.activeElement !== stage) plot.setCursor(null)
  })
  stage.addEventListener('wheel', event => {
    if (!plot.rows) return
    const { first, count } = plot.view
    if (event.ctrlKey || event.metaKey) plot.zoom(2 ** (event.deltaY / 200), frameAt(event))
    else if (Math.abs(event.deltaX) > Math.abs(event.deltaY) && !plot.isWhole) {
      plot.setView(first + event.deltaX / stage.clientWidth * count, count)
    } else return
    event.preventDefault()
  }, { passive: false })
  stage.addEventListener('keydown', event => {
    if (!plot.rows || event.altKey || event.ctrlKey || event.metaKey) return
    if (press(plot, event.key, surface.columnCount)) event.preventDefault()
  })
}

/** Does what a key stands for; false if it stands for nothing. */
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
  } else if (key === '+' || key === '=') plot.zoom(0.5)
  else if (key === '-') plot.zoom(2)
  else if (key === '0') plot.showWhole()
  else if (key === 'Enter' || key === ' ') plot.onPick(from)
  else return false
  return true
}

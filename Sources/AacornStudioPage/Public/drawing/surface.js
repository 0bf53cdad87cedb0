// The shared behavior of all drawings: size, pixel density, theme, and drawing only while visible.

import { isDark } from '../theme.js'

const visible = new Set()
let pending = new Set()
let isScheduled = false

const sizes = new ResizeObserver(entries => {
  for (const { target } of entries) target.surface?.resize()
})
const intersections = new IntersectionObserver(entries => {
  for (const { target, isIntersecting } of entries) {
    const surface = target.surface
    if (!surface) continue
    if (isIntersecting) {
      visible.add(surface)
      surface.resize()
      surface.refresh()
    } else {
      visible.delete(surface)
    }
  }
}, { rootMargin: '64px' })

const refreshAll = () => {
  palette = null
  for (const surface of visible) surface.refresh()
}
document.addEventListener('themechange', refreshAll)
matchMedia('(forced-colors: active)').addEventListener('change', refreshAll)
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) refreshAll()
})

/**
 * Resizes the drawings when the pixel density changes, for example when a window moves to another screen. Such
 * a change leaves the size of their boxes unchanged, so the observation of sizes does not detect it.
 */
function watchDensity() {
  const query = matchMedia(`(resolution: ${window.devicePixelRatio || 1}dppx)`)
  query.addEventListener('change', () => {
    for (const surface of visible) surface.resize()
    watchDensity()
  }, { once: true })
}
watchDensity()

function schedule(surface) {
  pending.add(surface)
  if (isScheduled) return
  isScheduled = true
  requestAnimationFrame(() => {
    isScheduled = false
    const now = pending
    pending = new Set()
    for (const one of now) one.draw()
  })
}

const colorNames = [
  'text', 'muted', 'line', 'card', 'plot', 'plot-line', 'track', 'accent', 'wave', 'wave-quiet',
  'danger', 'level-low', 'level-high', 'level-hot', 'block-long', 'block-start', 'block-short',
  'block-stop'
]
// The computed color of an element is the color of the current theme. A custom property would return both
// colors of `light-dark()` as text.
const probe = document.body.appendChild(document.createElement('span'))
probe.hidden = true
probe.style.forcedColorAdjust = 'none'

let palette = null

/** Returns the colors of the theme, by the names of their custom properties without the dashes. */
export function colors() {
  if (palette) return palette
  const style = getComputedStyle(probe)
  palette = Object.fromEntries(colorNames.map(name => {
    probe.style.color = `var(--${name})`
    return [name, style.color]
  }))
  palette.isDark = isDark()
  return palette
}

/**
 * A canvas that follows the size of its CSS box and the pixel density of the screen. A subclass implements
 * `paint(context, width, height, isFullRepaint)` in device pixels; `isFullRepaint` means that the previous
 * picture cannot be reused. `paint` is called after `invalidate()` (new data) or `refresh()` (redraw
 * everything), at most once per frame, and only while the canvas is visible.
 */
export class Surface {
  constructor(canvas, { isOpaque = false } = {}) {
    this.canvas = canvas
    this.context = canvas.getContext('2d', { alpha: !isOpaque })
    this.scale = 1
    this.isFullRepaint = true
    canvas.surface = this
    sizes.observe(canvas)
    intersections.observe(canvas)
  }

  /** Adopts the size of the CSS box; called when the size changes. */
  resize() {
    const scale = window.devicePixelRatio || 1
    const width = Math.round(this.canvas.clientWidth * scale)
    const height = Math.round(this.canvas.clientHeight * scale)
    if (!width || !height) return
    if (width === this.canvas.width && height === this.canvas.height && scale === this.scale) return
    this.scale = scale
    this.canvas.width = width
    this.canvas.height = height
    // Draw in the same frame, even if not visible, since setting the size has cleared the canvas.
    this.isFullRepaint = true
    if (!document.hidden) this.draw(true)
  }

  /** Requests a drawing of new data. */
  invalidate() {
    if (visible.has(this) && !document.hidden) schedule(this)
    else this.isFullRepaint = true
  }

  /** Requests a complete redraw. */
  refresh() {
    this.isFullRepaint = true
    this.invalidate()
  }

  draw(isForced = false) {
    const { width, height } = this.canvas
    if (!isForced && (document.hidden || !visible.has(this))) {
      this.isFullRepaint = true
      return
    }
    const isFullRepaint = this.isFullRepaint
    this.isFullRepaint = false
    this.paint(this.context, width, height, isFullRepaint)
  }

  /** Ends the observation, for a canvas that is removed from the page. */
  close() {
    sizes.unobserve(this.canvas)
    intersections.unobserve(this.canvas)
    visible.delete(this)
    pending.delete(this)
    delete this.canvas.surface
  }
}

// What all drawings have in common: size, pixel density, theme, and drawing only what is seen.

import { isDark } from '../theme.js'

const visible = new Set()
let pending = new Set()
let isScheduled = false

const sizes = new ResizeObserver(entries => {
  for (const { target } of entries) target.surface?.resize()
})
const places = new IntersectionObserver(entries => {
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

/** A window that is moved to another screen changes its density, but not the size of its boxes. */
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
// The color of an element is read as the one of the theme, where custom properties are read as they
// are written, with one for the light and one for the dark.
const probe = document.body.appendChild(document.createElement('span'))
probe.hidden = true
probe.style.forcedColorAdjust = 'none'

let palette = null

/** The colors of the theme, by the names of their custom properties without the dashes. */
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
 * A canvas that follows its box in CSS and the density of the screen. What inherits from it
 * implements `paint(context, width, height, isWhole)` in device pixels; `isWhole` says that nothing
 * of what was there before can be used. It is called at most once a frame, only while the canvas is
 * on the screen, and only after `invalidate()` (something is new) or `refresh()` (all is to be
 * drawn again).
 */
export class Surface {
  constructor(canvas, { isOpaque = false } = {}) {
    this.canvas = canvas
    this.context = canvas.getContext('2d', { alpha: !isOpaque })
    this.scale = 1
    this.isWhole = true
    canvas.surface = this
    sizes.observe(canvas)
    places.observe(canvas)
  }

  /** Takes the size of the box; called when it changes. */
  resize() {
    const scale = window.devicePixelRatio || 1
    const width = Math.round(this.canvas.clientWidth * scale)
    const height = Math.round(this.canvas.clientHeight * scale)
    if (!width || !height) return
    if (width === this.canvas.width && height === this.canvas.height && scale === this.scale) return
    this.scale = scale
    this.canvas.width = width
    this.canvas.height = height
    // In the same frame and also where it is not seen, since setting the size has emptied it.
    this.isWhole = true
    if (!document.hidden) this.draw(true)
  }

  /** Something is new. */
  invalidate() {
    if (visible.has(this) && !document.hidden) schedule(this)
    else this.isWhole = true
  }

  /** Everything is to be drawn again. */
  refresh() {
    this.isWhole = true
    this.invalidate()
  }

  draw(isForced = false) {
    const { width, height } = this.canvas
    if (!isForced && (document.hidden || !visible.has(this))) {
      this.isWhole = true
      return
    }
    const isWhole = this.isWhole
    this.isWhole = false
    this.paint(this.context, width, height, isWhole)
  }

  /** Ends the watching; for canvases that leave the page before it closes. */
  close() {
    sizes.unobserve(this.canvas)
    places.unobserve(this.canvas)
    visible.delete(this)
    pending.delete(this)
    delete this.canvas.surface
  }
}

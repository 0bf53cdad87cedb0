import { h } from '../dom.js'
import { Scroller } from './scroller.js'
import { colors } from './surface.js'

/** The names of the block types by their numbers. */
export const blocks = ['Long', 'Start', 'Short', 'Stop']
const blockColors = ['block-long', 'block-start', 'block-short', 'block-stop']
/** The period of the mean bitrate in seconds. */
const meanSeconds = 2
/** The heights of the scale in bits per frame; few steps, so that the scale seldom changes. */
const scales = [1000, 2000, 3000, 4000, 6000, 8000, 12_000, 16_000, 24_000, 32_000, 50_000]

/** A chart of the encoder's frames: the bits as bars, the block type as color. */
export class FrameStrip extends Scroller {
  constructor(canvas) {
    super(canvas, 2048)
    this.bytes = new Uint16Array(this.capacity)
    this.windows = new Uint8Array(this.capacity)
    /** The bits per frame at the top of the chart. */
    this.top = scales[0]
  }

  get step() { return Math.max(3, Math.round(3 * this.scale)) }

  /** Appends frames in the form of the server's data: `[bytes, window, …]`. */
  push(frames) {
    for (const frame of frames) {
      const slot = this.total % this.capacity
      this.bytes[slot] = frame[0]
      this.windows[slot] = frame[1]
      this.total += 1
    }
    if (!frames.length) return
    this.fitScale()
    this.invalidate()
  }

  /** Returns the mean bitrate of the last two seconds. */
  meanRate(framesPerSecond) {
    const count = Math.min(this.total, this.capacity, Math.round(meanSeconds * framesPerSecond))
    let sum = 0
    for (let number = this.total - count; number < this.total; number += 1) {
      sum += this.bytes[number % this.capacity]
    }
    return sum * 8 * framesPerSecond / count
  }

  fitScale() {
    const count = Math.min(this.total, this.capacity, Math.max(1, this.visibleCount))
    let highest = 0
    for (let number = this.total - count; number < this.total; number += 1) {
      highest = Math.max(highest, this.bytes[number % this.capacity])
    }
    highest *= 8
    const top = scales.find(scale => scale >= highest) ?? 64_000
    // The scale grows immediately, but shrinks only with much free space, so that it does not oscillate.
    if (top > this.top || (top < this.top && highest < this.top * 0.4)) {
      this.top = top
      this.isFullRepaint = true
    }
  }

  clear() {
    this.top = scales[0]
    super.clear()
  }

  paintGround(context, x, width, height) {
    const { plot, 'plot-line': line } = colors()
    context.fillStyle = plot
    context.fillRect(x, 0, width, height)
    context.fillStyle = line
    const thickness = Math.max(1, Math.round(this.scale))
    for (const part of [0.25, 0.5, 0.75]) {
      context.fillRect(x, Math.round(height * part), width, thickness)
    }
  }

  paintItems(context, first, count, x, step, height) {
    const palette = colors()
    const wide = step - Math.max(1, Math.round(this.scale))
    for (let index = 0; index < count; index += 1) {
      const slot = (first + index) % this.capacity
      const tall = Math.max(1, Math.round(this.bytes[slot] * 8 / this.top * height))
      context.fillStyle = palette[blockColors[this.windows[slot] & 3]]
      context.fillRect(x + index * step, height - tall, wide, tall)
    }
  }
}

export function blockLegend() {
  return h('ul', { class: 'legend', 'aria-label': 'Colors of the block types' }, blocks.map(block =>
    h('li', h('span', { class: `swatch ${block.toLowerCase()}` }), block)))
}

import { ColumnScroller } from './scroller.js'
import { colors } from './surface.js'

/** The live waveform: the lowest and the highest sample of every 1/50 s. */
export class Waveform extends ColumnScroller {
  extremes = new Uint8Array(this.capacity * 2)

  store(slot, columns, at) {
    this.extremes[slot * 2] = columns[at]
    this.extremes[slot * 2 + 1] = columns[at + 1]
  }

  paintGround(context, x, width, height) {
    const { plot, 'plot-line': line } = colors()
    const thickness = Math.max(1, Math.round(this.scale))
    context.fillStyle = plot
    context.fillRect(x, 0, width, height)
    context.fillStyle = line
    context.fillRect(x, Math.round((height - thickness) / 2), width, thickness)
  }

  paintItems(context, first, count, x, step, height) {
    const { wave, danger } = colors()
    const least = Math.max(1, Math.round(this.scale))
    context.fillStyle = wave
    for (let index = 0; index < count; index += 1) {
      const slot = (first + index) % this.capacity
      const low = this.extremes[slot * 2]
      const high = this.extremes[slot * 2 + 1]
      const top = Math.round((255 - high) / 254 * height)
      const bottom = Math.round((255 - low) / 254 * height)
      const isClipped = high >= 255 || low <= 1
      if (isClipped) context.fillStyle = danger
      const tall = Math.max(least, bottom - top)
      context.fillRect(x + index * step, Math.min(top, height - tall), step, tall)
      if (isClipped) context.fillStyle = wave
    }
  }
}

import { Surface, colors } from './surface.js'

/** The small waveform of a complete recording; the played part is in the accent color. */
export class Thumbnail extends Surface {
  constructor(canvas) {
    super(canvas)
    this.levels = null
    this.progress = 0
  }

  /** Shows peak levels (0…255, evenly spaced in time) and the fraction that has been played. */
  show(levels, progress = 0) {
    const { width } = this.canvas
    const isSame = levels === this.levels
      && Math.round(progress * width) === Math.round(this.progress * width)
    this.levels = levels
    this.progress = progress
    if (!isSame) this.invalidate()
  }

  paint(context, width, height) {
    const palette = colors()
    context.clearRect(0, 0, width, height)
    const pitch = Math.max(2, Math.round(3 * this.scale))
    const bar = pitch - Math.max(1, Math.round(this.scale))
    const count = Math.floor((width + pitch - bar) / pitch)
    const least = Math.max(1, Math.round(this.scale))
    for (let index = 0; index < count; index += 1) {
      let peak = 0
      if (this.levels?.length) {
        const from = Math.floor(index / count * this.levels.length)
        const to = Math.max(from + 1, Math.floor((index + 1) / count * this.levels.length))
        for (let at = from; at < to; at += 1) peak = Math.max(peak, this.levels[at])
      }
      const tall = Math.max(least, Math.round(peak / 255 * height))
      const isPlayed = this.progress > 0 && (index + 0.5) / count <= this.progress
      context.fillStyle = isPlayed ? palette.accent : palette['wave-quiet']
      context.fillRect(index * pitch, Math.round((height - tall) / 2), bar, tall)
    }
  }
}

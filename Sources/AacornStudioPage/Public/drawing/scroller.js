// Drawings that run from right to left.

import { Surface, colors } from './surface.js'

const stillness = matchMedia('(prefers-reduced-motion: reduce)')
/** Milliseconds between two pictures for who wants little motion. */
const stillPause = 1000

/**
 * A drawing of columns that scrolls: the newest is at the right edge. It keeps the last `capacity`
 * items in a ring, shifts what is there and draws only what is new. What inherits from it stores an
 * item at `total % capacity`, adds one to `total`, and implements
 * `paintItems(context, first, count, x, step, height)`, which draws items from number `first` on.
 */
export class Scroller extends Surface {
  constructor(canvas, capacity) {
    super(canvas, { isOpaque: true })
    this.capacity = capacity
    /** Items ever pushed; the ring holds the last `capacity` of them. */
    this.total = 0
    this.drawn = 0
    this.pause = null
  }

  /** Device pixels of an item: whole, so that nothing blurs when it shifts. */
  get step() {
    // Not clientWidth, which would have the page laid out at every picture.
    const isNarrow = this.canvas.width < 560 * this.scale
    return Math.max(1, Math.round(this.scale * (isNarrow ? 0.4 : 1)))
  }

  /** How many items the width of the canvas shows. */
  get visibleCount() { return Math.ceil(this.canvas.width / this.step) }

  invalidate() {
    if (!stillness.matches || this.isWhole) {
      super.invalidate()
    } else {
      this.pause ??= setTimeout(() => {
        this.pause = null
        super.invalidate()
      }, stillPause)
    }
  }

  clear() {
    this.total = 0
    this.drawn = 0
    this.refresh()
  }

  paint(context, width, height, isWhole) {
    const step = this.step
    const fresh = this.total - this.drawn
    const room = Math.ceil(width / step)
    const all = isWhole || fresh >= room
    const count = Math.min(all ? room : fresh, this.total, this.capacity)
    if (all) {
      this.paintGround(context, 0, width, height)
    } else if (fresh > 0) {
      const shift = fresh * step
      context.globalCompositeOperation = 'copy'
      context.drawImage(this.canvas, -shift, 0)
      context.globalCompositeOperation = 'source-over'
      this.paintGround(context, width - shift, shift, height)
    }
    this.paintItems(context, this.total - count, count, width - count * step, step, height)
    this.drawn = this.total
  }

  paintGround(context, x, width, height) {
    context.fillStyle = colors().plot
    context.fillRect(x, 0, width, height)
  }
}

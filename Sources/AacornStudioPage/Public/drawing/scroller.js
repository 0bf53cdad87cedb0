// Drawings that scroll from right to left.

import { Surface, colors } from './surface.js'

const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)')
/** Milliseconds between two frames for users who prefer reduced motion. */
const stillPause = 1000

/**
 * A drawing of columns that scrolls: the newest column is at the right edge. It stores the last `capacity`
 * items in a ring, shifts the existing picture and draws only new items. A subclass stores an item at `total %
 * capacity` and increments `total`. It implements `paintItems(context, first, count, x, step, height)`, which
 * draws items from number `first` on.
 */
export class Scroller extends Surface {
  constructor(canvas, capacity) {
    super(canvas, { isOpaque: true })
    this.capacity = capacity
    /** The number of items ever appended; the ring contains the last `capacity` of them. */
    this.total = 0
    this.drawn = 0
    this.pause = null
  }

  /** Device pixels per item, an integer so that shifts do not blur the picture. */
  get step() {
    // Reading clientWidth would cause a layout of the page at every frame.
    const isNarrow = this.canvas.width < 560 * this.scale
    return Math.max(1, Math.round(this.scale * (isNarrow ? 0.4 : 1)))
  }

  /** The number of items that fit in the width of the canvas. */
  get visibleCount() { return Math.ceil(this.canvas.width / this.step) }

  invalidate() {
    if (!reducedMotion.matches || this.isFullRepaint) {
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

  paint(context, width, height, isFullRepaint) {
    const step = this.step
    const fresh = this.total - this.drawn
    const room = Math.ceil(width / step)
    const all = isFullRepaint || fresh >= room
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

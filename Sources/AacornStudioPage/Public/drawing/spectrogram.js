import { colorMap, groundColor } from './colormap.js'
import { bandCount } from './columns.js'
import { ColumnScroller } from './scroller.js'
import { colors } from './surface.js'

/** The maximum number of columns converted to pixels at a time. */
const batch = 64

/** The live spectrogram: 96 bands on a logarithmic axis, the newest column at the right. */
export class Spectrogram extends ColumnScroller {
  constructor(canvas) {
    super(canvas)
    this.levels = new Uint8Array(this.capacity * bandCount)
    // One pixel per band; the browser scales it smoothly to the height of the plot.
    this.strip = document.createElement('canvas')
    this.strip.width = batch
    this.strip.height = bandCount
    this.stripContext = this.strip.getContext('2d', { alpha: false })
    this.image = this.stripContext.createImageData(batch, bandCount)
    this.pixels = new Uint32Array(this.image.data.buffer)
  }

  store(slot, columns, at) {
    for (let band = 0; band < bandCount; band += 1) {
      this.levels[slot * bandCount + band] = columns[at + 2 + band]
    }
  }

  paintGround(context, x, width, height) {
    context.fillStyle = groundColor(colors().isDark)
    context.fillRect(x, 0, width, height)
  }

  paintItems(context, first, count, x, step, height) {
    context.imageSmoothingEnabled = true
    context.imageSmoothingQuality = 'low'
    for (let done = 0; done < count; done += batch) {
      const now = Math.min(batch, count - done)
      this.fill(first + done, now)
      this.stripContext.putImageData(this.image, 0, 0, 0, 0, now, bandCount)
      // Columns are not blended horizontally, so that batches join without a seam.
      context.drawImage(
        this.strip, 0, 0, now, bandCount, x + done * step, 0, now * step, height)
    }
  }

  fill(first, count) {
    const map = colorMap(colors().isDark)
    const { pixels, levels, capacity } = this
    for (let index = 0; index < count; index += 1) {
      const slot = ((first + index) % capacity) * bandCount
      for (let band = 0; band < bandCount; band += 1) {
        pixels[(bandCount - 1 - band) * batch + index] = map[levels[slot + band]]
      }
    }
  }
}

import { colorMap, groundColor } from '../../../drawing/colormap.js'
import { colors } from '../../../drawing/surface.js'
import { exactClock, frequency, signed } from '../../../format.js'
import { drawTimes, evenStep, margins, TimePlot } from '../timeplot.js'
import { rowCount } from './spectrum.js'

/** The magnitude from which a sample counts as clipped. */
const fullScale = 0.9999

/**
 * A plot of audio over time. `source` also has the `picture`, the `rate` of its samples, and `concealedRanges` and
 * `cuts`, which are ranges of samples.
 */
class SoundSurface extends TimePlot {
  get isReady() { return this.source.view.count > 0 && this.source.rate > 0 }

  paintContent(context, box) {
    this.paintSound(context, box)
    this.#shadeCuts(context, box)
    this.#markPlaces(context, box)
    this.markSelection(context, box)
  }

  /** Returns the horizontal coordinate of a sample. */
  x(box, sample) { return this.xOf(box, sample / this.source.rate) }

  /** Shades the trimmed ranges, which are not played. */
  #shadeCuts(context, box) {
    context.fillStyle = colors().plot
    context.globalAlpha = 0.7
    for (const [start, end] of this.source.cuts) {
      const x = this.x(box, start)
      context.fillRect(x, box.y, this.x(box, end) - x, box.height)
    }
    context.globalAlpha = 1
  }

  #markPlaces(context, box) {
    const { danger } = colors()
    let before = -Infinity
    context.fillStyle = danger
    for (const { position, frameCount } of this.source.concealedRanges) {
      const x = this.x(box, position)
      const width = Math.max(1.5, this.x(box, position + frameCount) - x)
      if (x + width < before + 1 || x > box.x + box.width) continue
      before = x + width
      context.globalAlpha = 0.35
      context.fillRect(x, box.y, width, box.height)
      context.globalAlpha = 1
      context.fillRect(x, box.y, width, 3)
      this.markFoot(context, box, x + width / 2)
    }
  }
}

/** The waveform: a lane per channel, with the lowest and the highest sample of each column. */
export class WaveSurface extends SoundSurface {
  constructor(canvas, source) { super(canvas, source, margins.top) }

  paintAxes(context, box) {
    const { names } = this.source
    const palette = colors()
    const lane = box.height / names.length
    context.textAlign = 'right'
    names.forEach((name, channel) => {
      const middle = box.y + (channel + 0.5) * lane
      context.fillStyle = palette.muted
      context.fillText(name, box.x - 6, middle)
      context.fillStyle = palette['plot-line']
      context.fillRect(box.x, Math.round(middle), box.width, 1)
      if (channel > 0) context.fillRect(box.x, Math.round(box.y + channel * lane), box.width, 1)
    })
  }

  paintSound(context, box) {
    const { picture } = this.source
    if (!picture) return
    const { wave, danger } = colors()
    const lane = box.height / picture.channelCount
    const { start, end, columnCount, lows, highs } = picture
    const left = this.x(box, start)
    const pitch = (this.x(box, end) - left) / columnCount
    for (let channel = 0; channel < picture.channelCount; channel += 1) {
      const middle = box.y + (channel + 0.5) * lane
      const reach = (lane - 4) / 2
      for (let column = 0; column < columnCount; column += 1) {
        const low = lows[channel * columnCount + column]
        const high = highs[channel * columnCount + column]
        if (low > high) continue
        const x = left + column * pitch
        if (x + pitch < box.x || x > box.x + box.width) continue
        const top = middle - Math.min(1, high) * reach
        const tall = Math.max(1, middle - Math.max(-1, low) * reach - top)
        context.fillStyle = high >= fullScale || low <= -fullScale ? danger : wave
        // Slightly wider, to avoid gaps between columns.
        context.fillRect(x, top, pitch + 0.3, tall)
      }
    }
  }
}

/** The spectrogram: from 0 Hz at the bottom up to half the sampling rate. */
export class SpectrumSurface extends SoundSurface {
  #strip = document.createElement('canvas')
  #drawn = null
  #isDark = null

  /** Returns the frequency at a position in CSS pixels from the canvas's upper edge. */
  frequencyAt(y) {
    const height = this.canvas.clientHeight - margins.top - margins.bottom
    const part = 1 - (y - margins.top) / height
    return Math.max(0, Math.min(1, part)) * this.source.rate / 2
  }

  paintAxes(context, box) {
    const { view, rate } = this.source
    const palette = colors()
    context.textAlign = 'right'
    context.fillStyle = palette.muted
    const limit = rate / 2000
    const step = evenStep(limit, Math.max(2, Math.floor(box.height / 32)))
    for (let index = 0; index * step <= limit; index += 1) {
      const y = box.y + box.height * (1 - index * step / limit)
      const text = index === 0 ? 'kHz' : String(Number((index * step).toPrecision(3)))
      context.fillText(text, box.x - 7, y)
      context.fillRect(box.x - 4, Math.round(y), 4, 1)
    }
    drawTimes(context, box, view.first, view.count)
    context.fillStyle = groundColor(palette.isDark)
    context.fillRect(box.x, box.y, box.width, box.height)
  }

  paintSound(context, box) {
    const { picture } = this.source
    if (!picture || picture.knownCount === 0) return
    this.#render(picture)
    const x = this.x(box, picture.start)
    const part = picture.knownCount / picture.columnCount
    const width = (this.x(box, picture.end) - x) * part
    context.imageSmoothingEnabled = true
    context.drawImage(this.#strip, 0, 0, picture.knownCount, rowCount, x, box.y, width, box.height)
  }

  /** Renders one pixel per level, which the browser scales. */
  #render(picture) {
    const { isDark } = colors()
    if (this.#drawn === picture && this.#isDark === isDark) return
    this.#drawn = picture
    this.#isDark = isDark
    const { columnCount, levels } = picture
    this.#strip.width = columnCount
    this.#strip.height = rowCount
    const context = this.#strip.getContext('2d', { alpha: false })
    const image = context.createImageData(columnCount, rowCount)
    const pixels = new Uint32Array(image.data.buffer)
    const map = colorMap(isDark)
    for (let column = 0; column < columnCount; column += 1) {
      for (let row = 0; row < rowCount; row += 1) {
        const target = (rowCount - 1 - row) * columnCount + column
        pixels[target] = map[levels[column * rowCount + row]]
      }
    }
    context.putImageData(image, 0, 0)
  }
}

/**
 * Describes a picture at a time: the peak level or, in the spectrogram, the level at a frequency, which is null
 * elsewhere.
 */
export function readout(second, picture, rate, hertz) {
  const words = [exactClock(second)]
  if (hertz !== null) words.push(frequency(Math.round(hertz / 10) * 10))
  const column = picture
    ? Math.floor((second * rate - picture.start) / (picture.end - picture.start)
      * picture.columnCount)
    : -1
  if (column >= 0 && column < picture.columnCount) {
    const level = hertz === null
      ? peakLevel(picture, column)
      : rowLevel(picture, column, Math.floor(hertz / (rate / 2) * rowCount))
    if (level) words.push(level)
  }
  return words.join('  ·  ')
}

function peakLevel({ channelCount, columnCount, lows, highs }, column) {
  let peak = -1
  for (let channel = 0; channel < channelCount; channel += 1) {
    const offset = channel * columnCount + column
    if (lows[offset] <= highs[offset]) peak = Math.max(peak, highs[offset], -lows[offset])
  }
  if (peak < 0) return ''
  return peak > 1e-5 ? `peak ${signed(20 * Math.log10(peak), 1)} dB` : 'silence'
}

function rowLevel({ knownCount, levels }, column, row) {
  if (column >= knownCount) return ''
  const level = levels[column * rowCount + Math.min(rowCount - 1, row)]
  return level === 0 ? 'below −100 dB' : `${signed(level * 100 / 255 - 100)} dB`
}

const shortNames = {
  'front-left': 'L', 'front-right': 'R', 'front-center': 'C', 'low-frequency': 'LFE',
  'back-left': 'BL', 'back-right': 'BR', 'back-center': 'BC', 'side-left': 'SL', 'side-right': 'SR'
}

/** Returns the labels of the channels beside their lanes. */
export function channelNames(channels, layout) {
  if (channels === 1) return ['mono']
  if (layout?.length !== channels) {
    return Array.from({ length: channels }, (_, index) => String(index + 1))
  }
  return layout.map(speaker => (
    shortNames[speaker] ?? speaker.split('-').map(word => word[0].toUpperCase()).join('')))
}

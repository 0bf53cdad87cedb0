// Waveform and spectrogram with their axes, for the Record and Convert views.

import { h, setText, uniqueId } from '../dom.js'
import { frequency } from '../format.js'
import { colorMap, groundColor } from './colormap.js'
import { Scroller } from './scroller.js'
import { colors } from './surface.js'

// The layout of the bytes of SoundColumns.
/** The size of a column in bytes: lowest sample, highest sample, and a level for each band. */
const columnSize = 98
/** The number of levels in a column, from low to high frequencies. */
const bandCount = 96
const columnsPerSecond = 50
/** The number of columns that drawings store, more than the widest screen shows. */
const keptColumns = 4096
/** The lower edge of the lowest band and the upper edge of the highest band, in hertz. */
const lowestFrequency = 40
const highestFrequency = 20_000

/** The marks of the frequency axis, and the ones that are hidden in a narrow layout. */
const marks = [50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000]
const secondary = new Set([50, 200, 500, 2000, 20_000])
const shortFrequency = hertz => (hertz < 1000 ? String(hertz) : `${hertz / 1000}k`)

/**
 * Creates `{element, push(columns), clear(message), idle(message)}`: a figure with the live waveform, the
 * live spectrogram and their axes. The message appears in the empty figure and states the next step.
 */
export function soundView({ emptyText = 'No sound yet.' } = {}) {
  const wave = h('canvas', {
    class: 'sound-wave', role: 'img', 'aria-label': 'Waveform: nothing yet'
  })
  const spectrum = h('canvas', {
    class: 'sound-spectrum', role: 'img', 'aria-label': 'Spectrogram: nothing yet'
  })
  const empty = h('p', { class: 'plot-empty' }, emptyText)
  const ticks = h('div', { class: 'time-axis', 'aria-hidden': 'true' })
  const caption = uniqueId('sound')
  const element = h('figure', { class: 'sound', 'aria-labelledby': caption },
    h('figcaption', { id: caption, class: 'visually-hidden' }, 'Live waveform and spectrogram'),
    h('div', { class: 'axis', 'aria-hidden': 'true' }, h('span', { class: 'axis-title' }, 'Level')),
    h('div', { class: 'plot' }, wave),
    h('div', { class: 'axis frequency-axis', 'aria-hidden': 'true' },
      marks.map(hertz => h('span', {
        class: secondary.has(hertz) ? 'mark secondary' : 'mark',
        style: { '--at': axisPosition(hertz).toFixed(4) }
      }, shortFrequency(hertz)))),
    h('div', { class: 'plot' }, spectrum, empty),
    h('div', { class: 'axis unit', 'aria-hidden': 'true' }, 'Hz'),
    ticks)
  const waveform = new Waveform(wave)
  const spectrogram = new Spectrogram(spectrum)
  new ResizeObserver(() => showTicks(ticks, waveform)).observe(ticks)

  let describedAt = 0
  return {
    element,
    /** Appends complete columns of SoundColumns. */
    push(columns) {
      if (!columns.length) return
      empty.hidden = true
      waveform.push(columns)
      spectrogram.push(columns)
      const now = performance.now()
      if (now - describedAt < 2000) return
      describedAt = now
      describe(columns, wave, spectrum)
    },
    clear(message = emptyText) {
      setText(empty, message)
      empty.hidden = false
      waveform.clear()
      spectrogram.clear()
      describedAt = 0
      wave.setAttribute('aria-label', 'Waveform: nothing yet')
      spectrum.setAttribute('aria-label', 'Spectrogram: nothing yet')
    },
    /** Called when the input ends: the picture stays; an empty figure shows the message. */
    idle(message) { setText(empty, message) }
  }
}

/** Returns the position of a frequency on the axis: 0 at the bottom, 1 at the top. */
function axisPosition(frequency) {
  return Math.log(frequency / lowestFrequency) / Math.log(highestFrequency / lowestFrequency)
}

/** Returns the center frequency of a band in hertz. */
function bandFrequency(band) {
  return lowestFrequency * (highestFrequency / lowestFrequency) ** ((band + 0.5) / bandCount)
}

/** Describes the picture in text for screen readers. */
function describe(columns, wave, spectrum) {
  const last = columns.subarray(columns.length - columnSize)
  const peak = Math.max(Math.abs(last[0] - 128), Math.abs(last[1] - 128)) / 127
  let loudest = 0
  for (let band = 1; band < bandCount; band += 1) {
    if (last[2 + band] > last[2 + loudest]) loudest = band
  }
  const hertz = Math.round(bandFrequency(loudest) / 10) * 10
  wave.setAttribute('aria-label',
    `Waveform of the last seconds; currently ${Math.round(peak * 100)} % of full scale`)
  spectrum.setAttribute('aria-label', last[2 + loudest] < 40
    ? 'Spectrogram of the last seconds; currently almost silent'
    : `Spectrogram of the last seconds; currently loudest near ${frequency(hertz)}`)
}

/** Draws the marks of the time axis: seconds before now, spaced to fit the width. */
function showTicks(element, waveform) {
  const width = element.clientWidth
  const secondWidth = waveform.step / waveform.scale * columnsPerSecond
  if (!width || !secondWidth) return
  const pitch = [1, 2, 5, 10, 20].find(seconds => seconds * secondWidth >= 64) ?? 30
  const spans = []
  for (let seconds = 0; seconds * secondWidth < width - 24; seconds += pitch) {
    spans.push(h('span', { class: 'mark', style: { right: `${seconds * secondWidth}px` } },
      seconds ? `−${seconds} s` : 'now'))
  }
  element.replaceChildren(...spans)
}

/** A scroller of the columns of SoundColumns. A subclass implements `store(slot, columns, at)`. */
class ColumnScroller extends Scroller {
  constructor(canvas) { super(canvas, keptColumns) }

  /** Appends complete columns. */
  push(columns) {
    for (let at = 0; at + columnSize <= columns.length; at += columnSize) {
      this.store(this.total % this.capacity, columns, at)
      this.total += 1
    }
    if (this.drawn !== this.total) this.invalidate()
  }
}

/** The live waveform: the lowest and the highest sample of every 1/50 s. */
class Waveform extends ColumnScroller {
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

/** The maximum number of columns converted to pixels at a time. */
const batch = 64

/** The live spectrogram: 96 bands on a logarithmic axis, the newest column at the right. */
class Spectrogram extends ColumnScroller {
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
      context.drawImage(this.strip, 0, 0, now, bandCount, x + done * step, 0, now * step, height)
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

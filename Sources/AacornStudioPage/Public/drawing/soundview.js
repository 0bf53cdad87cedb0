// Waveform and spectrogram with their axes, for the Record and Convert views.

import { h, setText, uniqueId } from '../dom.js'
import { frequency } from '../format.js'
import {
  axisPosition, bandCount, bandFrequency, columnSize, columnsPerSecond
} from './columns.js'
import { Spectrogram } from './spectrogram.js'
import { Waveform } from './waveform.js'

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
    h('div', { class: 'axis', 'aria-hidden': 'true' },
      h('span', { class: 'axis-title' }, 'Level')),
    h('div', { class: 'plot' }, wave),
    h('div', { class: 'axis frequency-axis', 'aria-hidden': 'true' },
      marks.map(hertz => {
        const mark = h('span', { class: secondary.has(hertz) ? 'mark secondary' : 'mark' },
          shortFrequency(hertz))
        mark.style.setProperty('--at', axisPosition(hertz).toFixed(4))
        return mark
      })),
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
    const span = h('span', { class: 'mark' }, seconds ? `−${seconds} s` : 'now')
    span.style.setProperty('right', `${seconds * secondWidth}px`)
    spans.push(span)
  }
  element.replaceChildren(...spans)
}

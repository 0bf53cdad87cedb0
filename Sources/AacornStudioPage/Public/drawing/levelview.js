// The level meter with its scale and numbers, for the Record and Convert views.

import { h, setText } from '../dom.js'
import { signed } from '../format.js'
import { Surface, colors } from './surface.js'

const marks = [-60, -48, -36, -24, -18, -12, -6, -3, 0]
/** The marks that are hidden in a narrow layout. */
const secondary = new Set([-48, -18, -6, -3])

/** Creates `{element, show(peaks, rms), clear()}`; the label names the meter for screen readers. */
export function levelView({ label = 'Input level' } = {}) {
  const canvas = h('canvas', { class: 'level-canvas', 'aria-label': label })
  const names = h('div', { class: 'level-names', 'aria-hidden': 'true' })
  const numbers = h('div', { class: 'level-numbers', 'aria-hidden': 'true' })
  const scale = h('div', { class: 'level-scale', 'aria-hidden': 'true' }, marks.map(level => h('span', {
    class: secondary.has(level) ? 'secondary' : '',
    style: { '--at': ((level - meterFloor) / -meterFloor).toFixed(4) }
  }, signed(level))))
  const element = h('div', { class: 'level' }, names, canvas, numbers, scale,
    h('div', { class: 'level-unit', 'aria-hidden': 'true' }, 'dBFS'))
  const meter = new LevelMeter(canvas)
  let shownAt = 0

  function lay(count) {
    const words = count === 1 ? ['M'] : count === 2 ? ['L', 'R']
      : Array.from({ length: count }, (_, index) => String(index + 1))
    element.style.setProperty('--channels', String(count))
    names.replaceChildren(...words.map(word => h('span', word)))
    numbers.replaceChildren(...words.map(() => h('span', '–')))
  }
  lay(2)

  return {
    element,
    show(peaks, rms) {
      if (numbers.children.length !== peaks.length) lay(peaks.length)
      meter.show(peaks, rms)
      const now = performance.now()
      if (now - shownAt < 250) return
      shownAt = now
      meter.heldPeaks.forEach((held, index) => {
        const number = numbers.children[index]
        setText(number, held < -90 ? '−∞' : (held >= 0.05 ? '+' : '') + signed(held, 1))
        number.classList.toggle('clipped', meter.isClipped(index))
      })
    },
    clear() {
      meter.clear()
      for (const number of numbers.children) {
        setText(number, '–')
        number.classList.remove('clipped')
      }
    }
  }
}

/** The lowest level of the meter in dB. */
const meterFloor = -60
/**
 * The time in seconds for which a peak is held, and the speed in dB per second at which the bar and the held
 * peak fall.
 */
const holdSeconds = 1.5
const fallPerSecond = 24
/** The time for which a clipping mark stays, in seconds. */
const clipSeconds = 3

const inDecibels = linear => (linear > 0 ? 20 * Math.log10(linear) : -Infinity)

/**
 * A level meter: for each channel a bar (the peak, with the mean inside it), a line for the held peak, and a
 * mark for clipping at the end. It updates its text for screen readers once a second; the caller sets the
 * `aria-label` of the canvas.
 */
class LevelMeter extends Surface {
  constructor(canvas) {
    super(canvas)
    /**
     * For each channel: the bar, the mean and the held peak in dB, and the times of the held peak and of
     * clipping.
     */
    this.channels = []
    /** The number of bars drawn without audio. */
    this.restingCount = 2
    this.last = 0
    this.announcedAt = 0
    canvas.setAttribute('role', 'meter')
    canvas.setAttribute('aria-valuemin', String(meterFloor))
    canvas.setAttribute('aria-valuemax', '0')
    this.announce([])
  }

  /** Shows linear levels, one for each channel; 1 is full scale. */
  show(peaks, rms = []) {
    const now = performance.now() / 1000
    const fall = Math.min(1, now - this.last) * fallPerSecond
    this.last = now
    if (this.channels.length !== peaks.length) {
      this.restingCount = peaks.length
      this.channels = peaks.map(() => ({
        bar: -Infinity, mean: -Infinity, held: -Infinity, heldAt: 0, clippedAt: -Infinity
      }))
    }
    peaks.forEach((peak, index) => {
      const channel = this.channels[index]
      const level = inDecibels(peak)
      channel.bar = Math.max(level, channel.bar - fall)
      channel.mean = Math.max(inDecibels(rms[index] ?? 0), channel.mean - fall)
      if (level >= channel.held) {
        channel.held = level
        channel.heldAt = now
      } else if (now - channel.heldAt > holdSeconds) {
        channel.held = Math.max(level, channel.held - fall)
      }
      if (peak >= 0.9999) channel.clippedAt = now
    })
    if (now - this.announcedAt >= 1) {
      this.announcedAt = now
      this.announce(peaks)
    }
    this.invalidate()
  }

  /** The held peaks in dB, for the numbers beside the bars. */
  get heldPeaks() { return this.channels.map(channel => channel.held) }

  /** Whether a channel clips, or did in the last seconds. */
  isClipped(index) { return this.last - this.channels[index].clippedAt < clipSeconds }

  clear() {
    this.channels = []
    this.announcedAt = 0
    this.announce([])
    this.refresh()
  }

  announce(peaks) {
    const loudest = Math.max(meterFloor, ...peaks.map(inDecibels))
    const names = peaks.length === 2 ? ['left ', 'right '] : ['']
    const words = peaks.map((peak, index) => {
      const name = peaks.length > 2 ? `channel ${index + 1} ` : names[index]
      const level = inDecibels(peak)
      return name + (level < meterFloor ? 'quiet' : `${signed(level)} dB`)
    })
    this.canvas.setAttribute('aria-valuenow', String(Math.round(Math.min(0, loudest))))
    this.canvas.setAttribute('aria-valuetext', words.length ? words.join(', ') : 'no sound yet')
  }

  paint(context, width, height) {
    const { scale } = this
    const palette = colors()
    const count = Math.max(1, this.channels.length || this.restingCount)
    const gap = Math.round((count > 2 ? 3 : 6) * scale)
    const tall = Math.max(2, Math.floor((height - gap * (count - 1)) / count))
    const mark = Math.round(10 * scale)
    const length = width - mark - Math.round(3 * scale)
    const xOf = level => {
      const part = (Math.min(0, level) - meterFloor) / -meterFloor
      return Math.max(0, Math.round(part * length))
    }
    const hot = xOf(-9)
    const over = xOf(-3)
    context.clearRect(0, 0, width, height)
    for (let index = 0; index < count; index += 1) {
      const channel = this.channels[index]
      const y = index * (tall + gap)
      context.fillStyle = palette.track
      context.fillRect(0, y, length, tall)
      context.fillRect(width - mark, y, mark, tall)
      if (!channel) continue
      const bar = xOf(channel.bar)
      const part = (end, from, to, color) => {
        if (end <= from) return
        context.fillStyle = color
        context.fillRect(from, y, Math.min(end, to) - from, tall)
      }
      context.globalAlpha = 0.45
      part(bar, 0, hot, palette['level-low'])
      part(bar, hot, over, palette['level-high'])
      part(bar, over, length, palette['level-hot'])
      context.globalAlpha = 1
      const mean = Math.min(xOf(channel.mean), bar)
      part(mean, 0, hot, palette['level-low'])
      part(mean, hot, length, palette['level-high'])
      if (channel.held > meterFloor) {
        const held = xOf(channel.held)
        context.fillStyle = channel.held > -3 ? palette['level-hot'] : palette.text
        context.fillRect(Math.max(0, held - Math.round(2 * scale)), y, Math.round(2 * scale), tall)
      }
      if (this.isClipped(index)) {
        context.fillStyle = palette.danger
        context.fillRect(width - mark, y, mark, tall)
      }
    }
  }
}

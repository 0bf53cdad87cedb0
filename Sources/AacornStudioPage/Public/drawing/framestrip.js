// The live frames of the encoder: a panel with their facts, whose internals are collapsed, and a small view.

import { h, setText } from '../dom.js'
import { bitrate, count, frequency, grouped } from '../format.js'
import { Scroller } from './scroller.js'
import { colors } from './surface.js'

const short = bits => (bits < 1000 ? String(bits) : `${bits / 1000}k`)

/** Creates `{element, push(frames, framesPerSecond), clear(message)}`. */
export function encoderPanel() {
  const strip = new FrameStrip()
  const empty = h('p', { class: 'plot-empty' })
  const top = h('span', { class: 'axis-top' })
  const middle = h('span', { class: 'axis-middle' })
  const facts = {}
  const fact = (key, label, explanation) => {
    facts[key] = h('dd', '–')
    return h('div', h('dt', label, explanation && h('span', { class: 'why' }, explanation)), facts[key])
  }
  const element = h('section', { class: 'card encoder', 'aria-labelledby': 'encoder-title' },
    h('header', h('h2', { id: 'encoder-title' }, 'Encoder'), blockLegend()),
    h('div', { class: 'frames' },
      h('div', { class: 'axis', 'aria-hidden': 'true' }, top, middle,
        h('span', { class: 'axis-zero' }, '0')),
      h('div', { class: 'plot' }, strip.canvas, empty)),
    h('p', { class: 'small muted frames-caption' }, 'Bits of each frame. The color shows the block type.'),
    h('dl', { class: 'facts' },
      fact('bits', 'Last frame'), fact('mean', 'Mean bitrate, 2 s'),
      fact('bandwidth', 'Highest frequency')),
    h('details', { class: 'more' }, h('summary', 'Encoder internals'),
      h('dl', { class: 'facts internals' },
        fact('block', 'Block type', 'Short blocks keep attacks sharp. Long blocks suit tones.'),
        fact('reservoir', 'Reservoir', 'Bits saved for frames that need more.'),
        fact('midSide', 'M/S stereo', 'Share of the bands coded as sum and difference.'),
        fact('intensity', 'Intensity stereo', 'Bands that both channels share.'),
        fact('tns', 'TNS', 'Filters that shape noise in time.'),
        fact('noise', 'Noise bands', 'Bands of which only the loudness is sent (PNS).'))))
  let shownAt = 0
  let announcedAt = 0
  let shortBlocks = 0

  function showScale() {
    setText(top, short(strip.top))
    setText(middle, short(strip.top / 2))
  }

  function showFacts(frame, framesPerSecond) {
    const [bytes, window, midSide, tns, bandwidth, reservoir, intensity, noise] = frame
    const mean = strip.meanRate(framesPerSecond)
    setText(facts.bits, `${grouped(bytes * 8)} bits`)
    setText(facts.mean, bitrate(mean))
    setText(facts.block, blocks[window & 3])
    setText(facts.reservoir, reservoir < 0 ? '–' : `${grouped(reservoir)} bits`)
    setText(facts.midSide, `${midSide} %`)
    setText(facts.tns, tns ? count(tns, 'filter') : 'off')
    setText(facts.bandwidth, frequency(Math.round(bandwidth / 100) * 100))
    setText(facts.noise, String(noise ?? 0))
    setText(facts.intensity, String(intensity ?? 0))
    return mean
  }

  return {
    element,
    push(frames, framesPerSecond) {
      if (!frames.length) return
      empty.hidden = true
      strip.push(frames)
      shortBlocks += frames.filter(([, window]) => window === 2).length
      const now = performance.now()
      if (now - shownAt < 250 || document.hidden) return
      shownAt = now
      showScale()
      const mean = showFacts(frames.at(-1), framesPerSecond)
      if (now - announcedAt < 2000) return
      announcedAt = now
      strip.describe(`${bitrate(mean)} on average, ${count(shortBlocks, 'short block')} `
        + `in ${count(strip.total, 'frame')}`)
    },
    clear(message) {
      strip.clear()
      shortBlocks = 0
      announcedAt = 0
      setText(empty, message)
      empty.hidden = false
      setText(top, '')
      setText(middle, '')
      for (const value of Object.values(facts)) setText(value, '–')
      strip.describe('nothing yet')
    }
  }
}

/**
 * Creates the chart of the encoded frames, with the bits and the block type of each frame: `{element,
 * push(frames, framesPerSecond), clear()}`.
 */
export function framesView() {
  const strip = new FrameStrip()
  const mean = h('span', { class: 'number' })
  const element = h('div', { class: 'browser-frames', hidden: true },
    h('div', { class: 'row' }, h('h3', 'Bits of each frame'), h('span', { class: 'hint' }, mean),
      blockLegend()),
    h('div', { class: 'plot' }, strip.canvas))
  let shownAt = 0

  return {
    element,
    push(frames, framesPerSecond) {
      if (!frames.length) return
      element.hidden = false
      strip.push(frames)
      const now = performance.now()
      if (now - shownAt < 500) return
      shownAt = now
      const words = bitrate(strip.meanRate(framesPerSecond))
      setText(mean, `${words} in the last two seconds`)
      strip.describe(`${words} on average`)
    },
    clear() {
      strip.clear()
      element.hidden = true
    }
  }
}

/** The names of the block types by their numbers. */
const blocks = ['Long', 'Start', 'Short', 'Stop']
const blockColors = ['block-long', 'block-start', 'block-short', 'block-stop']
/** The period of the mean bitrate in seconds. */
const meanSeconds = 2
/** The heights of the scale in bits per frame; few steps, so that the scale seldom changes. */
const scales = [1000, 2000, 3000, 4000, 6000, 8000, 12_000, 16_000, 24_000, 32_000, 50_000]

/** A chart of the encoder's frames: the bits as bars, the block type as color. */
class FrameStrip extends Scroller {
  constructor() {
    super(h('canvas', { class: 'frame-canvas', role: 'img' }), 2048)
    this.describe('nothing yet')
    this.bytes = new Uint16Array(this.capacity)
    this.windows = new Uint8Array(this.capacity)
    /** The bits per frame at the top of the chart. */
    this.top = scales[0]
  }

  /** Describes the chart for screen readers. */
  describe(words) { this.canvas.setAttribute('aria-label', `Bits of each frame: ${words}`) }
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

function blockLegend() {
  return h('ul', { class: 'legend', 'aria-label': 'Colors of the block types' }, blocks.map(block =>
    h('li', h('span', { class: `swatch ${block.toLowerCase()}` }), block)))
}

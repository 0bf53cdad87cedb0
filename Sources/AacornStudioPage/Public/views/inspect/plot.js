import { h, setText } from '../../dom.js'
import { bitrate, spokenTime } from '../../format.js'
import { listenToKeys, listenToPointers, ZoomButtons } from './plotinput.js'
import { PlotSurface } from './plotsurface.js'
import { PositionLine } from './timeplot.js'
import { exactClock, grouped } from './words.js'

/** The minimum number of visible frames. */
const closest = 24

/**
 * The bitrate over time, from the whole file down to single frames. Pointing or the arrow keys show the rate, a
 * click or Enter goes to the frame, dragging or + and − zoom. Calls `onPick(frame)`.
 */
export class BitratePlot {
  rows = null
  view = { first: 0, count: 0 }
  frameSeconds = 0
  mean = 0
  /** The bits per second at the upper edge, and the maximum in view. */
  limit = 0
  highest = 0
  cursor = -1
  active = -1
  selection = null
  showsAll = true
  /** Keys move the cursor, so it stays while the plot has the focus. */
  keepsCursor = true
  #surface
  #stage
  #readout = h('output', { class: 'rate-readout', 'aria-live': 'off' })
  #buttons = new ZoomButtons(this, 'bitrate')
  #head = new PositionLine('playhead')

  constructor({ label, onPick }) {
    this.onPick = onPick
    const canvas = h('canvas', { 'aria-hidden': 'true' })
    this.#stage = h('div', {
      class: 'rate-stage', role: 'slider', tabindex: '0', 'aria-label': label,
      'aria-valuemin': '0', 'aria-valuenow': '0', 'aria-valuetext': 'nothing yet'
    }, canvas, this.#head.element)
    this.element = h('div', { class: 'rate-plot' },
      h('div', { class: 'rate-header' }, h('h4', 'Bitrate'), this.#readout,
        this.#buttons.element),
      this.#stage)
    this.#surface = new PlotSurface(canvas, this)
    listenToPointers(this, this.#stage, this.#surface)
    listenToKeys(this, this.#stage, this.#surface)
  }

  get isReady() { return this.rows !== null }

  /** Shows the rows of an inspection received up to now. */
  show(inspection) {
    const { rows, frameSeconds, report } = inspection
    this.rows = rows
    this.frameSeconds = frameSeconds
    this.mean = this.rate(0, rows.length)
    if (this.showsAll) this.view = { first: 0, count: rows.length }
    this.#stage.setAttribute('aria-valuemax', String(Math.max(0, rows.length - 1)))
    this.#stage.toggleAttribute('data-ready', Boolean(report))
    this.#changed()
  }

  /** Returns the highest rate of the drawn columns. */
  #findHighest() {
    const columns = this.#surface.columnCount
    let highest = this.mean
    for (let column = 0; column < columns; column += 1) {
      const from = this.view.first + column / columns * this.view.count
      highest = Math.max(highest, this.rate(from, from + this.view.count / columns))
    }
    return highest
  }

  /** Marks the active frame of the table, and scrolls it into view. */
  mark(frame) {
    this.active = frame
    const { first, count } = this.view
    if (frame < first || frame >= first + count) this.setView(frame - count / 2, count)
    this.#surface.invalidate()
  }

  /** Returns the bits per second of the frames from `from` to `to`, which may be fractional. */
  rate(from, to) {
    if (!this.rows || this.frameSeconds <= 0) return 0
    const first = Math.max(0, Math.floor(from))
    const end = Math.min(this.rows.length, Math.max(first + 1, Math.floor(to)))
    if (end <= first) return 0
    return this.rows.byteSum(first, end) * 8 / ((end - first) * this.frameSeconds)
  }

  /** Shows `factor` times the current number of frames, around the cursor or the middle. */
  zoom(factor, around = null) {
    const { first, count } = this.view
    const isInView = frame => frame >= first && frame <= first + count
    const center = around ?? [this.cursor, this.active].find(frame => frame >= 0 && isInView(frame))
      ?? first + count / 2
    const wanted = Math.max(closest, count * factor)
    this.setView(center - (center - first) * wanted / count, wanted)
  }

  showWhole() { this.setView(0, this.rows?.length ?? 0) }

  /** Shows `count` frames from `first` on, limited to the existing frames. */
  setView(first, count) {
    const length = this.rows?.length ?? 0
    const wanted = Math.min(length, Math.max(closest, count))
    this.view = { first: Math.max(0, Math.min(length - wanted, first)), count: wanted }
    this.showsAll = wanted >= length
    this.#changed()
  }

  get isClosest() { return this.view.count <= closest }

  /** Moves the playhead to a time; null hides it. */
  showHead(seconds) {
    const frame = seconds === null || !(this.frameSeconds > 0) ? null : seconds / this.frameSeconds
    this.#head.put(frame, this.view)
  }

  /** Selects the frame at a position. */
  pick(frame) {
    this.setCursor(frame)
    this.onPick(this.cursor)
  }

  #changed() {
    this.#buttons.update(this)
    this.highest = this.#findHighest()
    this.limit = this.highest
    this.onScale?.()
    this.onView?.()
    this.#showCursor()
  }

  /** Marks the range of a drag; null removes the mark. */
  select(range) {
    this.selection = range
    this.#surface.invalidate()
  }

  /** Draws with a scale shared with another plot. */
  setLimit(limit) {
    this.limit = limit
    this.#surface.invalidate()
  }

  /** Moves the cursor to a frame; null hides it. */
  setCursor(frame) {
    const last = (this.rows?.length ?? 0) - 1
    this.cursor = frame === null ? -1 : Math.max(0, Math.min(last, Math.floor(frame)))
    this.#showCursor()
  }

  #showCursor() {
    this.#surface.invalidate()
    if (!this.rows || this.rows.length === 0) return
    const frame = this.cursor >= 0 ? this.cursor : Math.max(0, this.active)
    const width = this.view.count / this.#surface.columnCount
    const rate = bitrate(this.rate(frame, frame + width))
    const time = this.rows.time(frame)
    setText(this.#readout, this.cursor < 0
      ? ''
      : `${exactClock(time)}  ·  frame ${grouped(frame)}  ·  ${rate}`)
    this.#stage.setAttribute('aria-valuenow', String(frame))
    this.#stage.setAttribute('aria-valuetext',
      `${spokenTime(time)}, frame ${frame}, ${rate}`)
  }

  dispose() { this.#surface.close() }
}

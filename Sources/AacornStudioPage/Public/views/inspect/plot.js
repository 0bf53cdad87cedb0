import { h, setText } from '../../dom.js'
import { bitrate, exactClock, spaced, spokenTime } from '../../format.js'
import { colors } from '../../drawing/surface.js'
import {
  drawTimes, evenStep, listenToKeys, listenToPointers, PositionLine, TimePlot, ZoomButtons
} from './timeplot.js'

/**
 * The bitrate over time, from the whole file down to single frames. Pointing or the arrow keys show the rate, a
 * click or Enter goes to the frame, dragging or + and − zoom. Calls `onPick(frame)`.
 */
export class BitratePlot extends TimePlot {
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
  /** The minimum number of visible frames. */
  closest = 24
  /** Keys move the cursor, so it stays while the plot has the focus. */
  keepsCursor = true
  #stage
  #readout = h('output', { class: 'rate-readout', 'aria-live': 'off' })
  #buttons = new ZoomButtons(this, 'bitrate')
  #head = new PositionLine('playhead')

  constructor({ label, onPick }) {
    super(h('canvas', { 'aria-hidden': 'true' }))
    this.source = this
    this.onPick = onPick
    this.#stage = h('div', {
      class: 'rate-stage', role: 'slider', tabindex: '0', 'aria-label': label,
      'aria-valuemin': '0', 'aria-valuenow': '0', 'aria-valuetext': 'nothing yet'
    }, this.canvas, this.#head.element)
    this.element = h('div', { class: 'rate-plot' },
      h('div', { class: 'rate-header' }, h('h4', 'Bitrate'), this.#readout, this.#buttons.element),
      this.#stage)
    listenToPointers(this, this.#stage, this)
    listenToKeys(this, this.#stage)
  }

  get isReady() { return this.rows?.length > 0 && this.view.count > 0 }

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
    const columns = this.columnCount
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
    this.invalidate()
  }

  /** Returns the bits per second of the frames from `from` to `to`, which may be fractional. */
  rate(from, to) {
    if (!this.rows || this.frameSeconds <= 0) return 0
    const first = Math.max(0, Math.floor(from))
    const end = Math.min(this.rows.length, Math.max(first + 1, Math.floor(to)))
    if (end <= first) return 0
    return this.rows.byteSum(first, end) * 8 / ((end - first) * this.frameSeconds)
  }

  /** The center for zooming: a marked frame in view, or the middle. */
  get center() {
    const { first, count } = this.view
    const isInView = frame => frame >= Math.max(0, first) && frame <= first + count
    return [this.cursor, this.active].find(isInView) ?? first + count / 2
  }

  showWhole() { this.setView(0, this.rows?.length ?? 0) }

  /** Shows `count` frames from `first` on, limited to the existing frames. */
  setView(first, count) {
    const length = this.rows?.length ?? 0
    const wanted = Math.min(length, Math.max(this.closest, count))
    this.view = { first: Math.max(0, Math.min(length - wanted, first)), count: wanted }
    this.showsAll = wanted >= length
    this.#changed()
  }

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
    this.invalidate()
  }

  /** Draws with a scale shared with another plot. */
  setLimit(limit) {
    this.limit = limit
    this.invalidate()
  }

  /** Moves the cursor to a frame; null hides it. */
  setCursor(frame) {
    const last = (this.rows?.length ?? 0) - 1
    this.cursor = frame === null ? -1 : Math.max(0, Math.min(last, Math.floor(frame)))
    this.#showCursor()
  }

  #showCursor() {
    this.invalidate()
    if (!this.rows || this.rows.length === 0) return
    const frame = this.cursor >= 0 ? this.cursor : Math.max(0, this.active)
    const width = this.view.count / this.columnCount
    const rate = bitrate(this.rate(frame, frame + width))
    const time = this.rows.time(frame)
    setText(this.#readout, this.cursor < 0
      ? ''
      : `${exactClock(time)}  ·  frame ${spaced(frame)}  ·  ${rate}`)
    this.#stage.setAttribute('aria-valuenow', String(frame))
    this.#stage.setAttribute('aria-valuetext', `${spokenTime(time)}, frame ${frame}, ${rate}`)
  }

  /** The number of columns to draw: one per pixel, but at most one per frame. */
  get columnCount() {
    return Math.max(1, Math.min(Math.floor(this.plotWidth), Math.ceil(this.view.count)))
  }

  /** The bits per second between two lines, and at the upper edge. */
  get #scale() {
    const { limit } = this
    const step = evenStep(Math.max(limit, 1000) / 1000, 4) * 1000
    return { step, highest: Math.ceil(limit / step) * step }
  }

  paintAxes(context, box) {
    const { view, frameSeconds } = this
    this.#drawRates(context, box)
    drawTimes(context, box, view.first * frameSeconds, view.count * frameSeconds)
  }

  paintContent(context, box) {
    if (box.width / this.view.count >= 3) this.#drawFrames(context, box)
    else this.#drawCurve(context, box)
    this.#drawMean(context, box)
    this.#drawFaults(context, box)
    this.markSelection(context, box)
    this.#drawMarks(context, box)
  }

  /** Returns the vertical coordinate of a rate. */
  #y(box, rate) { return box.y + box.height * (1 - Math.min(1, rate / this.#scale.highest)) }

  #drawRates(context, box) {
    const palette = colors()
    const { step, highest } = this.#scale
    context.textAlign = 'right'
    context.fillStyle = palette.muted
    context.strokeStyle = palette['plot-line']
    context.lineWidth = 1
    for (let rate = 0; rate <= highest + step / 2; rate += step) {
      const lineY = Math.round(this.#y(box, rate)) + 0.5
      context.beginPath()
      context.moveTo(box.x, lineY)
      context.lineTo(box.x + box.width, lineY)
      context.stroke()
      const label = Number((rate / 1000).toPrecision(3))
      context.fillText(rate === 0 ? 'kb/s' : String(label), box.x - 6, lineY)
    }
  }

  /** Draws a curve with one point per pixel: the mean rate of its frames. */
  #drawCurve(context, box) {
    const { view } = this
    const { accent } = colors()
    const columns = this.columnCount
    const foot = box.y + box.height
    context.beginPath()
    context.moveTo(box.x, foot)
    const line = []
    for (let column = 0; column < columns; column += 1) {
      const from = view.first + column / columns * view.count
      const rate = this.rate(from, view.first + (column + 1) / columns * view.count)
      const x = box.x + (column + 0.5) / columns * box.width
      line.push([x, this.#y(box, rate)])
    }
    for (const [x, height] of line) context.lineTo(x, height)
    context.lineTo(line.at(-1)[0], foot)
    context.globalAlpha = 0.16
    context.fillStyle = accent
    context.fill()
    context.globalAlpha = 1
    context.beginPath()
    line.forEach(([x, height], index) => {
      if (index === 0) context.moveTo(x, height)
      else context.lineTo(x, height)
    })
    context.strokeStyle = accent
    context.lineWidth = 1.25
    context.lineJoin = 'round'
    context.stroke()
  }

  /** Draws one bar per frame, in the color of its block type. */
  #drawFrames(context, box) {
    const { rows, view } = this
    const palette = colors()
    const pitch = box.width / view.count
    const last = Math.min(rows.length, Math.ceil(view.first + view.count))
    const gap = pitch > 5 ? 1 : 0.5
    for (let frame = Math.max(0, Math.floor(view.first)); frame < last; frame += 1) {
      const barY = this.#y(box, this.rate(frame, frame + 1))
      const kind = rows.block(frame).split('/')[0]
      context.fillStyle = palette[`block-${kind}`] || palette.muted
      context.fillRect(this.xOf(box, frame), barY, Math.max(1, pitch - gap),
        box.y + box.height - barY)
    }
  }

  #drawMean(context, box) {
    const lineY = Math.round(this.#y(box, this.mean)) + 0.5
    context.strokeStyle = colors().text
    context.globalAlpha = 0.55
    context.setLineDash([5, 4])
    context.beginPath()
    context.moveTo(box.x, lineY)
    context.lineTo(box.x + box.width, lineY)
    context.stroke()
    context.setLineDash([])
    context.globalAlpha = 1
  }

  /** Draws a mark at the bottom for every frame with faults. */
  #drawFaults(context, box) {
    const { rows, view } = this
    context.fillStyle = colors().danger
    let before = -Infinity
    for (const frame of rows.faulty) {
      if (frame < view.first - 1) continue
      if (frame > view.first + view.count) break
      const x = this.xOf(box, frame + 0.5)
      if (x - before < 1) continue
      before = x
      context.fillRect(x - 0.75, box.y, 1.5, box.height)
      this.markFoot(context, box, x)
    }
  }

  /** Draws the active frame of the table, and the cursor. */
  #drawMarks(context, box) {
    const { cursor, active } = this
    const { accent, text } = colors()
    for (const [frame, color, width] of [[active, accent, 2], [cursor, text, 1]]) {
      if (frame < 0) continue
      context.fillStyle = color
      context.fillRect(this.xOf(box, frame + 0.5) - width / 2, box.y, width, box.height)
    }
  }
}

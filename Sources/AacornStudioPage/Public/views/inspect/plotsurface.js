import { Surface, colors } from '../../drawing/surface.js'
import { evenStep } from './axis.js'
import { drawTimes, margins } from './timeaxis.js'

const { left, right, top, bottom } = margins

/** A drawing of the bitrate of the visible frames; `source` is the plot that owns it. */
export class PlotSurface extends Surface {
  constructor(canvas, source) {
    super(canvas)
    this.source = source
  }

  /** Returns the frame at a position in CSS pixels from the canvas's left edge. */
  positionAt(x) {
    const { first, count } = this.source.view
    return first + (x - left) / this.#plotWidth * count
  }

  /** The number of columns to draw: one per pixel, but at most one per frame. */
  get columnCount() {
    return Math.max(1, Math.min(Math.floor(this.#plotWidth), Math.ceil(this.source.view.count)))
  }

  get #plotWidth() {
    return Math.max(1, this.canvas.clientWidth - left - right)
  }

  paint(context, width, height) {
    const { scale } = this
    context.setTransform(scale, 0, 0, scale, 0, 0)
    context.clearRect(0, 0, width / scale, height / scale)
    const { rows, view, frameSeconds, limit } = this.source
    if (!rows || rows.length === 0 || view.count <= 0) return
    const box = {
      x: left, y: top, width: this.#plotWidth, height: height / scale - top - bottom
    }
    const palette = colors()
    context.font = '11px system-ui, sans-serif'
    context.textBaseline = 'middle'
    const step = evenStep(Math.max(limit, 1000) / 1000, 4) * 1000
    const highest = Math.ceil(limit / step) * step
    const y = rate => box.y + box.height * (1 - Math.min(1, rate / highest))
    this.#drawRates(context, box, palette, step, highest, y)
    drawTimes(context, box, view.first * frameSeconds, view.count * frameSeconds)
    context.save()
    context.beginPath()
    context.rect(box.x, box.y - 4, box.width, box.height + 8)
    context.clip()
    if (box.width / view.count >= 3) this.#drawFrames(context, box, palette, y)
    else this.#drawCurve(context, box, palette, y)
    this.#drawMean(context, box, palette, y)
    this.#drawFaults(context, box, palette)
    this.#drawMarks(context, box, palette)
    context.restore()
  }

  #drawRates(context, box, palette, step, highest, y) {
    context.textAlign = 'right'
    context.fillStyle = palette.muted
    context.strokeStyle = palette['plot-line']
    context.lineWidth = 1
    for (let rate = 0; rate <= highest + step / 2; rate += step) {
      const lineY = Math.round(y(rate)) + 0.5
      context.beginPath()
      context.moveTo(box.x, lineY)
      context.lineTo(box.x + box.width, lineY)
      context.stroke()
      const label = Number((rate / 1000).toPrecision(3))
      context.fillText(rate === 0 ? 'kb/s' : String(label), box.x - 6, lineY)
    }
  }

  /** Draws a curve with one point per pixel: the mean rate of its frames. */
  #drawCurve(context, box, palette, y) {
    const { view } = this.source
    const columns = this.columnCount
    const foot = box.y + box.height
    context.beginPath()
    context.moveTo(box.x, foot)
    const line = []
    for (let column = 0; column < columns; column += 1) {
      const from = view.first + column / columns * view.count
      const rate = this.source.rate(from, view.first + (column + 1) / columns * view.count)
      const x = box.x + (column + 0.5) / columns * box.width
      line.push([x, y(rate)])
    }
    for (const [x, height] of line) context.lineTo(x, height)
    context.lineTo(line.at(-1)[0], foot)
    context.globalAlpha = 0.16
    context.fillStyle = palette.accent
    context.fill()
    context.globalAlpha = 1
    context.beginPath()
    line.forEach(([x, height], index) => {
      if (index === 0) context.moveTo(x, height)
      else context.lineTo(x, height)
    })
    context.strokeStyle = palette.accent
    context.lineWidth = 1.25
    context.lineJoin = 'round'
    context.stroke()
  }

  /** Draws one bar per frame, in the color of its block type. */
  #drawFrames(context, box, palette, y) {
    const { rows, view } = this.source
    const pitch = box.width / view.count
    const last = Math.min(rows.length, Math.ceil(view.first + view.count))
    const gap = pitch > 5 ? 1 : 0.5
    for (let frame = Math.max(0, Math.floor(view.first)); frame < last; frame += 1) {
      const barY = y(this.source.rate(frame, frame + 1))
      const kind = rows.block(frame).split('/')[0]
      context.fillStyle = palette[`block-${kind}`] || palette.muted
      context.fillRect(box.x + (frame - view.first) * pitch, barY, Math.max(1, pitch - gap),
        box.y + box.height - barY)
    }
  }

  #drawMean(context, box, palette, y) {
    const lineY = Math.round(y(this.source.mean)) + 0.5
    context.strokeStyle = palette.text
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
  #drawFaults(context, box, palette) {
    const { rows, view } = this.source
    const foot = box.y + box.height
    context.fillStyle = palette.danger
    let before = -Infinity
    for (const frame of rows.faulty) {
      if (frame < view.first - 1) continue
      if (frame > view.first + view.count) break
      const x = box.x + (frame + 0.5 - view.first) / view.count * box.width
      if (x - before < 1) continue
      before = x
      context.fillRect(x - 0.75, box.y, 1.5, box.height)
      context.beginPath()
      context.moveTo(x, foot - 7)
      context.lineTo(x + 4, foot)
      context.lineTo(x - 4, foot)
      context.fill()
    }
  }

  /** Draws the selected range, the active frame of the table, and the cursor. */
  #drawMarks(context, box, palette) {
    const { view, cursor, active, selection } = this.source
    const x = frame => box.x + (frame - view.first) / view.count * box.width
    if (selection) {
      context.fillStyle = palette.text
      context.globalAlpha = 0.12
      context.fillRect(x(selection[0]), box.y, x(selection[1]) - x(selection[0]), box.height)
      context.globalAlpha = 1
    }
    if (active >= 0) this.#drawLine(context, box, palette.accent, x(active + 0.5), 2)
    if (cursor >= 0) this.#drawLine(context, box, palette.text, x(cursor + 0.5), 1)
  }

  #drawLine(context, box, color, x, width) {
    context.fillStyle = color
    context.fillRect(x - width / 2, box.y, width, box.height)
  }
}

import { colors } from '../../drawing/surface.js'
import { drawTimes, evenStep, TimePlot } from './timeplot.js'

/** A drawing of the bitrate of the visible frames. */
export class PlotSurface extends TimePlot {
  /** The number of columns to draw: one per pixel, but at most one per frame. */
  get columnCount() {
    return Math.max(1, Math.min(Math.floor(this.plotWidth), Math.ceil(this.source.view.count)))
  }

  get isReady() { return this.source.rows?.length > 0 && this.source.view.count > 0 }

  /** The bits per second between two lines, and at the upper edge. */
  get #scale() {
    const { limit } = this.source
    const step = evenStep(Math.max(limit, 1000) / 1000, 4) * 1000
    return { step, highest: Math.ceil(limit / step) * step }
  }

  paintAxes(context, box) {
    const { view, frameSeconds } = this.source
    this.#drawRates(context, box)
    drawTimes(context, box, view.first * frameSeconds, view.count * frameSeconds)
  }

  paintContent(context, box) {
    if (box.width / this.source.view.count >= 3) this.#drawFrames(context, box)
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
    const { view } = this.source
    const { accent } = colors()
    const columns = this.columnCount
    const foot = box.y + box.height
    context.beginPath()
    context.moveTo(box.x, foot)
    const line = []
    for (let column = 0; column < columns; column += 1) {
      const from = view.first + column / columns * view.count
      const rate = this.source.rate(from, view.first + (column + 1) / columns * view.count)
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
    const { rows, view } = this.source
    const palette = colors()
    const pitch = box.width / view.count
    const last = Math.min(rows.length, Math.ceil(view.first + view.count))
    const gap = pitch > 5 ? 1 : 0.5
    for (let frame = Math.max(0, Math.floor(view.first)); frame < last; frame += 1) {
      const barY = this.#y(box, this.source.rate(frame, frame + 1))
      const kind = rows.block(frame).split('/')[0]
      context.fillStyle = palette[`block-${kind}`] || palette.muted
      context.fillRect(this.xOf(box, frame), barY, Math.max(1, pitch - gap),
        box.y + box.height - barY)
    }
  }

  #drawMean(context, box) {
    const lineY = Math.round(this.#y(box, this.source.mean)) + 0.5
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
    const { rows, view } = this.source
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
    const { cursor, active } = this.source
    const { accent, text } = colors()
    for (const [frame, color, width] of [[active, accent, 2], [cursor, text, 1]]) {
      if (frame < 0) continue
      context.fillStyle = color
      context.fillRect(this.xOf(box, frame + 0.5) - width / 2, box.y, width, box.height)
    }
  }
}

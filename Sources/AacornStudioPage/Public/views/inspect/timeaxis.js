import { colors } from '../../drawing/surface.js'
import { clock } from '../../format.js'
import { timeStep } from './axis.js'
import { exactClock } from './words.js'

/** The margins around a plot in pixels; equal in all plots, so that their times are aligned. */
export const margins = { left: 44, right: 8, top: 8, bottom: 22 }

/** Draws the times below a plot; `box` is the plot's area in CSS pixels. */
export function drawTimes(context, box, begin, duration) {
  const palette = colors()
  const step = timeStep(duration, Math.max(2, Math.floor(box.width / 90)))
  context.fillStyle = palette.muted
  context.strokeStyle = palette['plot-line']
  context.lineWidth = 1
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  const foot = box.y + box.height
  for (let index = Math.ceil(begin / step); index * step <= begin + duration; index += 1) {
    const x = Math.round(box.x + (index * step - begin) / duration * box.width) + 0.5
    context.beginPath()
    context.moveTo(x, foot)
    context.lineTo(x, foot + 4)
    context.stroke()
    const text = step < 1 ? exactClock(index * step) : clock(index * step + 1e-6)
    const half = context.measureText(text).width / 2
    const textX = Math.max(half, Math.min(box.x + box.width + margins.right - half, x))
    context.fillText(text, textX, foot + 14)
  }
}

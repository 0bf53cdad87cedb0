// The chart of the encoded frames of the microphone: the bits and the block type of each frame.

import { FrameStrip } from '../../drawing/framestrip.js'
import { h, setText } from '../../dom.js'
import { bitrate } from '../../format.js'

const blocks = ['Long', 'Start', 'Short', 'Stop']
/** The period of the average in seconds. */
const meanSeconds = 2

/** Creates `{element, push(frames, framesPerSecond), clear()}`. */
export function framesView() {
  const canvas = h('canvas', {
    class: 'frame-canvas', role: 'img', 'aria-label': 'Bits of each frame: nothing yet'
  })
  const mean = h('span', { class: 'number' })
  const element = h('div', { class: 'browser-frames', hidden: true },
    h('div', { class: 'row' }, h('h3', 'Bits of each frame'), h('span', { class: 'hint' }, mean),
      h('ul', { class: 'legend', 'aria-label': 'Colors of the block types' }, blocks.map(block =>
        h('li', h('span', { class: `swatch ${block.toLowerCase()}` }), block)))),
    h('div', { class: 'plot' }, canvas))
  const strip = new FrameStrip(canvas)
  const recent = []
  let shownAt = 0

  return {
    element,
    push(frames, framesPerSecond) {
      if (!frames.length) return
      element.hidden = false
      strip.push(frames)
      for (const [bytes] of frames) recent.push(bytes)
      recent.splice(0, recent.length - Math.ceil(meanSeconds * framesPerSecond))
      const now = performance.now()
      if (now - shownAt < 500) return
      shownAt = now
      const sum = recent.reduce((total, bytes) => total + bytes, 0)
      const words = bitrate(sum * 8 * framesPerSecond / recent.length)
      setText(mean, `${words} in the last two seconds`)
      canvas.setAttribute('aria-label', `Bits of each frame: ${words} on average`)
    },
    clear() {
      strip.clear()
      recent.length = 0
      element.hidden = true
    }
  }
}

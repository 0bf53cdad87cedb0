// The chart of the encoded frames of the microphone: the bits and the block type of each frame.

import { blockLegend, FrameStrip } from '../../drawing/framestrip.js'
import { h, setText } from '../../dom.js'
import { bitrate } from '../../format.js'

/** Creates `{element, push(frames, framesPerSecond), clear()}`. */
export function framesView() {
  const canvas = h('canvas', {
    class: 'frame-canvas', role: 'img', 'aria-label': 'Bits of each frame: nothing yet'
  })
  const mean = h('span', { class: 'number' })
  const element = h('div', { class: 'browser-frames', hidden: true },
    h('div', { class: 'row' }, h('h3', 'Bits of each frame'), h('span', { class: 'hint' }, mean),
      blockLegend()),
    h('div', { class: 'plot' }, canvas))
  const strip = new FrameStrip(canvas)
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
      canvas.setAttribute('aria-label', `Bits of each frame: ${words} on average`)
    },
    clear() {
      strip.clear()
      element.hidden = true
    }
  }
}

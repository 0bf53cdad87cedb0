// The level meter with its scale and numbers, for the Record and Convert views.

import { h, setText } from '../dom.js'
import { signed } from '../format.js'
import { LevelMeter, meterFloor } from './levelmeter.js'

const marks = [-60, -48, -36, -24, -18, -12, -6, -3, 0]
/** The marks that are hidden in a narrow layout. */
const secondary = new Set([-48, -18, -6, -3])

/** Creates `{element, show(peaks, rms), clear()}`; the label names the meter for screen readers. */
export function levelView({ label = 'Input level' } = {}) {
  const canvas = h('canvas', { class: 'level-canvas', 'aria-label': label })
  const names = h('div', { class: 'level-names', 'aria-hidden': 'true' })
  const numbers = h('div', { class: 'level-numbers', 'aria-hidden': 'true' })
  const scale = h('div', { class: 'level-scale', 'aria-hidden': 'true' }, marks.map(level => {
    const mark = h('span', { class: secondary.has(level) ? 'secondary' : '' }, signed(level))
    mark.style.setProperty('--at', ((level - meterFloor) / -meterFloor).toFixed(4))
    return mark
  }))
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

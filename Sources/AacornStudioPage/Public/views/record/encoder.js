// The live frames of the encoder; its internals are collapsed.

import { blockLegend, blocks, FrameStrip } from '../../drawing/framestrip.js'
import { h, setText } from '../../dom.js'
import { bitrate, count, frequency, grouped } from '../../format.js'

const short = bits => (bits < 1000 ? String(bits) : `${bits / 1000}k`)
const nothing = 'Bits of each frame: nothing yet'

/** Creates `{element, push(frames, framesPerSecond), clear(message)}`. */
export function encoderPanel() {
  const canvas = h('canvas', { class: 'frame-canvas', role: 'img', 'aria-label': nothing })
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
      h('div', { class: 'plot' }, canvas, empty)),
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
  const strip = new FrameStrip(canvas)
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
      canvas.setAttribute('aria-label',
        `Bits of each frame: ${bitrate(mean)} on average, ${count(shortBlocks, 'short block')} `
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
      canvas.setAttribute('aria-label', nothing)
    }
  }
}

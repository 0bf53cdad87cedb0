import { h, replace } from '../../dom.js'
import { placeLine } from './placelist.js'
import { counted, exactClock } from './words.js'

/** The maximum number of listed gaps; the report as JSON has all of them. */
const limit = 100

/** Summarizes the number and the duration of gaps, followed by intended omissions. */
export function gapSummary({ gaps, trimRate, sampleRate }) {
  // An intended omission, such as a pause, is not replaced by silence.
  const losses = gaps.filter(gap => gap.filled !== false)
  const pauses = gaps.filter(gap => gap.filled === false && gap.cause === 'paused').length
  const rest = gaps.length - losses.length - pauses
  const total = losses.reduce((sum, gap) => sum + (Number(gap.length) || 0), 0)
  const rate = trimRate || sampleRate
  const seconds = rate > 0 ? ` (${(total / rate).toFixed(3)} s)` : ''
  return [
    losses.length === 0 ? 'none'
      : `${counted(losses.length, 'gap')}, ${counted(total, 'sample')}${seconds}`,
    pauses > 0 && counted(pauses, 'pause'),
    rest > 0 && counted(rest, 'other record')
  ].filter(Boolean).join('; ')
}

/** The gaps that a recorder stored in its file; each is a button that calls `onPick(seconds)`. */
export class GapList {
  #head = h('h4')
  #list = h('ol', { class: 'fault-list', role: 'list' })

  constructor({ onPick }) {
    this.onPick = onPick
    this.element = h('div', { class: 'faults side-gaps', hidden: true }, this.#head, this.#list)
  }

  show(report) {
    const rate = report.trimRate || report.sampleRate
    const delay = (report.trim?.priming ?? 0) / rate
    this.element.hidden = report.gaps.length === 0 || !(rate > 0)
    if (this.element.hidden) return
    replace(this.#head, 'Gaps', h('span', { class: 'fault-counts' }, gapSummary(report)))
    replace(this.#list, report.gaps.slice(0, limit).map(gap => this.#line(gap, rate, delay)),
      report.gaps.length > limit && h('li', { class: 'hint' },
        `and ${report.gaps.length - limit} more; the report as JSON lists them`))
  }

  #line(gap, rate, delay) {
    if (!Number.isFinite(gap.position) || !Number.isFinite(gap.length)) {
      return h('li', { class: 'hint' }, 'An entry without a position.')
    }
    const seconds = gap.position / rate
    const words = [gap.cause ?? 'unknown cause']
    if (typeof gap.filled === 'boolean') {
      words.push(gap.filled ? 'filled with silence' : 'not filled')
    }
    if (gap.time) words.push(gap.time)
    return placeLine([`${(gap.length / rate).toFixed(3)} s`, 'warning'], words.join(', '),
      `at ${exactClock(seconds)}, ${counted(gap.length, 'sample')}`,
      () => this.onPick(seconds + delay))
  }
}

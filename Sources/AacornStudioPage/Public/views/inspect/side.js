import { announce, h, icon, replace, setText, toast } from '../../dom.js'
import { size } from '../../format.js'
import { Thumbnail } from '../../drawing/thumbnail.js'
import { faultCounts } from './facts.js'
import { FaultList } from './faults.js'
import { frameWords, wantedFrame } from './framewords.js'
import { GapList } from './gaps.js'
import { BitratePlot } from './plot.js'
import { copy, isForeign, noFrames, reportJSON, reportText } from './report.js'
import { FrameTable } from './table.js'
import { grouped } from './words.js'

/** One file of the view: its head, faults, waveform, bitrate and frames. */
export class Side {
  #parts = {}
  #isFiltered = false
  #isFollowing = false
  #drawnRows = -1
  #drawnReport = null
  #thumbnail
  #update = () => this.update()

  /**
   * `actions`: `close(side)`; `changed(side)`, called when its report has come; `moved(side,
   * seconds)`, called when another frame becomes active.
   */
  constructor(inspection, actions) {
    this.inspection = inspection
    this.actions = actions
    const { name } = inspection
    this.faults = new FaultList({ onPick: frame => this.go(frame, true) })
    this.gaps = new GapList({
      onPick: seconds => this.go(inspection.rows.indexAt(seconds), true)
    })
    this.plot = new BitratePlot({
      label: `Bitrate of ${name} over time`, onPick: frame => this.go(frame)
    })
    this.table = new FrameTable({
      label: `Frames of ${name}`, onActive: frame => this.#moved(frame)
    })
    this.element = this.#build(name)
    this.plot.onView = (view, length) => this.#showWindow(view, length)
    this.#thumbnail = new Thumbnail(this.#parts.wave)
    inspection.addEventListener('change', this.#update)
    this.update()
  }

  #build(name) {
    const parts = this.#parts
    const quiet = (text, run, more = {}) => h('button', {
      type: 'button', class: 'quiet', onclick: run, ...more
    }, text)
    parts.size = h('span', { class: 'side-size' })
    parts.verdict = h('span', { class: 'side-verdict' })
    parts.progress = h('progress', { max: '1', 'aria-label': `Progress of ${name}` })
    parts.step = h('span', { class: 'hint' })
    parts.working = h('div', { class: 'side-working' }, parts.progress, parts.step,
      quiet('Cancel', () => this.actions.close(this)))
    parts.problem = h('p', { class: 'side-problem', hidden: true })
    parts.copy = h('span', { class: 'side-copy', hidden: true },
      quiet('Copy as text', () => this.#copy(reportText(this.inspection))),
      quiet('Copy as JSON', () => this.#copy(reportJSON(this.inspection))))
    parts.wave = h('canvas', { class: 'side-wave', 'aria-hidden': 'true' })
    parts.window = h('div', { class: 'side-window', hidden: true })
    parts.waveArea = h('div', {
      class: 'side-wave-area', onclick: event => this.#pickTime(event)
    }, parts.wave, parts.window)
    parts.waveBox = h('div', { class: 'side-wave-box', hidden: true }, h('h4', 'Waveform'),
      parts.waveArea)
    parts.filter = h('input', { type: 'checkbox', onchange: () => this.#filter() })
    parts.goTo = h('input', {
      type: 'text', inputmode: 'numeric', autocomplete: 'off', placeholder: 'Frame or time',
      'aria-label': 'Go to a frame number, or to a time such as 1:05'
    })
    parts.frameLine = h('output', { class: 'frame-words', 'aria-live': 'polite' },
      'Go to a frame to read what is in it.')
    parts.frames = h('div', { class: 'frame-view', hidden: true },
      h('div', { class: 'frame-view-header' }, h('h4', 'Frames'),
        h('label', { class: 'check' }, parts.filter, 'Only those with faults'),
        h('form', { class: 'go-to', onsubmit: event => this.#submitGoTo(event) }, parts.goTo,
          h('button', { type: 'submit' }, 'Go'))),
      this.table.element, parts.frameLine)
    parts.body = h('div', { class: 'side-body' },
      this.faults.element, this.gaps.element, parts.waveBox, this.plot.element, parts.frames)
    return h('section', { class: 'card side', 'aria-label': name },
      h('header', { class: 'side-header' },
        h('div', { class: 'side-title' }, h('h3', { title: name }, name),
          h('p', { class: 'hint' }, parts.size, parts.verdict)),
        parts.copy,
        quiet(icon('close'), () => this.actions.close(this),
          { class: 'quiet icon-only', 'aria-label': `Close ${name}`, title: 'Close' })),
      parts.working, parts.problem, parts.body)
  }

  /** Shows what the inspection has found so far. */
  update() {
    const { inspection } = this
    const { phase, rows, report } = inspection
    const parts = this.#parts
    setText(parts.size, inspection.bytes > 0 ? size(inspection.bytes) : '')
    parts.working.hidden = phase !== 'reading'
    parts.progress.value = inspection.fraction
    setText(parts.step, inspection.activity === 'fetching' ? 'Fetching' : 'Inspecting')
    const hasFrames = rows.length > 0
    parts.frames.hidden = !hasFrames
    this.plot.element.hidden = !hasFrames
    if (hasFrames && (rows.length !== this.#drawnRows || report !== this.#drawnReport)) {
      this.#drawnRows = rows.length
      this.plot.show(inspection)
      this.table.show(rows, this.#isFiltered ? rows.faulty : null)
    }
    this.faults.element.hidden = !report || report.faults.length === 0 || isForeign(report)
    if (report && report !== this.#drawnReport) this.#showReport(report)
    const problem = phase === 'failed'
      ? inspection.problem
      : report && report.frameCount === 0 ? noFrames(inspection) : ''
    parts.problem.hidden = !problem
    if (problem && parts.problem.textContent !== problem) {
      setText(parts.problem, problem)
      announce(problem, 'assertive')
    }
  }

  /** Goes to a frame in the table; `isFocused` puts the focus there too. */
  go(frame, isFocused = false) {
    if (this.inspection.rows.length === 0) return
    if (this.#isFiltered && this.inspection.rows.faults(frame) === 0) {
      this.#parts.filter.checked = false
      this.#filter()
    }
    this.table.go(frame)
    if (isFocused) this.table.element.focus()
  }

  /** Goes to the frame at a time without telling of it, because another file went there. */
  follow(seconds) {
    this.#isFollowing = true
    this.go(this.inspection.rows.indexAt(seconds))
    this.#isFollowing = false
  }

  dispose() {
    this.inspection.removeEventListener('change', this.#update)
    this.inspection.cancel()
    this.plot.dispose()
    this.#thumbnail.close()
    this.element.remove()
  }

  #showReport(report) {
    this.#drawnReport = report
    const parts = this.#parts
    parts.copy.hidden = false
    if (report.frameCount > 0) {
      const { errors, warnings } = report.faultCounts
      const kind = errors > 0 ? 'danger' : warnings > 0 ? 'warning' : 'good'
      const words = faultCounts(report.faultCounts)
      replace(parts.verdict,
        h('span', { class: `badge ${kind}` }, words === 'none' ? 'No faults' : words))
    }
    this.faults.show(report)
    this.gaps.show(report)
    const hasWave = report.waveform?.length > 0 && report.waveform.some(level => level > 0)
    parts.waveBox.hidden = !hasWave
    if (hasWave) this.#thumbnail.show(report.waveform, 1)
    parts.filter.disabled = this.inspection.rows.faulty.length === 0
    // What is wrong with a file without frames is said as its problem.
    if (report.frameCount > 0) {
      announce(`${this.inspection.name} was inspected: ${faultCounts(report.faultCounts)
        .replace('none', 'no faults')}.`)
    }
    this.actions.changed(this)
  }

  /** Marks in the waveform what the plot below shows of it. */
  #showWindow({ first, count }, length) {
    const { window: mark } = this.#parts
    mark.hidden = length === 0 || count >= length
    mark.style.setProperty('left', `${first / length * 100}%`)
    mark.style.setProperty('width', `${count / length * 100}%`)
  }

  /** Goes to the frame at a place in the waveform, which the keyboard does in the plot. */
  #pickTime(event) {
    const { left, width } = this.#parts.waveArea.getBoundingClientRect()
    const { length } = this.inspection.rows
    const frame = Math.floor((event.clientX - left) / width * length)
    this.go(Math.max(0, Math.min(length - 1, frame)))
  }

  #filter() {
    this.#isFiltered = this.#parts.filter.checked
    const { rows } = this.inspection
    this.table.show(rows, this.#isFiltered ? rows.faulty : null)
    this.#showFrame(this.table.active)
  }

  #moved(frame) {
    this.#showFrame(frame)
    if (!this.#isFollowing) this.actions.moved(this, this.inspection.rows.time(frame))
  }

  #showFrame(frame) {
    const { rows, report } = this.inspection
    if (frame < 0 || frame >= rows.length) return
    setText(this.#parts.frameLine, frameWords(rows.row(frame), report))
    this.plot.mark(frame)
  }

  #submitGoTo(event) {
    event.preventDefault()
    const { rows } = this.inspection
    const frame = wantedFrame(this.#parts.goTo.value, rows)
    if (frame === null) {
      this.#parts.goTo.setAttribute('aria-invalid', 'true')
      announce(`Type a frame from 0 to ${grouped(rows.length - 1)}, or a time such as 1:05.`,
        'assertive')
      return
    }
    this.#parts.goTo.removeAttribute('aria-invalid')
    this.go(frame, true)
  }

  async #copy(text) {
    if (await copy(text)) toast('The report was copied to the clipboard.')
    else toast('The browser did not allow copying.', { kind: 'error' })
  }
}

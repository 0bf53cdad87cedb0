import { announce, h, icon, replace, setText, toast } from '../../dom.js'
import { size, spaced } from '../../format.js'
import { unfinishedBadge } from '../recordings.js'
import { faultCounts } from './facts.js'
import { ConcealedList, FaultList, GapList } from './placelist.js'
import { BitratePlot } from './plot.js'
import {
  copy, frameWords, isForeign, noFrames, onlySound, reportJSON, reportText, wantedFrame
} from './inspection.js'
import { SoundBox } from './sound/box.js'
import { FrameTable } from './table.js'

/** A file of the view: its header, faults, audio, bitrate and frames. */
export class Side {
  #parts = {}
  #isFiltered = false
  #isFollowing = false
  #drawnRows = -1
  #drawnReport = null
  #update = () => this.update()

  /**
   * `actions`: `close(side)`; `changed(side)`, called when its report has arrived; `moved(side, seconds)`,
   * called when another frame becomes active or the playhead moves; `viewed(side, first, count)`, called when
   * the visible period changes; `played(side)`, called when playback starts; `repair(side)`, for a recording.
   */
  constructor(inspection, actions) {
    this.inspection = inspection
    this.actions = actions
    const { name } = inspection
    this.faults = new FaultList({ onPick: frame => this.go(frame, true) })
    this.gaps = new GapList({ onPick: seconds => this.go(inspection.rows.indexAt(seconds), true) })
    this.plot = new BitratePlot({
      label: `Bitrate of ${name} over time`, onPick: frame => this.#pick(frame)
    })
    this.table = new FrameTable({
      label: `Frames of ${name}`, onActive: frame => this.#moved(frame)
    })
    this.sound = new SoundBox(name, {
      view: (first, count) => this.#view(first, count),
      moved: seconds => this.plot.showHead(seconds),
      picked: seconds => this.#goToTime(seconds),
      played: () => this.actions.played(this),
      changed: () => this.#showSound()
    })
    this.concealed = new ConcealedList({
      onPick: seconds => {
        this.sound.seek(seconds)
        this.#goToTime(seconds)
      }
    })
    this.element = this.#build(name)
    this.plot.onView = () => this.#shareView()
    inspection.addEventListener('change', this.#update)
    this.update()
  }

  #build(name) {
    const parts = this.#parts
    const quiet = (text, onclick, more = {}) => h('button', { class: 'quiet', onclick, ...more }, text)
    parts.size = h('span')
    parts.outcome = h('span')
    parts.progress = h('progress', { max: '1', 'aria-label': `Progress of ${name}` })
    parts.step = h('span', { class: 'hint' })
    parts.working = h('div', { class: 'side-working' }, parts.progress, parts.step,
      quiet('Cancel', () => this.actions.close(this)))
    parts.problem = h('p', { class: 'side-problem', hidden: true })
    parts.note = h('p', { class: 'side-note hint', hidden: true })
    parts.copy = h('span', { class: 'side-copy', hidden: true },
      quiet('Copy as text', () => this.#copy(reportText(this.inspection))),
      quiet('Copy as JSON', () => this.#copy(reportJSON(this.inspection))))
    parts.repair = h('button', { hidden: true, onclick: () => this.#repair() },
      icon('repair'), 'Repair')
    parts.filter = h('input', { type: 'checkbox', onchange: () => this.#filter() })
    parts.goTo = h('input', {
      type: 'text', inputmode: 'numeric', autocomplete: 'off', placeholder: 'Frame or time',
      'aria-label': 'Go to a frame number, or to a time such as 1:05'
    })
    parts.frameLine = h('output', { class: 'frame-words', 'aria-live': 'polite' },
      'Select a frame to see its contents.')
    parts.frames = h('div', { class: 'frame-view', hidden: true },
      h('div', { class: 'frame-view-header' }, h('h4', 'Frames'),
        h('label', { class: 'check' }, parts.filter, 'Only frames with faults'),
        h('form', { class: 'go-to', onsubmit: event => this.#submitGoTo(event) }, parts.goTo,
          h('button', { type: 'submit' }, 'Go'))),
      this.table.element, parts.frameLine)
    parts.body = h('div', { class: 'side-body' },
      this.faults.element, this.gaps.element, this.concealed.element, this.sound.element,
      this.plot.element, parts.frames)
    return h('section', { class: 'card side', 'aria-label': name },
      h('header', { class: 'side-header' },
        h('div', { class: 'side-title' }, h('h3', { title: name }, name),
          h('p', { class: 'hint' }, parts.size, parts.outcome)),
        parts.repair, parts.copy,
        quiet(icon('close'), () => this.actions.close(this),
          { class: 'quiet icon-only', 'aria-label': `Close ${name}`, title: 'Close' })),
      parts.working, parts.problem, parts.note, parts.body)
  }

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
      // Showing may move the plot, which is not a movement by the user.
      this.#isFollowing = true
      this.plot.show(inspection)
      this.#isFollowing = false
      this.table.show(rows, this.#isFiltered ? rows.faulty : null)
    }
    this.faults.element.hidden = !report || report.faults.length === 0 || isForeign(report)
    if (report && report !== this.#drawnReport) this.#showReport(report)
    const problem = phase === 'failed' ? inspection.problem : this.#framelessProblem()
    parts.problem.hidden = !problem
    if (problem && parts.problem.textContent !== problem) {
      setText(parts.problem, problem)
      announce(problem, 'assertive')
    }
  }

  /** Returns the message for a file without frames, once the decoder has also rejected the file. */
  #framelessProblem() {
    const { report } = this.inspection
    if (!report || report.frames > 0) return ''
    return this.sound.decoding?.phase === 'failed' ? noFrames(this.inspection) : ''
  }

  /** Shows a frame in the table; `isFocused` also moves the focus there. */
  go(frame, isFocused = false) {
    if (this.inspection.rows.length === 0) return
    if (this.#isFiltered && this.inspection.rows.faults(frame) === 0) {
      this.#parts.filter.checked = false
      this.#filter()
    }
    this.table.go(frame)
    if (isFocused) this.table.element.focus()
  }

  /** Shows the frame at a time without reporting it, because the other file moved there. */
  follow(seconds) {
    this.#isFollowing = true
    this.go(this.inspection.rows.indexAt(seconds))
    if (!this.sound.player?.isPlaying) this.sound.seek(seconds)
    this.#isFollowing = false
  }

  /** Shows a period without reporting it, because the other file shows it. */
  followView(first, count) {
    this.#isFollowing = true
    this.#view(first, count)
    this.#isFollowing = false
  }

  pause() { this.sound.player?.pause() }

  dispose() {
    this.inspection.removeEventListener('change', this.#update)
    this.inspection.cancel()
    this.plot.close()
    this.sound.dispose()
    this.element.remove()
  }

  #showReport(report) {
    this.#drawnReport = report
    const parts = this.#parts
    parts.copy.hidden = false
    if (report.frames > 0) {
      const [words, kind] = outcome(report)
      replace(parts.outcome, h('span', { class: `badge ${kind}` }, words))
    }
    this.faults.show(report)
    this.gaps.show(report)
    this.sound.open(this.inspection, report.frames > 0)
    this.#shareView()
    parts.filter.disabled = this.inspection.rows.faulty.length === 0
    // For a file without frames, the displayed problem is announced instead.
    if (report.frames > 0) {
      announce(`${this.inspection.name} was inspected: ${faultCounts(report)
        .replace('none', 'no faults')}.`)
    }
    this.actions.changed(this)
  }

  /** Shows a period in all plots. */
  #view(first, count) {
    const { frameSeconds, rows } = this.inspection
    if (rows.length > 0 && frameSeconds > 0) {
      return this.plot.setView(first / frameSeconds, count / frameSeconds)
    }
    const length = this.sound.decoding?.seconds ?? 0
    const wanted = Math.min(length, count)
    this.sound.show(Math.max(0, Math.min(length - wanted, first)), wanted, length)
  }

  /** Shows the period of the frame plot in the audio plots. */
  #shareView() {
    const { frameSeconds, rows } = this.inspection
    if (rows.length === 0 || !(frameSeconds > 0)) return
    const first = this.plot.view.first * frameSeconds
    const count = this.plot.view.count * frameSeconds
    this.sound.show(first, count, rows.length * frameSeconds)
    if (!this.#isFollowing) this.actions.viewed(this, first, count)
  }

  #showSound() {
    const { decoding, view } = this.sound
    this.concealed.show(decoding)
    const { note } = this.#parts
    note.hidden = !decoding.isOpen || this.inspection.report.frames > 0
    if (!note.hidden) setText(note, onlySound(this.inspection, decoding.container))
    this.update()
    // Without frames the audio itself determines the length.
    if (this.inspection.rows.length === 0 && (view.count === 0 || this.sound.showsAll)) {
      this.#view(0, decoding.seconds)
    }
  }

  /** Shows a frame, and moves the playhead there. */
  #pick(frame) {
    this.sound.seek(this.inspection.rows.time(frame))
    this.go(frame)
  }

  #goToTime(seconds) {
    const { rows } = this.inspection
    if (rows.length > 0) this.go(rows.indexAt(seconds + 1e-6))
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
      announce(`Type a frame from 0 to ${spaced(rows.length - 1)}, or a time such as 1:05.`,
        'assertive')
      return
    }
    this.#parts.goTo.removeAttribute('aria-invalid')
    this.go(frame, true)
  }

  /** Shows or hides the button that repairs the recording. */
  offerRepair(isOffered) { this.#parts.repair.hidden = !isOffered }

  async #repair() {
    const { repair } = this.#parts
    if (repair.ariaBusy === 'true') return
    repair.ariaBusy = 'true'
    replace(repair, icon('repair'), 'Repairing…')
    await this.actions.repair(this)
    repair.ariaBusy = 'false'
    replace(repair, icon('repair'), 'Repair')
  }

  async #copy(text) {
    if (await copy(text)) toast('The report was copied to the clipboard.')
    else toast('The browser did not allow copying.', { kind: 'error' })
  }
}

/** Returns the label for the faults of a file, and the kind of its badge. */
function outcome(report) {
  if (report.errors > 0) return [faultCounts(report), 'danger']
  if (report.warnings > 0) return [faultCounts(report), 'warning']
  if (report.faults.some(({ kind }) => kind === 'unfinished-recording')) return unfinishedBadge
  return [report.notes > 0 ? faultCounts(report) : 'No faults', 'good']
}

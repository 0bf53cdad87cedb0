// The recordings in the list of the library: their facts and actions, and the form to rename them.

import { h, icon, replace, setText, uniqueId, visible, withoutUnseen } from '../../dom.js'
import { ago, bitrate, channelCount, clock, count, frequency, size } from '../../format.js'
import {
  canInspect, canRepair, inspectAddress, recordingAddress, splitName, unfinishedBadge
} from '../recordings.js'
import { playButton, showPlayButton } from '../playback.js'
import { Wave } from './wave.js'

/** A recording in the list. `tools` has the `player`, the `changes` and the `thumbnails` of the library. */
export class Row {
  recording = null
  #tools
  #parts
  #wave
  #isRepairing = false

  constructor(tools) {
    const { changes, player } = tools
    this.#tools = tools
    const play = () => player.toggle(this.recording.name)
    this.#wave = new Wave({ play, seek: seconds => player.seek(this.recording.name, seconds) })
    const button = (picture, onclick) =>
      h('button', { class: 'quiet icon-only', onclick }, icon(picture))
    const parts = this.#parts = {
      play: playButton(play),
      name: h('h3', { class: 'recording-name' }),
      badges: h('span', { class: 'recording-badges' }),
      pieces: h('p', { class: 'recording-facts' }),
      problem: h('div', { class: 'recording-problem', hidden: true }),
      inspect: h('a', { class: 'button quiet recording-inspect' }, 'Inspect'),
      download: h('a', { class: 'button quiet icon-only' }, icon('download')),
      rename: button('edit', () => this.rename()),
      remove: button('trash', () => changes.remove(this.recording))
    }
    parts.title = h('div', { class: 'recording-title' }, parts.name, parts.badges)
    this.element = h('li', { class: 'recording', onkeydown: event => this.#key(event) },
      parts.play,
      h('div', { class: 'recording-main' }, parts.title, parts.pieces),
      this.#wave.element,
      h('div', { class: 'recording-actions' },
        parts.inspect, parts.download, parts.rename, parts.remove),
      parts.problem)
  }

  /** Shows a recording or its changes; an open form for its name stays open. */
  update(recording) {
    const before = this.recording
    this.recording = recording
    const { isBusy = false, isSilent = false, hasNoWave = false } = statusOf(recording)
    const parts = this.#parts
    if (before?.name !== recording.name) this.#showName(recording.name)
    this.element.dataset.status = recording.status
    renew(parts.badges, badges(recording),
      list => list.map(([word, kind]) => h('span', { class: `badge ${kind}` }, word)))
    this.#showPieces(recording)
    parts.pieces.title = new Date(recording.modified).toLocaleString()
    this.#showProblem(recording)
    parts.play.disabled = isSilent
    parts.rename.disabled = isBusy
    parts.remove.disabled = isBusy
    parts.download.hidden = isBusy
    parts.inspect.hidden = isBusy || !canInspect(recording)
    this.#wave.update(recording.seconds, isSilent)
    const { thumbnails } = this.#tools
    if (hasNoWave) thumbnails.unwatch(this.element)
    else thumbnails.watch(this.element, recording, levels => this.#wave.showLevels(levels))
  }

  /** Shows the state of the player for this recording; null if it plays another one. */
  showPlayer(player) {
    const state = player?.isPlaying ? 'playing' : player ? 'paused' : ''
    if (this.element.dataset.player !== state) {
      this.element.dataset.player = state
      this.#showPlayButton()
    }
    this.element.toggleAttribute('data-waiting', player?.isWaiting ?? false)
    this.#wave.showPlayer(player)
  }

  showProgress(seconds, bytes) { this.#showPieces({ ...this.recording, seconds, bytes }) }

  rename() {
    if (this.#parts.title.querySelector('form') || this.#parts.rename.disabled) return
    const close = () => {
      form.remove()
      this.#parts.name.hidden = false
      this.#parts.rename.focus()
    }
    const form = renameForm(this.recording.name, {
      save: name => this.#tools.changes.rename(this.recording, name), close
    })
    this.#parts.name.hidden = true
    this.#parts.title.prepend(form)
    const field = form.querySelector('input')
    field.focus()
    field.select()
  }

  /** Moves the focus to the delete button, after the neighboring row was deleted. */
  focusRemove() { this.#parts.remove.focus() }

  dispose() {
    this.#tools.thumbnails.unwatch(this.element)
    this.#wave.dispose()
    this.element.remove()
  }

  #showPieces(recording) {
    renew(this.#parts.pieces, pieces(recording), list => list.map(piece => [h('span', piece), ' ']))
  }

  #showName(name) {
    const parts = this.#parts
    const [stem, suffix] = splitName(name)
    const shown = visible(name)
    replace(parts.name, stem, h('span', { class: 'recording-suffix' }, suffix))
    parts.name.title = shown
    parts.inspect.href = inspectAddress(name)
    parts.inspect.setAttribute('aria-label', `Inspect ${shown}`)
    parts.download.href = `${recordingAddress(name)}?download`
    parts.download.setAttribute('download', withoutUnseen(name))
    const words = { download: 'Download', rename: 'Rename', remove: 'Delete' }
    for (const [part, word] of Object.entries(words)) {
      parts[part].setAttribute('aria-label', `${word} ${shown}`)
      parts[part].title = word
    }
    this.#wave.element.setAttribute('aria-label', `Position in ${shown}`)
    this.#showPlayButton()
  }

  #showPlayButton() {
    const isPlaying = this.element.dataset.player === 'playing'
    showPlayButton(this.#parts.play, isPlaying, this.recording.name)
  }

  #showProblem(recording) {
    const { problem } = this.#parts
    const { canRetry = false } = statusOf(recording)
    const { repairedName = null } = recording
    const offersRepair = canRepair(recording)
    problem.hidden = !recording.problem && !offersRepair && !repairedName
    const { changes } = this.#tools
    const hasFocus = problem.contains(document.activeElement)
    renew(problem, [recording.problem, repairedName, offersRepair, canRetry], () => [
      recording.problem && !repairedName && h('p', recording.problem),
      canRetry && h('p', { class: 'recording-repair' },
        h('button', { onclick: () => changes.retry(this.recording) }, 'Try again')),
      repairedName && h('p', { class: 'recording-repair' },
        h('button', {
          onclick: () => changes.remove(this.recording),
          'aria-label': `Delete the original ${visible(recording.name)}`
        }, icon('trash'), 'Delete the original'),
        h('span', `Repaired as “${visible(repairedName)}”.`)),
      offersRepair && h('p', { class: 'recording-repair' },
        h('button', { onclick: event => this.#repair(event.currentTarget) },
          icon('repair'), 'Repair'),
        h('span', 'Creates a new file with all the audio that can be recovered. '
          + 'The original is kept.'))
    ])
    // Not the button that deletes the original.
    if (hasFocus && !problem.contains(document.activeElement)) this.#parts.rename.focus()
  }

  async #repair(button) {
    if (this.#isRepairing) return
    this.#isRepairing = true
    replace(button, icon('repair'), 'Repairing…')
    button.setAttribute('aria-busy', 'true')
    await this.#tools.changes.repair(this.recording)
    this.#isRepairing = false
    button.removeAttribute('aria-busy')
    replace(button, icon('repair'), 'Repair')
  }

  #key(event) {
    if (event.target instanceof HTMLInputElement || event.defaultPrevented) return
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    if (event.key === 'F2') this.rename()
    else if (event.key === 'Delete' && !this.#parts.remove.disabled) {
      this.#tools.changes.remove(this.recording)
    } else return
    event.preventDefault()
  }
}

/** Rebuilds the content of an element if its values have changed. */
function renew(element, values, build) {
  const key = JSON.stringify(values)
  if (element.dataset.key === key) return
  element.dataset.key = key
  replace(element, build(values))
}

/** The restrictions of a file that is being written. */
const closed = { isBusy: true, isSilent: true, hasNoWave: true }

/**
 * The label of each status, the kinds of its badge, and the possible actions: a busy file cannot be changed, a
 * silent file has no audio to play, a file with `hasNoWave` has no waveform to request.
 */
const statuses = {
  fine: {},
  unknown: { word: 'Checking', kind: '', hasNoWave: true },
  recording: { word: 'Recording', kind: 'danger live', ...closed },
  growing: { word: 'Being written', kind: 'accent', ...closed },
  uploading: { word: 'Uploading', kind: 'accent', ...closed },
  unfinished: { word: unfinishedBadge[0], kind: unfinishedBadge[1] },
  damaged: { word: 'Damaged', kind: 'warning' },
  quarantined: {
    word: 'In quarantine', kind: 'danger', canRetry: true, isSilent: true, hasNoWave: true
  },
  unreadable: { word: 'Not readable', kind: 'danger', isSilent: true, hasNoWave: true }
}

const statusOf = recording => statuses[recording.status] ?? {}

/** Returns the badges of a recording: labels and their kinds. */
function badges(recording) {
  const { word, kind } = statusOf(recording)
  return [
    word && [word, kind], recording.gapCount > 0 && [count(recording.gapCount, 'gap'), 'warning']
  ].filter(Boolean)
}

/** Returns the properties of a recording as a list of texts. */
function pieces(recording) {
  return [
    ago(recording.modified), recording.seconds !== null && clock(recording.seconds),
    recording.format.toUpperCase(), recording.sampleRate > 0 && frequency(recording.sampleRate),
    recording.channels > 0 && channelCount(recording.channels),
    recording.bitrate > 0 && bitrate(recording.bitrate), size(recording.bytes)
  ].filter(Boolean)
}

/**
 * The form to rename a recording: Enter saves, Escape cancels. Only the part before the suffix can be changed,
 * because the suffix identifies the format. `save(name)` throws an error with a message if the name is
 * rejected; `close()` is called at the end.
 */
function renameForm(name, { save, close }) {
  const [stem, suffix] = splitName(name)
  const problemID = uniqueId('rename-problem')
  const field = h('input', {
    // Invisible characters could not be edited, and the server rejects them.
    type: 'text', value: withoutUnseen(stem), 'aria-label': `New name of ${name}`, 'aria-describedby': problemID,
    autocomplete: 'off', spellcheck: 'false', maxlength: '200'
  })
  const problem = h('p', { class: 'problem', id: problemID, role: 'alert' })
  const saveButton = h('button', { type: 'submit', class: 'primary' }, 'Save')

  async function submit(event) {
    event.preventDefault()
    const newStem = withoutSuffix(field.value.trim(), suffix)
    if (saveButton.disabled) return
    if (newStem + suffix === name) return close()
    if (newStem === '') return showError('A recording needs a name.')
    saveButton.disabled = true
    try {
      await save(newStem + suffix)
      close()
    } catch (error) {
      showError(error.message)
    }
    saveButton.disabled = false
  }

  function showError(message) {
    setText(problem, message)
    field.setAttribute('aria-invalid', 'true')
    field.focus()
  }

  return h('form', {
    class: 'rename', onsubmit: submit,
    onkeydown: event => {
      if (event.key !== 'Escape') return
      event.preventDefault()
      close()
    }
  },
  h('span', { class: 'rename-field' }, field, h('span', { class: 'recording-suffix' }, suffix)),
  h('span', { class: 'rename-buttons' }, saveButton,
    h('button', { class: 'quiet', onclick: close }, 'Cancel')),
  problem)
}

/** Returns the typed name, without the suffix if the user typed it. */
function withoutSuffix(text, suffix) {
  const hasSuffix = suffix !== '' && text.toLowerCase().endsWith(suffix.toLowerCase())
  return hasSuffix ? text.slice(0, -suffix.length).trimEnd() : text
}

// The Inspect view: the contents of an AAC file, frame by frame, or of two files side by side. Local files are
// read in the page, and never uploaded.

import { h, icon, replace, toast } from '../dom.js'
import { ago, clock, size } from '../format.js'
import { fileField, watchDrops } from './files.js'
import { showSummary } from './inspect/facts.js'
import { Inspection } from './inspect/inspection.js'
import { Side } from './inspect/side.js'
import {
  arranged, canInspect, canRepair, inspectAddress, inspectedName, request
} from './recordings.js'

const accepted = '.aac,.adts,.m4a,.m4b,.mp4,.mov,.latm,.loas,.3gp,.ts,audio/aac,'
  + 'audio/mp4,video/mp4,video/mp2t'

export const mount = (root, studio) => new InspectView(root, studio)

class InspectView {
  #studio
  #sides = []
  #opened = null
  #parts

  constructor(root, studio) {
    this.#studio = studio
    this.#parts = {
      tools: h('div', { class: 'toolbar inspect-tools' }),
      start: h('div', { class: 'empty inspect-drop' }),
      summary: h('div', { class: 'card inspect-summary', hidden: true }),
      sides: h('div', { class: 'inspect-sides' }),
      together: h('input', { type: 'checkbox' })
    }
    this.#parts.files = h('div', { class: 'inspect-files' }, this.#parts.summary, this.#parts.sides)
    replace(root, h('div', { class: 'stack' },
      h('header', { class: 'view-header' },
        h('div', null, h('h2', 'Inspect'),
          h('p', { class: 'hint' }, 'Files stay in this browser. Nothing is uploaded.')),
        this.#parts.tools),
      this.#parts.start, this.#parts.files))
    replace(this.#parts.start,
      h('p', { class: 'inspect-invitation' }, 'Drop an AAC or M4A file here, or two to compare.'),
      h('div', { class: 'row inspect-choices' }, ...this.#choices('primary')))
    watchDrops(root, (files, target) => this.#dropped(files, target))
    addEventListener('hashchange', () => this.#openNamed())
    this.#arrange()
  }

  shown() { this.#openNamed() }
  hidden() { for (const side of this.#sides) side.pause() }

  /** Opens the recording in the page's address, once. */
  #openNamed() {
    const name = inspectedName()
    if (name === this.#opened) return
    this.#opened = name
    if (name !== null) this.#put([{ name }], 0, this.#sides.length)
  }

  /** Creates the buttons to choose a file. */
  #choices(kind) {
    const field = fileField(files => this.#add(files), { accept: accepted })
    return [
      h('button', { class: kind, onclick: () => field.click() }, 'Choose a file…'),
      h('button', { onclick: () => this.#fromLibrary() }, 'From the library…'),
      field
    ]
  }

  async #fromLibrary() {
    const recording = await pickRecording(this.#studio)
    if (recording) this.#add([recording])
  }

  /** Adds files: a single file becomes the second side if there is a first one; two files replace all sides. */
  #add(sources) {
    if (sources.length === 0) return
    if (sources.length === 1 && this.#sides.length > 0) this.#put(sources, 1, 1)
    else this.#put(sources.slice(0, 2), 0, this.#sides.length)
    if (sources.length > 2) toast('At most two files can be compared. The others were ignored.')
  }

  #dropped(files, target) {
    const start = this.#sides.findIndex(side => side.element.contains(target))
    if (files.length === 1 && this.#sides.length === 2 && start >= 0) this.#put(files, start, 1)
    else this.#add(files)
  }

  /** Inspects files in place of `count` sides from index `start` on. */
  #put(sources, start, count) {
    const actions = {
      close: side => this.#close(side),
      changed: side => {
        this.#showSummary()
        this.#offerRepair(side)
      },
      moved: (side, seconds) => this.#moveOther(side, other => other.follow(seconds)),
      viewed: (side, first, count) => this.#moveOther(side, other => other.followView(first, count)),
      repair: side => this.#repair(side),
      // Only one file plays at a time.
      played: side => this.#others(side).forEach(other => other.pause())
    }
    const added = sources.map(source => new Side(new Inspection(source), actions))
    for (const side of added) side.plot.onScale = () => this.#shareScale()
    for (const old of this.#sides.splice(start, count, ...added)) old.dispose()
    this.#arrange()
  }

  /** Offers to repair a recording with faults if the library does. */
  async #offerRepair(side) {
    const { isLocal, report } = side.inspection
    if (isLocal || report.faults.length === 0) return
    try {
      const { recordings } = await this.#studio.get('/api/recordings')
      const recording = recordings.find(({ name }) => name === side.inspection.name)
      side.offerRepair(Boolean(recording) && canRepair(recording))
    } catch {
      // Without a connection, the page shows a banner.
    }
  }

  /** Creates a repaired file beside a damaged recording, and inspects it in its place. */
  async #repair(side) {
    try {
      const { name } = await request(this.#studio, 'recordings', side.inspection.name, 'repair')
      toast(`The repaired file is “${name}”.`, { kind: 'success' })
      const index = this.#sides.indexOf(side)
      if (index < 0) return
      if (this.#opened === side.inspection.name) {
        this.#opened = name
        history.replaceState(null, '', inspectAddress(name))
      }
      this.#put([{ name }], index, 1)
      this.#sides[index].element.querySelector('button')?.focus()
    } catch (error) {
      toast(error.message, { kind: 'error' })
    }
  }

  #close(side) {
    this.#sides = this.#others(side)
    side.dispose()
    this.#arrange()
    const next = this.#sides[0]?.element ?? this.#parts.start
    next.querySelector('button')?.focus()
  }

  /** Arranges the view for no file, one or two. */
  #arrange() {
    const count = this.#sides.length
    const { files, sides, start, tools } = this.#parts
    this.#sides.forEach((side, index) => {
      const there = sides.children[index] ?? null
      if (there !== side.element) sides.insertBefore(side.element, there)
    })
    files.dataset.count = String(count)
    start.hidden = count > 0
    tools.hidden = count === 0
    if (count === 0) replace(tools)
    else {
      replace(tools,
        count === 2 && h('label', { class: 'check' }, this.#parts.together, 'Move together'),
        h('span', { class: 'hint' }, count === 1 ? 'Compare with' : 'Replace the second with'),
        this.#choices(''),
        h('button', { class: 'quiet', onclick: () => this.#clear() },
          icon('close'), count === 1 ? 'Close' : 'Close both'))
    }
    this.#showSummary()
    this.#shareScale()
  }

  #clear() {
    for (const side of this.#sides) side.dispose()
    this.#sides = []
    this.#arrange()
    this.#parts.start.querySelector('button')?.focus()
  }

  #showSummary() {
    const inspections = this.#sides.map(side => side.inspection)
    showSummary(this.#parts.summary, inspections)
    this.#parts.summary.hidden = this.#parts.summary.childElementCount === 0
  }

  /** Moves the other file to the same time or period, if the files move together. */
  #moveOther(side, move) {
    if (this.#parts.together.checked) this.#others(side).forEach(move)
  }

  #others(side) { return this.#sides.filter(other => other !== side) }

  /** Draws both bitrates at the same scale, so that they are comparable. */
  #shareScale() {
    const limit = Math.max(0, ...this.#sides.map(side => side.plot.highest))
    for (const side of this.#sides) side.plot.setLimit(limit)
  }
}

/** The maximum number of listed recordings; the search finds the others. */
const limit = 100

/** Prompts the user for a recording of the studio's library; returns its entry, or null. */
function pickRecording(studio) {
  return new Promise(resolve => {
    let recordings = []
    const list = h('ul', { class: 'picker-list', role: 'list' })
    const search = h('input', {
      type: 'search', placeholder: 'Search', 'aria-label': 'Search the recordings by name',
      autocomplete: 'off', spellcheck: 'false', oninput: () => show()
    })
    const dialog = h('dialog', { class: 'picker', 'aria-label': 'Choose a recording' },
      h('div', { class: 'picker-header' }, h('h2', 'Choose a recording'),
        h('button', { class: 'quiet', onclick: () => dialog.close() }, 'Cancel')),
      search, list)
    let chosen = null
    dialog.addEventListener('close', () => {
      dialog.remove()
      resolve(chosen)
    })
    dialog.addEventListener('click', event => { if (event.target === dialog) dialog.close() })
    const show = () => {
      const found = arranged(recordings, search.value, 'newest')
      replace(list, found.slice(0, limit).map(recording => h('li', null, h('button', {
        class: 'quiet picker-entry',
        onclick: () => {
          chosen = recording
          dialog.close()
        }
      },
      h('span', { class: 'picker-name' }, recording.name),
      h('span', { class: 'hint' }, [
        ago(recording.modified), recording.seconds === null ? null : clock(recording.seconds),
        size(recording.bytes)
      ].filter(Boolean).join('  ·  '))))),
      found.length === 0 && h('li', { class: 'hint' }, search.value
        ? `No name contains “${search.value}”.`
        : 'There is no AAC recording in the library yet.'),
      found.length > limit && h('li', { class: 'hint' },
        `${found.length - limit} more; search for a part of the name.`))
    }
    replace(list, h('li', { class: 'hint' }, 'Reading the library…'))
    document.body.append(dialog)
    dialog.showModal()
    search.focus()
    studio.get('/api/recordings').then(library => {
      recordings = library.recordings.filter(recording =>
        canInspect(recording) && !['recording', 'growing', 'uploading'].includes(recording.status))
      show()
    }, error => replace(list, h('li', { class: 'problem', role: 'alert' }, error.message)))
  })
}

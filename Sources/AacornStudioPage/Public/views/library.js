// The Library view: the recordings on the studio's disk, with playback, renaming, repair and deletion.

import { announce, h, icon, replace, setText, showText, toast } from '../dom.js'
import { clock, count, shortPath, size } from '../format.js'
import { Changes } from './library/changes.js'
import { DeletedList, RecordingList } from './library/list.js'
import { Player } from './library/player.js'
import { Thumbnails } from './library/wave.js'
import { arranged, orders } from './recordings.js'

/** The minimum time between two requests for the list, in milliseconds. */
const minRequestInterval = 500
/** The interval in milliseconds for updating relative times such as “5 min ago”. */
const minute = 60_000
/** The delay in milliseconds between the last typed letter and the announcement of a search result. */
const typingTime = 700
/** The maximum number of listed names of unsupported files. */
const otherLimit = 5

export const mount = (root, studio) => new LibraryView(root, studio)

class LibraryView {
  #studio
  #library = null
  #revision = null
  /** The number of changes that this page has made to recordings. */
  #edition = 0
  #isShown = false
  #isLoading = false
  #isDue = false
  #searchTimer = 0
  #clockTimer = 0
  #lastProgress = 0
  #recordingName = null
  #player = new Player()
  #thumbnails
  #list
  #deleted
  #parts

  constructor(root, studio) {
    this.#studio = studio
    this.#thumbnails = new Thumbnails(studio)
    const changes = new Changes(studio, {
      replace: (name, entry) => this.#replaceEntry(name, entry),
      reload: () => this.#reload(), play: name => this.#player.play(name)
    })
    this.#list = new RecordingList({ player: this.#player, changes, thumbnails: this.#thumbnails })
    this.#deleted = new DeletedList(changes)
    this.#build(root)
    this.#player.addEventListener('change', event => this.#playerChanged(event.detail))
    studio.addEventListener('library', () => this.#load())
    studio.addEventListener('state', () => this.#recordingChanged())
    studio.addEventListener('meter', event => this.#showProgress(event.detail))
    studio.addEventListener('connection', event => {
      // A restarted studio counts its revisions from the beginning, so an equal revision may be a different
      // list.
      if (event.detail) this.#reload()
    })
  }

  #build(root) {
    const search = h('input', {
      type: 'search', 'aria-label': 'Search the recordings by name', placeholder: 'Search',
      autocomplete: 'off', spellcheck: 'false', oninput: () => this.#search()
    })
    const order = h('select', { 'aria-label': 'Order', onchange: () => this.#show(true) },
      Object.entries(orders).map(([key, { title }]) => h('option', { value: key }, title)))
    const parts = this.#parts = {
      search, order,
      tools: h('div', { class: 'library-tools', role: 'search', hidden: true }, search, order),
      totals: h('p', { class: 'library-totals' }),
      folder: h('p', { class: 'small muted clip', hidden: true }),
      others: h('p', { class: 'library-others small muted', hidden: true }),
      message: h('div', { class: 'library-message' },
        h('p', { class: 'empty' }, 'Reading the library…'))
    }
    replace(root, h('div', { class: 'stack' },
      h('header', { class: 'view-header' },
        h('div', { class: 'grow' }, h('h2', 'Library'), parts.totals, parts.folder), parts.tools),
      parts.message, this.#list.element, parts.others, this.#deleted.element))
  }

  shown() {
    this.#isShown = true
    this.#show()
    this.#load()
    this.#clockTimer = setInterval(() => {
      if (!document.hidden) this.#show()
    }, minute)
  }

  hidden() {
    this.#isShown = false
    clearInterval(this.#clockTimer)
  }

  /** Fetches the list if it is visible and has changed; never twice at the same time. */
  async #load() {
    if (!this.#isShown) return
    const revision = this.#studio.library?.revision
    if (this.#library && revision !== undefined && revision === this.#revision) return
    if (this.#isLoading) {
      this.#isDue = true
      return
    }
    this.#isLoading = true
    this.#isDue = false
    const edition = this.#edition
    try {
      const library = await this.#studio.get('/api/recordings')
      if (edition === this.#edition) {
        this.#library = library
        this.#revision = library.revision
        this.#show()
      } else {
        // This page has changed a recording in the meantime, and the response may not include the change.
        this.#revision = null
        this.#isDue = true
      }
    } catch (error) {
      this.#revision = null
      // Without a connection the page shows a banner, and the last list stays visible.
      if (error.status || !this.#library) this.#complain(error.message)
    }
    setTimeout(() => {
      this.#isLoading = false
      if (this.#isDue) this.#load()
    }, minRequestInterval)
  }

  #reload() {
    this.#revision = null
    this.#load()
  }

  #show(isNew = false) {
    if (!this.#library) return
    const { recordings, deleted } = this.#library
    const search = this.#parts.search.value.trim()
    const shown = arranged(recordings, search, this.#parts.order.value)
    this.#list.show(shown, isNew)
    this.#deleted.show(deleted ?? [])
    this.#parts.tools.hidden = recordings.length === 0
    showText(this.#parts.others, unsupportedFilesMessage(this.#library))
    this.#showTotals(shown, search)
    const { message } = this.#parts
    const key = recordings.length === 0 ? 'empty' : shown.length === 0 ? `none ${search}` : ''
    if (message.dataset.key === key) return
    message.dataset.key = key
    if (key === 'empty') replace(message, this.#emptyState())
    else if (key) replace(message, h('p', { class: 'empty' }, `No name contains “${search}”.`))
    else replace(message)
  }

  #showTotals(shown, search) {
    const { recordings, freeBytes, folder } = this.#library
    const parts = []
    if (recordings.length > 0) {
      const all = count(recordings.length, 'recording')
      parts.push(search ? `${shown.length} of ${all}` : all)
    }
    if (shown.length > 0) {
      // The row of the current recording shows newer values than the list.
      const finished = shown.filter(recording => recording.status !== 'recording')
      const sum = key => finished.reduce((total, recording) => total + (recording[key] ?? 0), 0)
      if (sum('seconds') > 0) parts.push(clock(sum('seconds')))
      if (finished.length > 0) parts.push(size(sum('bytes')))
    }
    if (freeBytes > 0) parts.push(`${size(freeBytes)} free on the disk`)
    setText(this.#parts.totals, parts.join('  ·  '))
    // An empty library shows the folder in its center.
    showText(this.#parts.folder, folder && recordings.length > 0 && `In ${shortPath(folder)}`)
    this.#parts.folder.title = folder ?? ''
  }

  #emptyState() {
    return h('div', { class: 'empty' },
      h('p', 'There are no recordings yet.'),
      h('p', { class: 'hint', title: this.#library.folder },
        `Recordings are saved in ${shortPath(this.#library.folder)}.`),
      h('p', null, h('a', { class: 'button primary', href: '#record' }, icon('mic'), 'Record')))
  }

  #complain(message) {
    this.#parts.message.dataset.key = 'problem'
    replace(this.#parts.message, h('div', { class: 'empty', role: 'alert' }, h('p', message),
      h('p', null, h('button', { onclick: () => this.#reload() }, 'Try again'))))
  }

  #search() {
    this.#show(true)
    clearTimeout(this.#searchTimer)
    this.#searchTimer = setTimeout(() => announce(this.#parts.totals.textContent), typingTime)
  }

  #playerChanged(name) {
    this.#list.showPlayer(name)
    if (this.#player.name !== name || !this.#player.problem) return
    const { problem } = this.#player
    this.#player.unload(name)
    toast(problem, { kind: 'error', seconds: 10 })
  }

  /** Requests the list when a recording starts or ends, which the server may report later. */
  #recordingChanged() {
    const name = this.#studio.state?.recording?.name ?? null
    if (name === this.#recordingName) return
    this.#recordingName = name
    this.#reload()
  }

  /** Updates the duration and size of the current recording once a second. */
  #showProgress({ seconds, bytes }) {
    const now = performance.now()
    const name = this.#studio.state?.recording?.name
    if (!this.#isShown || !name || now - this.#lastProgress < 1000) return
    this.#lastProgress = now
    this.#list.row(name)?.showProgress(seconds, bytes)
  }

  /** Replaces or removes a recording in the list before the server's list arrives. */
  #replaceEntry(name, entry) {
    this.#edition += 1
    const { recordings } = this.#library
    const index = recordings.findIndex(recording => recording.name === name)
    this.#player.unload(name)
    if (index < 0) return
    if (entry) {
      this.#thumbnails.renamed(recordings[index], entry.name)
      recordings[index] = entry
      this.#list.renamed(name, entry.name)
      this.#show()
      return
    }
    const hadFocus = this.#list.row(name)?.element.contains(document.activeElement)
    const neighbor = this.#list.neighbor(name)
    recordings.splice(index, 1)
    this.#show()
    if (hadFocus && neighbor) neighbor.focusRemove()
    else if (hadFocus) document.getElementById('main')?.focus()
  }
}

/** Describes the files with audio or video that the library does not support; empty if there are none. */
function unsupportedFilesMessage({ otherCount = 0, others = [] }) {
  if (otherCount === 0) return ''
  const names = others.slice(0, otherLimit)
  const rest = otherCount - names.length
  if (rest > 0) names.push(`${rest} more`)
  const last = names.pop()
  const list = names.length > 0 ? `${names.join(', ')} and ${last}` : last
  const start = otherCount === 1
    ? '1 file in the folder has another format and is not shown'
    : `${otherCount} files in the folder have other formats and are not shown`
  return `${start}: ${list}. The library supports M4A, AAC, LATM, WAV, AIFF and CAF.`
}

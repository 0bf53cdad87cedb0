import { h, replace, setText, showText } from '../../dom.js'
import { ago, count, size } from '../../format.js'
import { Row } from './row.js'

/** The number of rows created at a time; more are created when the end of the list becomes visible. */
const chunk = 100

/**
 * The list of recordings. A row exists as long as its recording, so that the focus, an open form, the scroll
 * position and playback survive changes of other rows. `tools` has the `player`, the `changes` and the
 * `thumbnails` of the library.
 */
export class RecordingList {
  #tools
  #rows = new Map()
  #recordings = []
  #limit = chunk
  #list = h('ul', { class: 'recordings', role: 'list' })
  #more

  constructor(tools) {
    this.#tools = tools
    this.#more = h('button',
      { class: 'quiet recordings-more', hidden: true, onclick: () => this.#showMore(true) })
    new IntersectionObserver(entries => {
      if (entries.some(entry => entry.isIntersecting)) this.#showMore(false)
    }, { rootMargin: '800px' }).observe(this.#more)
    this.element = h('div', null, this.#list, this.#more)
  }

  /** Shows these recordings in this order. `isNew` shows only the first ones again. */
  show(recordings, isNew = false) {
    this.#recordings = recordings
    if (isNew) this.#limit = chunk
    this.#arrange()
  }

  /** Renames a recording, and keeps its row. */
  renamed(before, after) {
    const row = this.#rows.get(before)
    if (!row || this.#rows.has(after)) return
    this.#rows.delete(before)
    this.#rows.set(after, row)
    row.update({ ...row.recording, name: after })
  }

  /** Shows the state of the player in the affected row. */
  showPlayer(name) {
    const { player } = this.#tools
    this.#rows.get(name)?.showPlayer(player.name === name ? player : null)
  }

  row(name) { return this.#rows.get(name) }

  /** Returns the row after this one, or the row before it if it is the last. */
  neighbor(name) {
    const index = this.#recordings.findIndex(recording => recording.name === name)
    const other = this.#recordings[index + 1] ?? this.#recordings[index - 1]
    return this.#rows.get(other?.name)
  }

  #arrange() {
    const shown = this.#recordings.slice(0, this.#limit)
    const names = new Set(shown.map(recording => recording.name))
    const focused = document.activeElement
    for (const [name, row] of this.#rows) {
      if (names.has(name)) continue
      row.dispose()
      this.#rows.delete(name)
    }
    let next = this.#list.firstElementChild
    for (const recording of shown) {
      let row = this.#rows.get(recording.name)
      const isNew = !row
      row ??= new Row(this.#tools)
      row.update(recording)
      if (isNew) {
        this.#rows.set(recording.name, row)
        if (this.#tools.player.name === recording.name) this.showPlayer(recording.name)
      }
      // Move only misplaced rows, since moving a row removes its focus.
      if (row.element === next) next = next.nextElementSibling
      else this.#list.insertBefore(row.element, next)
    }
    if (focused !== document.activeElement && focused?.isConnected) {
      focused.focus({ preventScroll: true })
    }
    const rest = this.#recordings.length - shown.length
    showText(this.#more, rest > 0 && `Show more (${rest} left)`)
  }

  #showMore(isAsked) {
    if (this.#more.hidden) return
    const last = this.#list.lastElementChild
    this.#limit += chunk
    this.#arrange()
    if (isAsked) last?.nextElementSibling?.querySelector('button')?.focus()
  }
}

/**
 * The deleted files that can still be restored by `changes`. Erasing a file permanently requires two clicks.
 */
export class DeletedList {
  #changes
  #key = ''
  #asked = null
  #entries = []
  #summary = h('summary')
  #list = h('ul', { class: 'deleted-list', role: 'list' })

  constructor(changes) {
    this.#changes = changes
    this.element = h('details', { class: 'deleted', hidden: true }, this.#summary,
      h('p', { class: 'hint' }, 'Deleted files are erased after 7 days.'),
      this.#list)
  }

  show(entries) {
    this.#entries = entries
    const key = JSON.stringify([entries, this.#asked])
    if (key === this.#key) return
    this.#key = key
    this.element.hidden = entries.length === 0
    setText(this.#summary, `Deleted (${count(entries.length, 'file')})`)
    const focused = document.activeElement?.closest?.('.deleted-list li')
    // Keep the focus on the button at the same index, so that a second press where “Erase…” was does not erase.
    const index = [...focused?.querySelectorAll('button') ?? []].indexOf(document.activeElement)
    replace(this.#list, entries.map(entry => this.#line(entry)))
    if (!focused) return
    const line = [...this.#list.children].find(line => line.dataset.id === focused.dataset.id)
    const target = line?.querySelectorAll('button')[index]
      ?? this.#list.querySelector('button') ?? document.getElementById('main')
    target.focus()
  }

  #line(entry) {
    const isAsked = this.#asked === entry.id
    const button = (text, kind, onclick) =>
      h('button', { class: kind, 'aria-label': `${text} ${entry.name}`, onclick }, text)
    const buttons = isAsked
      ? [
          button('Erase permanently', 'danger', () => {
            this.#ask(null)
            this.#changes.erase(entry)
          }),
          button('Keep', 'quiet', () => this.#ask(null))
        ]
      : [
          button('Restore', '', () => this.#changes.restore(entry)),
          button('Erase…', 'quiet', () => this.#ask(entry.id))
        ]
    return h('li', { class: 'deleted-entry', 'data-id': entry.id },
      h('span', { class: 'deleted-name' }, entry.name),
      h('span', { class: 'deleted-facts' },
        isAsked
          ? 'This cannot be undone.'
          : `${size(entry.bytes)}  ·  deleted ${ago(entry.deletedAt)}`),
      h('span', { class: 'deleted-actions' }, buttons))
  }

  #ask(id) {
    this.#asked = id
    this.show(this.#entries)
  }
}

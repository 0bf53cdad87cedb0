import { h, setText } from '../../dom.js'
import { Row } from './row.js'

/** Rows that are made at once; more are made when the end of the list comes into view. */
const chunk = 100

/**
 * The list of recordings. Rows are kept as long as their recordings are there, so that the focus,
 * an open field, the place in the page and what plays outlive every change elsewhere.
 */
export class RecordingList {
  #actions
  #rows = new Map()
  #recordings = []
  #limit = chunk
  #list = h('ul', { class: 'recordings', role: 'list' })
  #more
  #player = null

  constructor(actions) {
    this.#actions = actions
    this.#more = h('button', {
      type: 'button', class: 'quiet recordings-more', hidden: true,
      onclick: () => this.#showMore(true)
    })
    new IntersectionObserver(entries => {
      if (entries.some(entry => entry.isIntersecting)) this.#showMore(false)
    }, { rootMargin: '800px' }).observe(this.#more)
    this.element = h('div', null, this.#list, this.#more)
  }

  /** Shows these recordings in this order. `isNew` begins again with the first ones. */
  show(recordings, isNew = false) {
    this.#recordings = recordings
    if (isNew) this.#limit = chunk
    this.#arrange()
  }

  /** A recording got another name, but its row stays the same. */
  renamed(before, after) {
    const row = this.#rows.get(before)
    if (!row || this.#rows.has(after)) return
    this.#rows.delete(before)
    this.#rows.set(after, row)
    row.update({ ...row.recording, name: after })
  }

  /** Shows what the player does in the row concerned. */
  showPlayer(player, name) {
    this.#player = player
    this.#rows.get(name)?.showPlayer(player.name === name ? player : null)
  }

  row(name) {
    return this.#rows.get(name)
  }

  /** The row after this one, or before it if it is the last. */
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
      row ??= new Row(this.#actions)
      row.update(recording)
      if (isNew) {
        this.#rows.set(recording.name, row)
        if (this.#player?.name === recording.name) row.showPlayer(this.#player)
      }
      // Only a row that is out of place is moved: moving takes the focus away.
      if (row.element === next) next = next.nextElementSibling
      else this.#list.insertBefore(row.element, next)
    }
    if (focused !== document.activeElement && focused?.isConnected) {
      focused.focus({ preventScroll: true })
    }
    const rest = this.#recordings.length - shown.length
    this.#more.hidden = rest <= 0
    setText(this.#more, `Show more (${rest} left)`)
  }

  #showMore(isAsked) {
    if (this.#more.hidden) return
    const last = this.#list.lastElementChild
    this.#limit += chunk
    this.#arrange()
    if (isAsked) last?.nextElementSibling?.querySelector('button')?.focus()
  }
}

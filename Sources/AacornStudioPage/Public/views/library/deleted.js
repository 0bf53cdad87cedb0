import { h, replace, setText } from '../../dom.js'
import { ago, count, size } from '../../format.js'

/**
 * The deleted files that can still be restored. `actions` has `restore` and `erase`, both called with an entry
 * of the server's list. Erasing a file permanently requires two clicks.
 */
export class DeletedList {
  #actions
  #key = ''
  #asked = null
  #entries = []
  #summary = h('summary')
  #list = h('ul', { class: 'deleted-list', role: 'list' })

  constructor(actions) {
    this.#actions = actions
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
            this.#actions.erase(entry)
          }),
          button('Keep', 'quiet', () => this.#ask(null))
        ]
      : [
          button('Restore', '', () => this.#actions.restore(entry)),
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

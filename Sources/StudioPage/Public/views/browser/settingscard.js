// A card of settings, which is folded where everything stands in one column.

import { h, setText, uniqueId } from '../../dom.js'

const oneColumn = matchMedia('(max-width: 860px)')

/** Makes the card; `content` has `element` and `words()`, which say what is chosen. */
export function settingsCard(title, content, note) {
  const chosen = h('span', { class: 'hint settings-chosen' })
  const id = uniqueId('settings')
  const element = h('details', { class: 'card settings-card', 'aria-labelledby': id },
    h('summary', h('h2', { id }, title), chosen),
    note && h('p', { class: 'hint' }, note), content.element)
  const fold = () => { element.open = !oneColumn.matches }
  const show = () => setText(chosen, content.words())
  element.addEventListener('change', show)
  oneColumn.addEventListener('change', fold)
  fold()
  show()
  return element
}

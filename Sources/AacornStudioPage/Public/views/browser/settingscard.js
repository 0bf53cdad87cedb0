// A card of settings, which is folded where everything stands in one column.

import { h, setText, uniqueId } from '../../dom.js'

const oneColumn = matchMedia('(max-width: 860px)')

/** Makes the card; `content` has `element` and `words()`, which say what is chosen. */
export function settingsCard(title, content, note) {
  const chosen = h('span', { class: 'hint settings-chosen' })
  const id = uniqueId('settings')
  const summary = h('summary', h('h2', { id }, title), chosen)
  const element = h('details', { class: 'card settings-card', 'aria-labelledby': id },
    summary, note && h('p', { class: 'hint' }, note), content.element)
  let isChosen = false
  const fold = () => { if (!isChosen) element.open = !oneColumn.matches }
  const show = () => setText(chosen, content.words())
  element.addEventListener('change', show)
  oneColumn.addEventListener('change', fold)
  // Who has it otherwise than it would be has chosen, and it is left so at any width; it is folded
  // or unfolded only after the click.
  summary.addEventListener('click', () => { isChosen = element.open !== oneColumn.matches })
  fold()
  show()
  return element
}

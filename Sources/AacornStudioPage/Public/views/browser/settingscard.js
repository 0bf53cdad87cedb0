// A card of settings, which is collapsed in a single-column layout.

import { h, setText, uniqueId } from '../../dom.js'

const oneColumn = matchMedia('(max-width: 860px)')

/** Creates the card; `content` has `element` and `words()`, which returns a summary of the settings. */
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
  // A user who opens or closes the card has chosen, and the choice is kept at any width. The browser changes
  // `element.open` only after this event.
  summary.addEventListener('click', () => { isChosen = element.open !== oneColumn.matches })
  fold()
  show()
  return element
}

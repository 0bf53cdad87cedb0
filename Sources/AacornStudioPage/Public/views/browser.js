// The Convert view: files and the browser's microphone, encoded in the page.

import { h, setText, uniqueId } from '../dom.js'
import { settingsForm } from './record/controls.js'
import { codingChoice } from './browser/coding.js'
import { converter } from './browser/converter.js'
import { encoderModule, samplesModule } from './browser/modules.js'
import { storedRecordings } from './browser/stored.js'
import { recorder } from './browser/recorder.js'
import { listenForKeys } from './transport.js'

const oneColumn = matchMedia('(max-width: 860px)')

export function mount(root) {
  const coding = codingChoice({ onpreset: fields => microphone.input.fill(fields) })
  const kept = storedRecordings()
  const microphone = recorder({
    coding,
    onrecorded: (entry, upload) => (entry ? kept.add(entry, upload) : kept.refresh())
  })
  const files = converter(root, { coding })
  const settings = settingsForm(
    settingsCard('Encoding', coding, 'For files and for the microphone.'),
    settingsCard('Input', microphone.input))
  root.append(h('div', { class: 'browser' },
    h('h2', { class: 'visually-hidden' }, 'Convert'),
    files.element, microphone.element, microphone.audioCard, kept.element, settings))
  listenForKeys(() => !root.hidden, microphone.press)
  encoderModule()
  samplesModule()
  kept.refresh()
  return { shown() { kept.refresh() }, hidden() { microphone.hidden() } }
}

/**
 * Creates a card of settings, which is collapsed in a single-column layout; `content` has `element` and
 * `words()`, which returns a summary of the settings.
 */
function settingsCard(title, content, note) {
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

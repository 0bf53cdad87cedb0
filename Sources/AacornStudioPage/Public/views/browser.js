// The Convert view: files and the browser's microphone, encoded in the page.

import { h } from '../dom.js'
import { settingsForm } from './record/controls.js'
import { codingChoice } from './browser/coding.js'
import { converter } from './browser/converter.js'
import { encoderModule, samplesModule } from './browser/modules.js'
import { storedRecordings } from './browser/stored.js'
import { recorder } from './browser/recorder.js'
import { settingsCard } from './browser/settingscard.js'
import { listenForKeys } from './transport.js'

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

// The Convert view: files and the browser's microphone, encoded in the page.

import { h, setText, uniqueId } from '../dom.js'
import { bitrate } from '../format.js'
import { check, recall, remember, settingsForm } from './record/controls.js'
import { converter } from './browser/converter.js'
import { encoderModule, samplesModule } from './browser/modules.js'
import { storedRecordings } from './browser/result.js'
import { recorder } from './browser/recorder.js'
import { listenForKeys } from './transport.js'
import { codingFields, profileName } from './coding.js'

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

const formats = {
  m4a: ['M4A', 'AAC in an MP4 file, with exact length. It plays everywhere.'],
  aac: ['AAC', 'AAC as a stream (ADTS), as used by radio stations.']
}
/** The names of the rate controls for the encoder, by the names for the studio. */
const rateControls = { cbr: 'constant', abr: 'average', vbr: 'variable' }

/**
 * Creates `{element, options(), words()}`; the settings are stored in this browser. `onpreset` is called with
 * the fields of a preset, some of which belong to the microphone.
 */
function codingChoice({ onpreset }) {
  const onchange = () => {
    show()
    remember('conversion', { ...coding.settings(), takesTags: tags.input.checked })
  }
  const coding = codingFields({
    formats, onchange, onpreset, isPerChannel: true,
    note: ' Files keep their own rate and channels, with this bitrate per channel.'
  })
  const tags = check('Tags from the name', { onchange }, h('p', { class: 'hint' },
    'For files: “Artist – Title.wav” sets both. Recordings get their name as the title.'))
  const element = h('div', { class: 'stack' }, coding.main, coding.more, tags.element)

  function show() {
    coding.show()
    tags.element.hidden = coding.settings().format !== 'm4a'
  }

  const kept = recall('conversion') ?? {}
  coding.restore(kept)
  tags.input.checked = Boolean(kept.takesTags)
  show()

  return {
    element,
    words() {
      const { format, mode, bitrate: rate, quality, profile } = coding.settings()
      const amount = mode === 'vbr' ? `quality ${quality}`
        : rate > 0 ? `${bitrate(rate)} per channel` : 'automatic bitrate'
      const words = [formats[format][0], amount, rateControls[mode]]
      // Omit AAC-LC, the choice of nearly all users.
      if (profile !== 'lc') words.splice(1, 0, profileName(profile))
      return words.join(' · ')
    },
    /** Returns the options for an encoder with the bitrate per channel, and whether to set tags. */
    options() {
      const { format, mode, bitrate, quality, effort, profile } = coding.settings()
      return {
        container: format === 'm4a' ? 'm4a' : 'adts', effort, profile,
        rateControl: { [rateControls[mode]]: mode === 'vbr' ? quality : bitrate },
        takesTags: tags.input.checked && format === 'm4a'
      }
    }
  }
}

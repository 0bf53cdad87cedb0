// The encoding settings, for the microphone and for files.

import { h } from '../../dom.js'
import { bitrate } from '../../format.js'
import { codingFields, profileName } from '../coding.js'
import { check, recall, remember } from '../record/controls.js'

const formats = {
  m4a: ['M4A', 'AAC in an MP4 file, with exact length. It plays everywhere.'],
  aac: ['AAC', 'AAC as a stream (ADTS), as used by radio stations.']
}
/** The names of the rate controls for the encoder, by the names for the studio. */
const rateControls = { cbr: 'constant', abr: 'average', vbr: 'variable' }

/** The suffix of a file's name. */
export const endingOf = container => (container === 'm4a' ? 'm4a' : 'aac')

/**
 * Creates `{element, options(), words()}`; the settings are stored in this browser. `onpreset` is called with
 * the fields of a preset, some of which belong to the microphone.
 */
export function codingChoice({ onpreset }) {
  const onchange = () => {
    show()
    remember('browser-coding', { ...coding.settings(), takesTags: tags.input.checked })
  }
  const coding = codingFields({
    formats, note: ' Files keep their own rate and channels.', onchange, onpreset
  })
  const tags = check('Tags from the name', { onchange }, h('p', { class: 'hint' },
    'For files: “Artist – Title.wav” sets both. Recordings get their name as the title.'))
  const element = h('div', { class: 'stack' }, coding.main, coding.more, tags.element)

  function show() {
    coding.show()
    tags.element.hidden = coding.settings().format !== 'm4a'
  }

  const kept = recall('browser-coding') ?? {}
  coding.restore(kept)
  tags.input.checked = Boolean(kept.takesTags)
  show()

  return {
    element,
    words() {
      const { format, mode, bitrate: rate, quality, profile } = coding.settings()
      const amount = mode === 'vbr' ? `quality ${quality}` : bitrate(rate)
      const words = [formats[format][0], amount, rateControls[mode]]
      // Omit AAC-LC, the choice of nearly all users.
      if (profile !== 'lc') words.splice(1, 0, profileName(profile))
      return words.join(' · ')
    },
    /** Returns the options for an encoder, and whether to set tags. */
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

// The encoding settings, for the microphone and for files.

import { h, setText } from '../../dom.js'
import { bitrate } from '../../format.js'
import { check, field, segments, select } from '../record/controls.js'
import { recall, remember } from '../record/memory.js'
import { presetChoice } from '../record/presets.js'
import { profileChoice, profileName } from '../record/profile.js'

const formats = {
  m4a: 'AAC in an MP4 file, with exact length. It plays everywhere.',
  adts: 'AAC as a stream (ADTS), as used by radio stations.'
}
const modes = {
  constant: 'A constant bitrate, for live streams.',
  average: 'The bitrate on average over a few seconds.',
  variable: 'A constant quality; the bitrate varies with the audio.'
}
const bitrates = [16, 24, 32, 48, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
const defaults = {
  container: 'm4a', mode: 'constant', bitrate: 128_000, quality: 3, effort: 'balanced',
  profile: 'lc', takesTags: false
}

/** The suffix of a file's name. */
export const endingOf = container => (container === 'm4a' ? 'm4a' : 'aac')

/**
 * Creates `{element, options(), words()}`; the settings are stored in this browser. `onpreset` is called with
 * the fields of a preset, some of which belong to the microphone.
 */
export function codingChoice({ onpreset }) {
  const onchange = () => {
    show()
    remember('browser-coding', chosen())
  }
  const formatHint = h('p', { class: 'hint' })
  const format = segments('Format', [['m4a', 'M4A'], ['adts', 'AAC']], { onchange })
  format.element.append(formatHint)
  const preset = presetChoice({ onchange: fill, note: ' Files keep their own rate and channels.' })
  const modeHint = h('p', { class: 'hint' })
  const mode = segments('Rate control', [
    ['constant', 'Constant'], ['average', 'Average'], ['variable', 'Variable']
  ], { onchange })
  mode.element.append(modeHint)
  const rate = select(bitrates.map(value => [value * 1000, bitrate(value * 1000)]), { onchange })
  const rateField = field('Bitrate', rate)
  const quality = segments('Quality', [
    [1, '1', 'Smallest'], [2, '2'], [3, '3', 'Default'], [4, '4'], [5, '5', 'Best']
  ], { onchange })
  const effort = segments('Effort', [
    ['fast', 'Fast'], ['balanced', 'Balanced'], ['best', 'Best']
  ], { onchange })
  const profile = profileChoice({ onchange })
  const tagsHint = h('p', { class: 'hint' },
    'For files: “Artist – Title.wav” sets both. Recordings get their name as the title.')
  const tags = check('Tags from the name', { onchange }, tagsHint)
  const element = h('div', { class: 'stack' },
    format.element, preset.element, mode.element, rateField, quality.element, profile.element,
    effort.element, tags.element)

  function chosen() {
    return {
      container: format.value, mode: mode.value, bitrate: Number(rate.value),
      quality: Number(quality.value), effort: effort.value, profile: profile.value,
      takesTags: tags.input.checked
    }
  }

  function fill(fields) {
    mode.value = 'constant'
    rate.value = String(fields.bitrate)
    profile.value = fields.profile
    onchange()
    onpreset(fields)
  }

  function show() {
    preset.show(mode.value === 'constant' ? chosen() : null)
    setText(formatHint, formats[format.value] ?? '')
    setText(modeHint, modes[mode.value] ?? '')
    rateField.hidden = mode.value === 'variable'
    quality.element.hidden = mode.value !== 'variable'
    tags.element.hidden = format.value !== 'm4a'
  }

  const kept = { ...defaults, ...recall('browser-coding') }
  format.value = kept.container
  mode.value = kept.mode
  rate.value = String(kept.bitrate)
  quality.value = kept.quality
  effort.value = kept.effort
  profile.value = kept.profile
  tags.input.checked = kept.takesTags
  show()

  return {
    element,
    words() {
      const { container, mode, bitrate: rate, quality, profile } = chosen()
      const amount = mode === 'variable' ? `quality ${quality}` : bitrate(rate)
      const words = [container === 'm4a' ? 'M4A' : 'AAC', amount, mode]
      // Omit AAC-LC, the choice of nearly all users.
      if (profile !== 'lc') words.splice(1, 0, profileName(profile))
      return words.join(' · ')
    },
    /** Returns the options for an encoder, and whether to set tags. */
    options() {
      const { container, mode, bitrate, quality, effort, profile, takesTags } = chosen()
      return {
        container, effort, profile,
        rateControl: mode === 'variable' ? { variable: quality } : { [mode]: bitrate },
        takesTags: takesTags && container === 'm4a'
      }
    }
  }
}

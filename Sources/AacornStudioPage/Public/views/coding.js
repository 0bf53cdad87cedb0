// The encoding settings that the studio's recorder and this browser share.

import { h, setText } from '../dom.js'
import { bitrate } from '../format.js'
import { choose, field, segments, select } from './record/controls.js'
import { presetChoice, profileChoice } from './record/presets.js'

const modes = {
  cbr: ['Constant', 'A constant bitrate, for live streams.'],
  abr: ['Average', 'The bitrate on average over a few seconds.'],
  vbr: ['Variable', 'A constant quality; the bitrate varies with the audio.']
}
const bitrates = [16, 24, 32, 48, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
const defaults = {
  format: 'm4a', mode: 'cbr', bitrate: 128_000, quality: 3, effort: 'balanced', profile: 'lc'
}

/** Whether the encoder produces a format. */
export const isEncoded = format => format === 'm4a' || format === 'aac'

/**
 * Creates `{main, more, settings(), restore(settings), show(input)}`; `main` and `more` are lists of elements.
 * `formats` has a name and a hint for each format. `onchange` is called after every change, and calls `show` with
 * the settings of the input that belong to a preset. `onpreset` is called before, with the fields of a preset.
 */
export function codingFields({ formats, note, onchange, onpreset }) {
  const format = describedSegments('Format', formats, onchange)
  const preset = presetChoice({ onchange: fill, note })
  const mode = describedSegments('Rate control', modes, onchange)
  const rate = select(bitrates.map(value => [value * 1000, bitrate(value * 1000)]), { onchange })
  const rateField = field('Bitrate', rate)
  const quality = segments('Quality', [
    [1, '1', 'Smallest'], [2, '2'], [3, '3', 'Default'], [4, '4'], [5, '5', 'Best']
  ], { onchange })
  const effort = segments('Effort', [
    ['fast', 'Fast'], ['balanced', 'Balanced'], ['best', 'Best']
  ], { onchange })
  const profile = profileChoice({ onchange })

  /** Returns all settings, also for storage in the browser. */
  function settings() {
    return {
      format: format.value, mode: mode.value, bitrate: Number(rate.value),
      quality: Number(quality.value), effort: effort.value, profile: profile.value
    }
  }

  function restore(settings) {
    const value = key => settings[key] || defaults[key]
    format.value = value('format')
    mode.value = value('mode')
    choose(rate, value('bitrate'), bitrate(Number(value('bitrate'))))
    quality.value = value('quality')
    effort.value = value('effort')
    profile.value = value('profile')
  }
  restore({})

  /** Adopts the fields of a preset; all other fields stay. */
  function fill(fields) {
    restore({ ...settings(), ...fields, mode: 'cbr' })
    onpreset(fields)
    onchange()
  }

  return {
    main: [format.element, preset.element, mode.element, rateField, quality.element],
    more: [profile.element, effort.element],
    settings,
    restore,
    show(input) {
      const encoded = isEncoded(format.value)
      format.describe()
      mode.describe()
      preset.show(mode.value === 'cbr' ? { ...settings(), ...input } : null)
      for (const part of [preset, mode, profile, effort]) part.element.hidden = !encoded
      rateField.hidden = !encoded || mode.value === 'vbr'
      quality.element.hidden = !encoded || mode.value !== 'vbr'
    }
  }
}

/** Creates a choice with a hint about the chosen option; `options` has a label and a hint for each value. */
function describedSegments(legend, options, onchange) {
  const hint = h('p', { class: 'hint' })
  const labels = Object.entries(options).map(([value, [label]]) => [value, label])
  const choice = segments(legend, labels, { onchange })
  choice.element.append(hint)
  choice.describe = () => setText(hint, options[choice.value][1])
  return choice
}

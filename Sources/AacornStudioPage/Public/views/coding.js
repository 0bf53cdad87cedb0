// The encoding settings that the studio's recorder and this browser share: the presets of the Swift library, which
// fill in fields, the profiles of AAC, and the other fields.

import { h, setText, showText } from '../dom.js'
import { bitrate, channelCount, frequency } from '../format.js'
import { choose, field, segments, select } from './record/controls.js'

const modes = {
  cbr: ['Constant', 'A constant bitrate, for live streams.'],
  abr: ['Average', 'The bitrate on average over a few seconds.'],
  vbr: ['Variable', 'A constant quality; the bitrate varies with the audio.']
}
const bitrates = [16, 24, 32, 48, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
/** Per channel, for files with different numbers of channels. */
const channelBitrates = [8, 12, 16, 24, 32, 40, 48, 64, 80, 96, 112, 128, 160]
const defaults = {
  format: 'm4a', mode: 'cbr', bitrate: 128_000, quality: 3, effort: 'balanced', profile: 'lc'
}

/** Whether the encoder produces a format. */
export const isEncoded = format => format === 'm4a' || format === 'aac'

/**
 * Creates `{main, more, settings(), restore(settings), show(input)}`; `main` and `more` are lists of elements.
 * `formats` has a name and a hint for each format. `onchange` is called after every change, and calls `show` with
 * the settings of the input that belong to a preset. `onpreset` is called before, with the fields of a preset.
 * With `isPerChannel`, the bitrate is per channel, and 0 by default: the default of the encoder.
 */
export function codingFields({ formats, note, onchange, onpreset, isPerChannel = false }) {
  const format = describedSegments('Format', formats, onchange)
  const preset = presetChoice({ onchange: fill, note, isPerChannel })
  const mode = describedSegments('Rate control', modes, onchange)
  const rates = (isPerChannel ? channelBitrates : bitrates).map(value => [value * 1000, bitrate(value * 1000)])
  const rate = select(isPerChannel ? [[0, 'Automatic'], ...rates] : rates, { onchange })
  const rateHint = h('p', { class: 'hint' })
  const rateField = field(isPerChannel ? 'Bitrate per channel' : 'Bitrate', rate, rateHint)
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
    const amount = isPerChannel ? settings.bitrate || 0 : value('bitrate')
    choose(rate, amount, bitrate(Number(amount)))
    const controls = { format, mode, quality, effort, profile }
    for (const [key, control] of Object.entries(controls)) control.value = value(key)
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
      for (const part of [format, mode, profile]) part.describe()
      showText(rateHint, rate.value === '0' && '64 kb/s, or 32 kb/s in HE-AAC.')
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

const profiles = {
  lc: ['AAC-LC', 'For 44 kb/s per channel and more.'],
  he: ['HE-AAC', 'For less than 44 kb/s per channel, at 16 to 48 kHz.'],
  he2: ['HE-AAC v2', 'For stereo below 28 kb/s, at 16 to 48 kHz.'],
  auto: ['Automatic', 'AAC-LC, HE-AAC or HE-AAC v2, depending on the bitrate.']
}

/** Returns the display name of a profile. */
export const profileName = value => profiles[value][0]

// For each preset: ID, name and purpose; then profile, bitrate, sampling rate and channels.
const presets = [
  ['small-speech', 'Small speech', 'A voice at a low bitrate', 'he', 24_000, 48_000, 1],
  ['speech', 'Speech', 'A voice, for every player', 'lc', 32_000, 24_000, 1],
  ['fine-speech', 'Fine speech', 'A voice in full quality', 'lc', 64_000, 48_000, 1],
  ['small-radio', 'Small radio', 'A radio station at a low bitrate', 'he2', 32_000, 48_000, 2],
  ['radio', 'Radio', 'A radio station with music and speech', 'he', 48_000, 48_000, 2],
  ['music', 'Music', 'Music for most listeners', 'lc', 96_000, 48_000, 2],
  ['fine-music', 'Fine music', 'Music close to the original', 'lc', 128_000, 48_000, 2]
].map(([word, name, purpose, profile, bitrate, sampleRate, channels]) =>
  ({ word, name, purpose, fields: { profile, bitrate, sampleRate, channels } }))

const words = fields => [
  profileName(fields.profile), channelCount(fields.channels),
  frequency(fields.sampleRate), bitrate(fields.bitrate)
].join(', ')

/**
 * Creates `{element, show(settings)}`. `onchange` is called with the fields of a preset, which has a constant
 * bitrate. `show` selects the preset that matches the settings, of which some may be missing; null selects no
 * preset. Of several matching presets, the chosen one stays.
 */
function presetChoice({ onchange, note = '', isPerChannel }) {
  const fieldsOf = ({ fields }) => (
    isPerChannel ? { ...fields, bitrate: fields.bitrate / fields.channels } : fields)
  const hint = h('p', { class: 'hint' })
  const names = presets.map(({ word, name }) => [word, name])
  const list = select([['', 'Custom'], ...names], {
    onchange: () => onchange(fieldsOf(presets.find(({ word }) => word === list.value)))
  })
  // This entry only shows that fields were changed, and cannot be chosen.
  list.options[0].disabled = true
  return {
    element: field('Preset', list, hint),
    show(settings) {
      const matches = presets.filter(preset => settings && Object.entries(fieldsOf(preset))
        .every(([key, value]) => (settings[key] ?? value) === value))
      const preset = matches.find(({ word }) => word === list.value) ?? matches[0]
      list.value = preset?.word ?? ''
      setText(hint, preset ? `${preset.purpose}: ${words(preset.fields)}.${note}` : '')
    }
  }
}

/** Creates `{element, value, describe()}`; an unknown value becomes AAC-LC. */
function profileChoice({ onchange }) {
  const hint = h('p', { class: 'hint' })
  const names = Object.entries(profiles).map(([value, [name]]) => [value, name])
  const choice = select(names, { onchange })
  return {
    element: field('Profile', choice, hint),
    get value() { return choice.value },
    set value(value) { choice.value = Object.hasOwn(profiles, value) ? value : 'lc' },
    describe: () => setText(hint, profiles[choice.value][1])
  }
}

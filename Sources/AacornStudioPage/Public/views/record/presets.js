// The presets of the Swift library, which fill in fields, and the profiles of AAC, for the studio's recorder and
// this browser.

import { h, setText } from '../../dom.js'
import { bitrate, channelCount, frequency } from '../../format.js'
import { field, select } from './controls.js'

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
 * preset.
 */
export function presetChoice({ onchange, note = '' }) {
  const hint = h('p', { class: 'hint' })
  const names = presets.map(({ word, name }) => [word, name])
  const list = select([['', 'Custom'], ...names], {
    onchange: () => onchange(presets.find(({ word }) => word === list.value).fields)
  })
  // This entry only shows that fields were changed, and cannot be chosen.
  list.options[0].disabled = true
  return {
    element: field('Preset', list, hint),
    show(settings) {
      const preset = settings && presets.find(({ fields }) =>
        Object.entries(fields).every(([key, value]) => (settings[key] ?? value) === value))
      list.value = preset?.word ?? ''
      setText(hint, preset ? `${preset.purpose}: ${words(preset.fields)}.${note}` : '')
    }
  }
}

/** Creates `{element, value}`; an unknown value becomes AAC-LC. */
export function profileChoice({ onchange }) {
  const hint = h('p', { class: 'hint' })
  const names = Object.entries(profiles).map(([value, [name]]) => [value, name])
  const choice = select(names, {
    onchange: () => {
      show()
      onchange()
    }
  })
  const show = () => setText(hint, profiles[choice.value][1])
  show()
  return {
    element: field('Profile', choice, hint),
    get value() { return choice.value },
    set value(value) {
      choice.value = Object.hasOwn(profiles, value) ? value : 'lc'
      show()
    }
  }
}

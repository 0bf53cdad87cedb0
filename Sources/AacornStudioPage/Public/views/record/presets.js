// Settings with a name, which fill in fields, for the recorder and for this browser alike. They are
// the presets of the library.

import { h, setText } from '../../dom.js'
import { bitrate, frequency } from '../../format.js'
import { field, select } from './controls.js'
import { profileName } from './profile.js'

// The word of each, its name and what it is for; then profile, bitrate, sampling rate and channels.
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
  profileName(fields.profile), fields.channels === 1 ? 'mono' : 'stereo',
  frequency(fields.sampleRate), bitrate(fields.bitrate)
].join(', ')

/**
 * Makes `{element, show(settings)}`. `onchange` is called with the fields of a preset, whose bitrate
 * is constant; `show` tells which preset has the settings, of which some may be missing: none has
 * null.
 */
export function presetChoice({ onchange, note = '' }) {
  const hint = h('p', { class: 'hint' })
  const names = presets.map(({ word, name }) => [word, name])
  const list = select([['', 'Custom'], ...names], {
    onchange: () => onchange(presets.find(({ word }) => word === list.value).fields)
  })
  // It is what a changed field leads to, and fills in nothing.
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

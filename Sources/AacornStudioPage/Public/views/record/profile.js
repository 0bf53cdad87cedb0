// The choice of the AAC profile, for the studio's recorder and this browser.

import { h, setText } from '../../dom.js'
import { field, select } from './controls.js'

const profiles = {
  lc: ['AAC-LC', 'For 44 kb/s per channel and more.'],
  he: ['HE-AAC', 'For less than 44 kb/s per channel, at 16 to 48 kHz.'],
  he2: ['HE-AAC v2', 'For stereo below 28 kb/s, at 16 to 48 kHz.'],
  auto: ['Automatic', 'AAC-LC, HE-AAC or HE-AAC v2, depending on the bitrate.']
}

/** Returns the display name of a profile. */
export const profileName = value => profiles[value][0]

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

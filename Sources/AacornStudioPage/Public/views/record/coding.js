// The format, rate control and other settings of a recording.

import { h, setText } from '../../dom.js'
import { bitrate, frequency, signed } from '../../format.js'
import { check, choose, field, segments, select } from './controls.js'
import { recall, remember } from './memory.js'
import { presetChoice } from './presets.js'
import { profileChoice } from './profile.js'

const formats = {
  m4a: 'AAC in an MP4 file, with tags and exact length. It plays everywhere.',
  aac: 'AAC as a stream (ADTS), as used by radio stations.',
  wav: 'Uncompressed, 16 bits. Large files.',
  caf: 'Uncompressed, 16 bits, in Apple’s Core Audio format. Large files.'
}
const modes = {
  cbr: 'A constant bitrate, for live streams.',
  abr: 'The bitrate on average over a few seconds.',
  vbr: 'A constant quality; the bitrate varies with the audio.'
}
const bitrates = [16, 24, 32, 48, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
const rates = [8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 88_200, 96_000]
const layouts = { 1: 'Mono', 2: 'Stereo', 3: '3', 4: '4', 5: '5', 6: '6 (5.1)', 8: '8 (7.1)' }

/** Whether the encoder produces a format. */
export const isEncoded = format => format === 'm4a' || format === 'aac'

/**
 * Creates `{element, fields(), settings(), restore(settings), setPhase(isFree, isConnected),
 * showGain(decibels), forgetName(), hasShortcuts}`. `onchange` is called after every change, `ongain` with
 * decibels while the user moves the gain. The effects are placed below the gain.
 */
export function codingChoice({ onchange, ongain }, effectsElement) {
  const changed = () => {
    show()
    onchange()
  }
  const formatHint = h('p', { class: 'hint' })
  const format = segments('Format', [
    ['m4a', 'M4A'], ['aac', 'AAC'], ['wav', 'WAV'], ['caf', 'CAF']
  ], { onchange: changed })
  format.element.append(formatHint)
  const preset = presetChoice({ onchange: fill })
  const modeHint = h('p', { class: 'hint' })
  const mode = segments('Rate control', [
    ['cbr', 'Constant'], ['abr', 'Average'], ['vbr', 'Variable']
  ], { onchange: changed })
  mode.element.append(modeHint)
  const rate = select(
    bitrates.map(value => [value * 1000, bitrate(value * 1000)]), { onchange: changed })
  const rateField = field('Bitrate', rate)
  const quality = segments('Quality', [
    [1, '1', 'Smallest'], [2, '2'], [3, '3', 'Default'], [4, '4'], [5, '5', 'Best']
  ], { onchange: changed })
  const gainValue = h('output', { class: 'gain-value' })
  const gain = h('input', {
    type: 'range', min: -24, max: 24, step: 1,
    oninput: () => {
      showGain()
      ongain(Number(gain.value))
    },
    onchange: changed
  })
  const gainField = field('Gain', gain)
  gainField.classList.add('gain')
  gainField.append(gainValue)

  const effort = segments('Effort', [
    ['fast', 'Fast'], ['balanced', 'Balanced'], ['best', 'Best']
  ], { onchange: changed })
  const profile = profileChoice({ onchange: changed })
  const sampleRate = select(rates.map(value => [value, frequency(value)]), { onchange: changed })
  const channels = select(Object.entries(layouts), { onchange: changed })
  const text = placeholder => h('input', {
    type: 'text', maxlength: 200, autocomplete: 'off', spellcheck: 'false', placeholder,
    onchange: changed
  })
  const name = text('Date and time')
  const title = text('')
  const artist = text('')
  const tags = h('div', { class: 'stack pair' }, field('Title', title), field('Artist', artist))
  const free = h('fieldset', { class: 'plain stack' },
    h('legend', { class: 'visually-hidden' }, 'Format and quality'),
    format.element, preset.element, mode.element, rateField, quality.element)
  const moreFields = h('fieldset', { class: 'plain stack' },
    h('legend', { class: 'visually-hidden' }, 'More settings'),
    field('File name', name),
    h('div', { class: 'pair' }, field('Sampling rate', sampleRate), field('Channels', channels)),
    profile.element, effort.element, tags)
  const shortcuts = check('Keyboard shortcuts', {
    checked: recall('shortcuts') ?? true,
    onchange: () => remember('shortcuts', shortcuts.input.checked)
  }, h('p', { class: 'hint' },
    'R: start or stop, P: pause, M: mute, H: hear the input, L: check the level.'))
  const more = h('details', { class: 'more' }, h('summary', 'More'),
    h('div', { class: 'stack' }, moreFields, shortcuts.element))
  const element = h('div', { class: 'stack' }, free, gainField, effectsElement, more)

  function show() {
    const encoded = isEncoded(format.value)
    setText(formatHint, formats[format.value] ?? '')
    setText(modeHint, modes[mode.value] ?? '')
    preset.show(mode.value === 'cbr' ? settings() : null)
    const parts = [preset.element, mode.element, profile.element, effort.element]
    for (const part of parts) part.hidden = !encoded
    rateField.hidden = !encoded || mode.value === 'vbr'
    quality.element.hidden = !encoded || mode.value !== 'vbr'
    tags.hidden = format.value !== 'm4a'
    showGain()
  }

  function showGain() {
    const value = Number(gain.value)
    const words = `${value > 0 ? '+' : ''}${signed(value)} dB`
    setText(gainValue, words)
    gain.setAttribute('aria-valuetext', words)
  }

  const defaults = {
    format: 'm4a', mode: 'cbr', bitrate: 128_000, quality: 3, effort: 'balanced',
    profile: 'lc', sampleRate: 48_000, channels: 2, gain: 0, name: '', title: '', artist: ''
  }

  function restore(settings) {
    const value = key => settings[key] || defaults[key]
    format.value = value('format')
    mode.value = value('mode')
    choose(rate, value('bitrate'), bitrate(Number(value('bitrate'))))
    quality.value = value('quality')
    effort.value = value('effort')
    profile.value = value('profile')
    choose(sampleRate, value('sampleRate'), frequency(Number(value('sampleRate'))))
    choose(channels, value('channels'))
    gain.value = value('gain')
    title.value = value('title')
    artist.value = value('artist')
    show()
  }
  restore({})

  /** Adopts the fields of a preset; all other fields stay. */
  function fill(fields) {
    restore({ ...settings(), ...fields, mode: 'cbr' })
    onchange()
  }

  /** Returns all settings for storage in the browser. */
  function settings() {
    return {
      format: format.value, mode: mode.value, bitrate: Number(rate.value),
      quality: Number(quality.value), effort: effort.value, profile: profile.value,
      sampleRate: Number(sampleRate.value), channels: Number(channels.value),
      gain: Number(gain.value), title: title.value, artist: artist.value
    }
  }

  return {
    element,
    restore,
    /** Returns the fields of a record request, without the ones that do not apply to the format. */
    fields() {
      const encoded = isEncoded(format.value)
      const isVariable = mode.value === 'vbr'
      const isTagged = format.value === 'm4a'
      return {
        format: format.value,
        mode: encoded ? mode.value : undefined,
        bitrate: encoded && !isVariable ? rate.value : undefined,
        quality: encoded && isVariable ? quality.value : undefined,
        effort: encoded ? effort.value : undefined,
        profile: encoded ? profile.value : undefined,
        sampleRate: sampleRate.value,
        channels: channels.value,
        gain: gain.value,
        name: name.value.trim() || undefined,
        title: isTagged && title.value.trim() || undefined,
        artist: isTagged && artist.value.trim() || undefined
      }
    },
    settings,
    get hasShortcuts() { return shortcuts.input.checked },
    /** Clears the name, which is for a single recording. */
    forgetName() { name.value = '' },
    /** The format is locked during a recording, the gain is not. */
    setPhase(isFree, isConnected) {
      free.disabled = !isFree
      moreFields.disabled = !isFree
      gain.disabled = !isConnected
    },
    /** Shows a gain set by another page. */
    showGain(decibels) {
      if (document.activeElement === gain || Number(gain.value) === decibels) return
      gain.value = decibels
      showGain()
    }
  }
}

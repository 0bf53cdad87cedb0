// The settings of a recording: format, rate control, gain, effects and others.

import { announce, h, replace, setText, showText, uniqueId } from '../../dom.js'
import { frequency, signed } from '../../format.js'
import { codingFields, isEncoded } from '../coding.js'
import { check, choose, field, group, recall, remember, select } from './controls.js'

const formats = {
  m4a: ['M4A', 'AAC in an MP4 file, with tags and exact length. It plays everywhere.'],
  aac: ['AAC', 'AAC as a stream (ADTS), as used by radio stations.'],
  wav: ['WAV', 'Uncompressed, 16 bits. Large files.'],
  caf: ['CAF', 'Uncompressed, 16 bits, in Apple’s Core Audio format. Large files.']
}
const rates = [8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 88_200, 96_000]
const layouts = { 1: 'Mono', 2: 'Stereo', 3: '3', 4: '4', 5: '5', 6: '6 (5.1)', 8: '8 (7.1)' }

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
  const coding = codingFields({ formats, onchange: changed, onpreset: setInput })
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
  const free = group('Format and quality', coding.main)
  const moreFields = group('More settings', field('File name', name),
    h('div', { class: 'pair' }, field('Sampling rate', sampleRate), field('Channels', channels)),
    coding.more, tags)
  const shortcuts = check('Keyboard shortcuts', {
    checked: recall('shortcuts') ?? true,
    onchange: () => remember('shortcuts', shortcuts.input.checked)
  }, h('p', { class: 'hint' },
    'R: start or stop, P: pause, M: mute, H: hear the input, L: check the level.'))
  const more = h('details', { class: 'more' }, h('summary', 'More'),
    h('div', { class: 'stack' }, moreFields, shortcuts.element))
  const element = h('div', { class: 'stack' }, free, gainField, effectsElement, more)

  function show() {
    coding.show({ sampleRate: Number(sampleRate.value), channels: Number(channels.value) })
    tags.hidden = coding.settings().format !== 'm4a'
    showGain()
  }

  function showGain() {
    const value = Number(gain.value)
    const words = `${value > 0 ? '+' : ''}${signed(value)} dB`
    setText(gainValue, words)
    gain.setAttribute('aria-valuetext', words)
  }

  function setInput(settings) {
    const rate = settings.sampleRate || 48_000
    choose(sampleRate, rate, frequency(Number(rate)))
    choose(channels, settings.channels || 2)
  }

  function restore(settings) {
    coding.restore(settings)
    setInput(settings)
    gain.value = settings.gain || 0
    title.value = settings.title || ''
    artist.value = settings.artist || ''
    show()
  }
  restore({})

  return {
    element,
    restore,
    /** Returns the fields of a record request, without the ones that do not apply to the format. */
    fields() {
      const { format, mode, bitrate, quality, effort, profile } = coding.settings()
      const ifEncoded = value => (isEncoded(format) ? value : undefined)
      const isVariable = mode === 'vbr'
      const isTagged = format === 'm4a'
      return {
        format, mode: ifEncoded(mode),
        bitrate: isVariable ? undefined : ifEncoded(bitrate),
        quality: isVariable ? ifEncoded(quality) : undefined,
        effort: ifEncoded(effort), profile: ifEncoded(profile),
        sampleRate: sampleRate.value, channels: channels.value, gain: gain.value,
        name: name.value.trim() || undefined,
        title: isTagged && title.value.trim() || undefined,
        artist: isTagged && artist.value.trim() || undefined
      }
    },
    /** Returns all settings for storage in the browser. */
    settings() {
      return {
        ...coding.settings(), sampleRate: Number(sampleRate.value),
        channels: Number(channels.value), gain: Number(gain.value), title: title.value,
        artist: artist.value
      }
    },
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

/**
 * Creates `{element, value, restore(text), reject(message), settle(), focus(), setPhase(isConnected),
 * setPresets(names), showLive(state)}`. `onchange` is called when the user has changed the text, `onbypass`
 * with whether to bypass the effects.
 */
export function effectChoice({ onchange, onbypass }) {
  const presets = h('datalist', { id: uniqueId('presets') })
  const problem = h('p', { class: 'problem', hidden: true })
  const hint = h('p', { class: 'hint' },
    'Choose a preset such as “speech”, or type effects: “highpass 80, limiter -1”.')
  const input = h('input', {
    type: 'text', list: presets.id, maxlength: 2000, autocomplete: 'off', spellcheck: 'false',
    autocapitalize: 'off', placeholder: 'None', onchange: changed
  })
  const bypass = check('Bypass the effects', { onchange: () => onbypass(bypass.input.checked) })
  bypass.element.hidden = true
  const element = h('div', { class: 'stack' },
    field('Effects', input, h('div', hint, problem)), presets, bypass.element)

  let known = ''
  /** Whether the user has changed the text, and the studio has not accepted it yet. */
  let isOwn = false

  const text = () => input.value.trim()

  function changed() {
    if (text().toLowerCase() === 'none') input.value = ''
    isOwn = true
    onchange()
  }

  function reject(message) {
    input.setAttribute('aria-invalid', String(Boolean(message)))
    if (message && problem.textContent !== message) announce(message, 'assertive')
    showText(problem, message)
  }

  return {
    element,
    get value() { return text() },
    restore(settings) { input.value = settings ?? '' },
    /** Shows beside the field why the studio rejects its text; the text stays. */
    reject,
    /** Records that the studio has accepted the text. */
    settle() {
      isOwn = false
      reject(null)
    },
    focus() { input.focus() },
    setPhase(isConnected) {
      input.disabled = !isConnected
      bypass.input.disabled = !isConnected
    },
    /** Offers the studio's presets by name. */
    setPresets(names = []) {
      if (known === names.join()) return
      known = names.join()
      replace(presets, ['none', ...names].map(value => h('option', { value })))
    },
    /** Shows the effects of a recording, which another page may have changed. */
    showLive({ recording, settings, isBypassed }) {
      bypass.element.hidden = !recording || !settings?.effects
      bypass.input.checked = Boolean(isBypassed)
      if (recording && !isOwn && document.activeElement !== input) {
        input.value = settings?.effects ?? ''
      }
    }
  }
}

// The settings of the microphone, and the browser's processing of its audio.

import { h, showText } from '../../dom.js'
import { channelCount, frequency } from '../../format.js'
import {
  check, choose, field, group, recall, remember, segments, select
} from '../record/controls.js'
import { microphones } from './microphone.js'

const defaults = {
  deviceId: '', channels: 1, sampleRate: 48_000, echoCancellation: false,
  noiseSuppression: false, autoGainControl: false, sends: false, keepsSamples: false
}

/**
 * Creates `{element, words(), options(), fill(fields), setPhase(isFree), refresh()}`; `onchange` is called when
 * the user selects another microphone or other processing.
 */
export function inputChoice({ onchange }) {
  const keep = () => remember('browser-input', chosen())
  const changed = () => {
    keep()
    onchange()
  }
  const list = h('select', { onchange: changed })
  const hint = h('p', { class: 'hint' })
  const channels = segments('Channels', [[1, 'Mono'], [2, 'Stereo']], { onchange: changed })
  const rate = select([[48_000, '48 kHz'], [44_100, '44.1 kHz']], { onchange: keep })
  const echo = check('Echo cancellation', { onchange: changed })
  const noise = check('Noise suppression', { onchange: changed })
  const gain = check('Automatic gain', { onchange: changed })
  const processing = h('fieldset', { class: 'field checks' }, h('legend', 'Browser processing'),
    echo.element, noise.element, gain.element,
    h('p', { class: 'hint' }, 'For calls. Leave them off for music.'))
  const sends = check('Send to the library while recording', { onchange: keep }, h('p',
    { class: 'hint' }, 'Saves the recording in the studio’s folder and in this browser.'))
  const samples = check('Also keep the samples (WAV)', { onchange: keep }, h('p', { class: 'hint' },
    'The encoder’s input as 32-bit floats: 12 MB per minute in mono, 24 MB in stereo.'))
  const fixed = group('Channels and rate', channels.element, field('Sampling rate', rate))
  const ends = group('Where to save it', sends.element)
  const more = h('details', { class: 'more' }, h('summary', 'More'),
    h('div', { class: 'stack' }, processing, samples.element))
  const element = h('div', { class: 'stack' }, field('Record from', list, hint), fixed, ends, more)

  const boxes = Object.entries({
    echoCancellation: echo, noiseSuppression: noise, autoGainControl: gain, sends,
    keepsSamples: samples
  })
  const kept = { ...defaults, ...recall('browser-input') }
  let wanted = kept.deviceId
  channels.value = kept.channels
  choose(rate, kept.sampleRate, frequency(kept.sampleRate))
  for (const [key, { input }] of boxes) input.checked = kept[key]

  function chosen() {
    return {
      deviceId: list.value, channels: Number(channels.value), sampleRate: Number(rate.value),
      ...Object.fromEntries(boxes.map(([key, { input }]) => [key, input.checked]))
    }
  }

  /** Updates the list of microphones. */
  async function refresh() {
    const devices = await microphones().catch(() => [])
    // Browsers list the default microphone a second time with a separate ID.
    const others = devices.filter(device => device.deviceId !== 'default')
    const isNamed = others.some(device => device.label)
    const current = list.value || wanted
    list.replaceChildren(h('option', { value: '' }, 'Default microphone'), ...others.map(
      (device, index) => h('option', { value: device.deviceId },
        device.label || `Microphone ${index + 1}`)))
    if (current && others.some(device => device.deviceId === current)) choose(list, current)
    showText(hint, !isNamed && 'Allow access to the microphone to see device names.')
    // The label of the chosen microphone may have become known, so notify listeners that display it.
    element.dispatchEvent(new Event('change', { bubbles: true }))
  }
  list.append(h('option', { value: '' }, 'Default microphone'))
  navigator.mediaDevices?.addEventListener?.('devicechange', refresh)
  refresh()

  return {
    element,
    refresh,
    words() {
      const { channels, sampleRate, sends } = chosen()
      return [list.selectedOptions[0].text, channelCount(channels),
        frequency(sampleRate), sends && 'sent to the library'].filter(Boolean).join(' · ')
    },
    /** Returns the settings for Microphone. */
    options() {
      wanted = list.value
      const { deviceId, channels, sampleRate, sends, keepsSamples, ...processing } = chosen()
      return { deviceId, channels, sampleRate, processing, sends, keepsSamples }
    },
    /** Adopts the channels and the rate of a preset, except during a recording. */
    fill({ channels: count, sampleRate }) {
      if (fixed.disabled) return
      channels.value = count
      choose(rate, sampleRate, frequency(sampleRate))
      changed()
      // Notifies listeners that display the settings.
      element.dispatchEvent(new Event('change', { bubbles: true }))
    },
    /** The microphone can be changed at any time; the other settings are locked during a recording. */
    setPhase(isFree) {
      fixed.disabled = !isFree
      ends.disabled = !isFree
      samples.input.disabled = !isFree
    }
  }
}

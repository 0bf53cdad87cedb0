// The choice of the input device, from a live list.

import { announce, h, icon, setText, showText } from '../../dom.js'
import { count, frequency } from '../../format.js'
import { check, field, recall, remember } from './controls.js'

const separator = '\n'
const keyOf = device => `${device.backend ?? ''}${separator}${device.id}`

/**
 * Creates `{element, fields(), restore(settings), setPhase(isFree, isConnected)}`. `onchange` is called when
 * the user chooses another device or voice processing.
 */
export function sourceChoice(studio, { onchange }) {
  const list = h('select', { onchange: chosen })
  const hint = h('p', { class: 'hint source-hint' })
  const problemStart = h('span')
  const problemRest = h('p', { class: 'hint' })
  const problem = h('details', { class: 'source-problem', hidden: true },
    h('summary', problemStart), problemRest)
  const voiceHint = h('p', { class: 'hint', hidden: true })
  const voice = check('Voice processing', { onchange }, voiceHint)
  voice.element.title = 'Removes echo and background noise, and levels the volume'
  const element = h('div', { class: 'stack source' },
    field('Record from', list, hint), problem, voice.element,
    h('p', { class: 'hint' }, 'Another microphone: ',
      h('a', { href: '#browser' }, 'record with this browser'), '.'))

  /** The chosen device, even while it is disconnected; null is the default device. */
  let choice = recall('device')
  let defaultName = null
  let isFree = true

  function chosen() {
    const value = list.value
    const [backend, id] = value.split(separator)
    const device = all().find(one => keyOf(one) === value)
    choice = value ? { backend, id, name: device?.name ?? choice?.name ?? id } : null
    remember('device', choice)
    describe()
    onchange()
  }

  function all() {
    const { devices = [], builtIn = [] } = studio.devices ?? {}
    return [...devices, ...builtIn]
  }

  function find() {
    if (!choice) return null
    return all().find(one => keyOf(one) === keyOf(choice))
      ?? all().find(one => one.id === choice.id) ?? null
  }

  function group(label, devices) {
    if (!devices.length) return null
    return h('optgroup', { label }, devices.map(device =>
      h('option', { value: keyOf(device) }, device.name)))
  }

  function show() {
    const { devices = [], builtIn = [] } = studio.devices ?? {}
    const standard = devices.find(device => device.isDefault)
    if (standard && defaultName && standard.name !== defaultName && !choice) {
      announce(`The default device is now ${standard.name}.`)
    }
    defaultName = standard?.name ?? null
    const found = find()
    if (found) choice = { backend: found.backend ?? '', id: found.id, name: found.name }
    // Drop a device that only the server has stored while it is disconnected.
    else if (choice?.isBorrowed && studio.devices && !studio.devices.isLooking) choice = null
    const isLost = choice && !found
    list.replaceChildren(...[
      h('option', { value: '' }, standard ? `System default: ${standard.name}` : 'System default'),
      isLost && h('optgroup', { label: 'Not connected' },
        h('option', { value: keyOf(choice) }, `${choice.name} (not connected)`)),
      group('Microphones and inputs', devices.filter(device => !device.isMonitor)),
      group('What the speakers play', devices.filter(device => device.isMonitor)),
      group('Test signals', builtIn)
    ].filter(Boolean))
    list.value = choice ? keyOf(choice) : ''
    showProblem(studio.devices?.problem)
    const canProcess = studio.devices?.canProcessVoice !== false
    voice.input.disabled = !isFree || !canProcess
    voice.element.firstChild.classList.toggle('is-disabled', !canProcess)
    showText(voiceHint, !canProcess && 'The sound system of this computer does not support it.')
    describe()
  }

  /** Shows the first sentence of a problem, and the other sentences on request. */
  function showProblem(message) {
    problem.hidden = !message
    const end = (message ?? '').search(/[.!?]\s/) + 1
    setText(problemStart, end ? message.slice(0, end) : message ?? '')
    setText(problemRest, end ? message.slice(end).trim() : '')
  }

  function describe() {
    const { devices = [] } = studio.devices ?? {}
    const found = find()
    const recording = studio.state?.recording
    const chosenID = choice?.id ?? devices.find(one => one.isDefault)?.id
    const isOther = Boolean(recording?.device) && recording.device.id !== chosenID
    const isLost = recording?.isDeviceLost || (choice && !found && !isOther)
    hint.classList.toggle('is-lost', Boolean(isLost))
    const text = hintOn(found, devices, recording, isOther)
    if (hint.textContent === text) return
    hint.replaceChildren(...(isLost ? [icon('warning'), text] : [text]))
  }

  function hintOn(found, devices, recording, isOther) {
    if (recording?.isDeviceLost) return 'No audio arrives. Connect it, or choose another device.'
    // Another page has started the recording, or the default device has changed since its start.
    if (isOther) return `This recording is from ${recording.device.name}.`
    if (choice && !found) return 'Not connected. It is listed again when you connect it.'
    if (studio.devices?.isLooking) return 'Searching for devices …'
    if (!choice && studio.devices?.problem) return ''
    if (!choice && studio.devices && !devices.some(device => !device.isMonitor)) {
      return 'No microphone was found. Connect one, or try a test signal.'
    }
    const device = found ?? devices.find(one => one.isDefault)
    if (!device) return ''
    if (found && !('channels' in found)) return 'A test signal made by the studio.'
    return [
      !choice && device.name, device.details, device.channels && count(device.channels, 'channel'),
      device.sampleRate && frequency(device.sampleRate)
    ].filter(Boolean).join(' · ')
  }

  studio.addEventListener('devices', show)
  studio.addEventListener('state', describe)
  show()

  return {
    element,
    fields() {
      return {
        device: choice?.id ?? '', backend: choice?.backend || undefined,
        voice: voice.input.checked && !voice.input.disabled
      }
    },
    /** Adopts the fields of the last recording, unless this browser has stored its own. */
    restore(settings) {
      if (!choice && settings.device && !recall('record')) {
        choice = {
          backend: settings.backend ?? '', id: settings.device, name: settings.device,
          isBorrowed: true
        }
      }
      voice.input.checked = settings.voice === true || settings.voice === 'true'
      show()
    },
    /** The device can be changed at any time; voice processing only between recordings. */
    setPhase(isNowFree, isConnected) {
      isFree = isNowFree
      list.disabled = !isConnected
      voice.input.disabled = !isFree || studio.devices?.canProcessVoice === false
    }
  }
}

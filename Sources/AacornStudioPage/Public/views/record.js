// The Record view: transport, settings, audio, encoder, events.

import { announce, h, toast } from '../dom.js'
import { clock, loudness as inLUFS } from '../format.js'
import { levelView } from '../drawing/levelview.js'
import { soundView } from '../drawing/soundview.js'
import { encoderPanel } from '../drawing/framestrip.js'
import { isEncoded } from './coding.js'
import { codingChoice, effectChoice } from './record/coding.js'
import { recall, remember, settingsForm } from './record/controls.js'
import { eventList } from './record/eventlist.js'
import { outputChoice } from './record/outputs.js'
import { sourceChoice } from './record/source.js'
import { transport } from './record/transport.js'
import { factList, listenForKeys } from './transport.js'

const idleSound = 'No sound. Start a recording, or check the level.'
const idleEncoder = 'The encoder is idle. Record to M4A or AAC to see its frames.'
const noEncoder = 'This format is uncompressed, so there are no encoded frames.'

export function mount(root, studio) {
  const level = levelView({ label: 'Input level' })
  const loudness = factList('loudness', [
    ['now', 'Loudness', 'The loudness of the last three seconds (EBU R 128, short-term)'],
    ['whole', 'Overall', 'The loudness of the whole recording (EBU R 128, integrated)']
  ])
  const sound = soundView({ emptyText: idleSound })
  const encoder = encoderPanel()
  const events = eventList()
  const source = sourceChoice(studio, { onchange: changeSource })
  const effects = effectChoice({
    onchange: changeEffects, onbypass: bypassed => act('/api/bypass', { bypassed })
  })
  const coding = codingChoice({ onchange: keep, ongain: changeGain }, effects.element)
  const outputs = outputChoice()
  const controls = transport({
    start, listen, monitor,
    stop: () => act('/api/stop'),
    pause: () => act('/api/pause'),
    resume: () => act('/api/resume'),
    mute: () => act('/api/mute', { muted: true }),
    unmute: () => act('/api/mute', { muted: false })
  }, h('div', { class: 'transport-levels' }, level.element, loudness.element))

  const card = (title, ...content) => h('section', { class: 'card' }, h('h2', title), ...content)
  const settings = settingsForm(card('Source', source.element),
    card('Recording', coding.element), card('Outputs', outputs.element))
  const view = h('div', { class: 'record' },
    h('h2', { class: 'visually-hidden' }, 'Record'), controls.element, settings,
    h('section', { class: 'card audio-card', 'aria-label': 'Sound' }, sound.element),
    encoder.element, events.element)
  root.append(view)

  let phase = null
  let name = null
  let isRestored = false
  let factsAt = 0
  let failure = null
  /** The message that the page can be closed. */
  let hint = null
  /** Whether the connection was lost since the last received state. */
  let wasDisconnected = false
  /** The commands without a response yet; a second press of the same button is ignored. */
  const pending = new Set()

  /** Sends a command; an error is shown beside the buttons, or as a toast if they are not visible. */
  async function act(path, fields) {
    if (pending.has(path)) return null
    pending.add(path)
    try {
      controls.problem(null)
      failure?.close()
      return await studio.post(path, fields) ?? {}
    } catch (error) {
      if (error.field === 'effects') {
        effects.reject(error.message)
        effects.focus()
      } else if (controls.problem(error.message)) announce(error.message, 'assertive')
      else failure = toast(error.message, { kind: 'error' })
      return null
    } finally {
      pending.delete(path)
    }
  }

  async function start() {
    if (!outputs.check()) return
    keep()
    const answer = await act('/api/record', {
      ...source.fields(), ...coding.fields(), effects: effects.value, ...outputs.fields()
    })
    if (!answer) return
    effects.settle()
    coding.forgetName()
    if (!recall('told-goes-on')) {
      remember('told-goes-on', true)
      hint = toast('You can close this page. The studio continues the recording.', { seconds: 10 })
    }
  }

  async function listen(isOn) {
    if (!isOn) return void await act('/api/listen', { on: false })
    const { device, backend, voice } = source.fields()
    const { gain } = coding.fields()
    const answer = await act('/api/listen', {
      on: true, device, backend, voice, effects: effects.value
    })
    // Monitoring starts without gain, but the meters should show the level that will be recorded.
    if (answer && gain !== '0') await act('/api/gain', { gain })
  }

  let volumeTimer = 0
  function monitor(isOn, gain) {
    clearTimeout(volumeTimer)
    volumeTimer = setTimeout(() => act('/api/hear', isOn ? { on: true, gain } : { on: false }), 80)
  }

  function keep() {
    remember('record', {
      ...coding.settings(), effects: effects.value, voice: source.fields().voice
    })
  }

  function changeSource() {
    keep()
    const { device, backend } = source.fields()
    if (phase === 'recording' || phase === 'paused') act('/api/device', { device, backend })
    else if (phase === 'listening') listen(true)
  }

  let gainTimer = 0
  function changeGain(gain) {
    if (phase !== 'recording' && phase !== 'paused' && phase !== 'listening') return
    clearTimeout(gainTimer)
    gainTimer = setTimeout(() => act('/api/gain', { gain }), 80)
  }

  let isAskingForEffects = false
  let hasOtherEffects = false

  /** Checks the effects with the studio, which applies them immediately if a device is open. */
  async function changeEffects() {
    keep()
    hasOtherEffects = true
    if (isAskingForEffects) return
    isAskingForEffects = true
    while (hasOtherEffects) {
      hasOtherEffects = false
      const problem = await studio.post('/api/effects', { effects: effects.value })
        .then(() => null, error => error.message)
      // The text has changed in the meantime: check it next.
      if (hasOtherEffects) continue
      if (problem) effects.reject(problem)
      else effects.settle()
    }
    isAskingForEffects = false
    show()
  }

  function restore(state) {
    isRestored = true
    const kept = recall('record') ?? state.settings ?? {}
    coding.restore(kept)
    effects.restore(kept.effects)
    source.restore({ ...state.settings, ...kept })
  }

  function show() {
    const { state, isConnected } = studio
    controls.show(studio)
    if (!state) return
    if (!isRestored) restore(state)
    if (state.recording?.name !== name && state.recording) begin(state)
    if (state.phase !== phase) change(state)
    const isFree = isConnected && (phase === 'idle' || phase === 'listening')
    source.setPhase(isFree, isConnected)
    coding.setPhase(isFree, isConnected)
    outputs.setPhase(isFree)
    outputs.setSchemes(state.schemes)
    effects.setPhase(isConnected)
    effects.setPresets(state.effectPresets)
    effects.showLive(state)
    if (state.recording) coding.showGain(Number(state.settings?.gain ?? 0))
    outputs.showFolder(state.folder)
    outputs.showLive(state.recording?.outputs ?? null)
    view.classList.toggle('is-recording', Boolean(state.recording))
    events.show(state)
  }

  /** Resets the view when a recording has started, on this page or another. */
  function begin(state) {
    name = state.recording.name
    controls.reset()
    loudness.reset()
    controls.problem(null)
    const encoded = isEncoded(state.recording.format)
    encoder.clear(encoded ? 'Waiting for the first frame.' : noEncoder)
    if (phase !== 'listening') sound.clear('Waiting for the first sound.')
  }

  function change(state) {
    const before = phase
    phase = state.phase
    if (phase === 'idle') {
      level.clear()
      hint?.close()
      loudness.show('now', '–')
      sound.idle(idleSound)
      if (!name) {
        encoder.clear(idleEncoder)
        loudness.reset()
      } else if (state.last?.name === name) {
        controls.saved(state.last)
        loudness.show('whole', inLUFS(state.last.loudness))
      } else {
        // No file of this recording is in the folder, or the studio was restarted.
        controls.reset()
        loudness.reset()
      }
      if (name && !state.last && wasDisconnected) {
        // After a restart, the studio has no result of the recording, only the file in its folder.
        toast(`The studio was stopped while recording “${name}”. The recording up to then is in `
          + 'the Library. Repair it there if necessary.', {
          seconds: 20, action: { label: 'Library', run: () => { location.hash = '#library' } }
        })
      }
      name = null
    } else if (phase === 'listening' && before !== 'listening') {
      sound.clear('Waiting for the first sound.')
      encoder.clear('Checking the level; nothing is encoded yet.')
      controls.reset()
      loudness.reset()
      name = null
    }
    if (before === null) return
    if (phase === 'recording') {
      announce(before === 'paused' ? 'Resumed.' : `Recording to ${state.recording?.name}.`)
    } else if (phase === 'paused') announce('Paused.')
    else if (phase === 'listening') announce('Checking the level; nothing is recorded.')
    else if (phase === 'idle' && before === 'stopping' && state.last) {
      announce(`Stopped. ${state.last.name} is saved, ${clock(state.last.seconds)}.`)
    }
  }

  studio.addEventListener('state', () => {
    show()
    wasDisconnected = false
  })
  studio.addEventListener('connection', () => {
    if (!studio.isConnected) {
      level.clear()
      loudness.reset()
      wasDisconnected = true
    }
    show()
  })
  studio.addEventListener('meter', ({ detail }) => {
    if (phase === 'idle' || phase === null) return
    // Update the scrolling drawings even while hidden, and all other parts only while visible.
    sound.push(detail.columns)
    if (detail.frames?.length && phase !== 'listening') {
      const { sampleRate = 48_000, samplesPerFrame = 1024 } = studio.state?.recording ?? {}
      encoder.push(detail.frames, sampleRate / samplesPerFrame)
    }
    if (document.hidden || root.hidden) return
    level.show(detail.peaks, detail.rms)
    if (phase !== 'listening') controls.time(detail.seconds)
    const now = performance.now()
    if (now - factsAt < 250) return
    factsAt = now
    const { shortTerm, momentary, integrated } = detail.loudness ?? {}
    loudness.show('now', inLUFS(shortTerm ?? momentary))
    loudness.show('whole', inLUFS(integrated))
    if (phase !== 'listening') controls.facts(detail)
  })
  listenForKeys(() => !root.hidden && coding.hasShortcuts, controls.press)
  encoder.clear(idleEncoder)
  show()
}

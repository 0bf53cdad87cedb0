// The microphone's part of the view: settings, transport, and the result of a recording.

import { announce, h, toast } from '../../dom.js'
import { clock, size } from '../../format.js'
import { framesView } from '../../drawing/framestrip.js'
import { levelView } from '../../drawing/levelview.js'
import { soundView } from '../../drawing/soundview.js'
import { endingOf, nameAt } from '../files.js'
import { encoderModule, samplesModule } from './modules.js'
import { inputChoice } from './input.js'
import { Microphone } from './microphone.js'
import { transport } from './transport.js'
import { followUpload } from './upload.js'

/**
 * Creates `{element, audioCard, input, press, hidden}`. `coding` provides the encoding settings;
 * `onrecorded(entry, upload)` receives the recording, or null if it was interrupted.
 */
export function recorder({ coding, onrecorded }) {
  const level = levelView({ label: 'Level of the browser’s microphone' })
  const sound = soundView({ emptyText: 'No sound yet.' })
  const frames = framesView()
  const audioCard = h('section', {
    class: 'card audio-card', 'aria-label': 'Microphone audio', hidden: true
  }, sound.element, frames.element)
  const input = inputChoice({ onchange: changeInput })
  const controls = transport(
    { start, stop, pause: () => pause(true), resume, listen }, level.element)

  let microphone = null
  let phase = 'idle'
  let name = ''
  let upload = null
  let isSending = false
  /** A promise of the end of the upload, for which the worker must stay open. */
  let waiting = null
  let isLost = false

  function show(newPhase) {
    phase = newPhase
    controls.show(phase, name)
    input.setPhase(phase === 'idle')
  }

  async function open() {
    show('opening')
    controls.problem(null)
    // Create the context while the click still counts as permission, so do not await the modules here.
    const opened = new Microphone({ encoder: encoderModule(), samples: samplesModule() })
    listenTo(opened)
    try {
      await opened.open(input.options())
    } catch (error) {
      fail(error)
      return false
    }
    microphone = opened
    isLost = false
    audioCard.hidden = false
    sound.clear('Waiting for the first sound.')
    frames.clear()
    input.refresh()
    warnOfDoubledChannel()
    return true
  }

  function warnOfDoubledChannel() {
    if (!microphone.isDoubled) return
    toast('This microphone has one channel, so left and right are identical. Mono needs half the '
      + 'bits.', { seconds: 8 })
  }

  function fail(error) {
    show('idle')
    controls.problem(error.message)
    announce(error.message, 'assertive')
  }

  function listenTo(opened) {
    // A closed microphone may still send events, which do not concern the current one.
    const on = (type, act) => opened.addEventListener(type, ({ detail }) => {
      if (opened === microphone) act(detail)
    })
    on('meter', data => {
      level.show(data.peaks, data.rms)
      sound.push(data.columns)
      if (!opened.isRecording) return
      controls.meter(data)
      frames.push(data.frames, data.unitRate)
    })
    on('upload', data => {
      const before = upload?.state
      upload = data
      controls.upload(data)
      if (data.state !== 'failed' || before === 'failed') return
      toast(`The upload to the library stopped: ${data.problem} The recording continues in this `
        + 'browser. Send it when it is finished.', { kind: 'error' })
    })
    on('lost', text => {
      isLost = true
      if (phase === 'recording') pause(true)
      if (phase === 'listening') close()
      controls.problem(text)
      announce(text, 'assertive')
    })
    on('muted', isMuted => controls.problem(isMuted
      ? 'The system has muted the microphone, so the recording is silent. Unmute it on '
        + 'the device or in the system settings.' : null))
    on('broken', ({ message, entry }) => {
      const text = `The recording stopped: ${message} The audio up to now is saved below.`
      controls.problem(text)
      announce(text, 'assertive')
      // If the user is stopping the recording, `stop` receives and handles the entry.
      if (phase === 'stopping') return
      name = ''
      if (entry) finished(entry)
      close().then(() => entry ?? onrecorded(null))
    })
  }

  async function start() {
    if (!microphone && !await open()) return
    const { sends, keepsSamples } = input.options()
    const { takesTags, ...options } = coding.options()
    const startedAt = Date.now()
    const title = nameAt(startedAt)
    name = `${title}.${endingOf(options.container)}`
    upload = null
    isSending = sends
    controls.reset()
    controls.upload(sends ? { state: 'sending', sent: 0 } : null)
    frames.clear()
    try {
      const { isLasting } = await microphone.start({
        ...options, sends, keepsSamples, name, startedAt,
        id: `${startedAt.toString(36)}-${Math.random().toString(36).slice(2, 8)}`,
        tags: takesTags ? { title } : {}
      })
      if (!isLasting) {
        toast('This browser keeps the recording in memory only: it is lost if the page closes '
          + 'before you download it.', { seconds: 12 })
      }
    } catch (error) {
      await close()
      return fail(error)
    }
    show('recording')
    announce('Recording in this browser.')
  }

  async function stop() {
    if (phase !== 'recording' && phase !== 'paused') return
    show('stopping')
    try {
      const entry = await microphone.stop()
      if (!entry) throw new Error('It was interrupted.')
      announce(`Stopped. ${entry.name}, ${clock(entry.seconds)}, ${size(entry.file.size)}.`)
      finished(entry)
    } catch (error) {
      controls.problem(`The recording could not be completed: ${error.message}`)
      onrecorded(null)
    }
    name = ''
    await close()
  }

  /** Passes on a completed recording. */
  function finished(entry) {
    controls.meter({ ...entry, bytes: entry.file.size }, true)
    // Prevents the browser from deleting the recording when the disk is full; the browser may ask the user
    // first.
    if (entry.isLasting) navigator.storage.persist?.().catch(() => {})
    const following = isSending ? followUpload(microphone, upload && { ...upload }) : null
    waiting = following?.ended ?? null
    onrecorded(entry, following)
  }

  async function pause(isPaused) {
    if (!microphone) return
    await microphone.pause(isPaused)
    show(isPaused ? 'paused' : 'recording')
    announce(isPaused ? 'Paused.' : 'Resumed.')
  }

  async function resume() {
    controls.problem(null)
    try {
      if (isLost) await microphone.change(input.options())
      isLost = false
      await pause(false)
    } catch (error) {
      controls.problem(error.message)
    }
  }

  async function listen(isOn) {
    if (!isOn) return close()
    if (!await open()) return
    // The user left the view while the browser asked for permission.
    if (controls.element.closest('[hidden]')) return close()
    show('listening')
    announce('Checking the level; nothing is recorded.')
  }

  async function close() {
    const old = microphone
    microphone = null
    show('idle')
    level.clear()
    sound.idle('No sound.')
    const ended = waiting
    waiting = null
    await old?.close({ waiting: ended })
  }

  async function changeInput() {
    if (!microphone) return
    try {
      await microphone.change(input.options())
      isLost = false
      controls.problem(null)
      announce(`Listening to ${microphone.label}.`)
      warnOfDoubledChannel()
    } catch (error) {
      controls.problem(error.message)
    }
  }

  addEventListener('beforeunload', event => {
    if (phase === 'recording' || phase === 'paused' || phase === 'stopping') event.preventDefault()
  })
  return {
    element: controls.element, audioCard, input,
    press: controls.press,
    /** Called when the user leaves the view: a recording continues, but a level check ends. */
    hidden() { if (phase === 'listening') close() }
  }
}

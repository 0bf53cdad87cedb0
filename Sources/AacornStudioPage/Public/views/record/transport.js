// The buttons Start, Stop, Pause, Mute, Hear and Check level, with time, size and other key facts.

import { h, icon, replace, setText, showText } from '../../dom.js'
import { bitrate, clock, count, grouped, signed, size } from '../../format.js'
import { factList, keyButton, phases, setKeyButton, transportControls } from '../transport.js'

/**
 * Creates `{element, show(studio), press(key, target), problem(message), time(seconds), facts(meter), saved(last),
 * reset()}`; `actions` has `start`, `stop`, `pause`, `resume`, `mute`, `unmute`, `monitor(isOn, gain)` and `listen(isOn)`.
 */
export function transport(actions, levelElement) {
  const facts = factList('transport-facts', [
    ['size', 'Size'], ['bitrate', 'Bitrate', 'The average bitrate of the file'],
    ['gaps', 'Gaps', 'Lost audio, replaced by silence'],
    ['drift', 'Drift', 'The device’s clock against the computer’s, in millionths'],
    ['clipped', 'Clipped', 'Samples at full scale, which are probably distorted']
  ])
  const mute = keyButton('mic', 'Mute', 'M', {
    'aria-pressed': 'false', onclick: () => (isMuted ? actions.unmute() : actions.mute())
  })
  const monitor = keyButton('volume', 'Hear', 'H', {
    class: 'monitor', 'aria-pressed': 'false', onclick: () => actions.monitor(!isMonitored, volume.value)
  })
  monitor.title = 'Play the input on the machine where the studio runs; use headphones (H)'
  const volume = h('input', {
    type: 'range', min: '-30', max: '6', step: '1', value: '0',
    oninput: () => actions.monitor(true, volume.value)
  })
  const volumeRow = h('label', { class: 'monitor-volume', hidden: true }, 'Listening volume', volume)
  const controls = transportControls(actions, facts, { m: mute, h: monitor })
  const { main, pause, listen, time } = controls
  listen.title = 'Show the level without recording (L)'
  const problem = h('p', { class: 'problem', hidden: true })
  const warning = h('p', { class: 'notice', hidden: true }, icon('warning'), h('span'))
  const result = h('p', { class: 'result', hidden: true })
  const element = h('section', { class: 'card transport', 'aria-label': 'Transport' },
    controls.parts, volumeRow, problem, warning, result, levelElement)

  let isMuted = false
  let isMonitored = false
  let hasRun = false
  let shownName = null
  let resting = null

  /**
   * Enables or disables a button. A button with the focus gets it back when it is enabled again, unless the
   * focus has moved.
   */
  function enable(control, isEnabled) {
    if (control === document.activeElement && !isEnabled) resting = control
    control.disabled = !isEnabled
    if (!isEnabled || resting !== control) return
    resting = null
    focusAgain(control)
  }

  function focusAgain(control) {
    if (document.activeElement === document.body) control.focus({ preventScroll: true })
  }

  function show(studio) {
    const { state, isConnected } = studio
    if (!state) {
      for (const control of [main, pause, mute, monitor, listen]) control.disabled = true
      return
    }
    const { phase, recording } = state
    const isRunning = phase === 'recording' || phase === 'paused'
    isMuted = state.isMuted
    isMonitored = state.isHeard
    hasRun ||= isRunning
    element.dataset.phase = isConnected ? phase : 'lost'
    const hasDevice = recording?.device && !recording.isDeviceLost
    const from = hasDevice ? ` from ${recording.device.name}` : ''
    const word = phases[phase] + (isMuted && isRunning ? ', muted' : '')
    controls.show(phase, isConnected ? word : 'Not connected', recording ? recording.name + from : '')
    enable(main, isConnected && !controls.isBusy())
    enable(pause, isConnected && isRunning)
    setKeyButton(mute, isMuted ? 'mic-off' : 'mic', 'Mute')
    mute.setAttribute('aria-pressed', String(isMuted))
    enable(mute, isConnected && isRunning)
    monitor.setAttribute('aria-pressed', String(isMonitored))
    enable(monitor, isConnected && (isRunning || phase === 'listening'))
    volumeRow.hidden = !isMonitored
    enable(listen, isConnected && (phase === 'idle' || phase === 'listening'))
    if (resting && !main.disabled) {
      // The button may stay disabled for long, so the main button gets the focus.
      resting = null
      focusAgain(main)
    }
    const isLost = Boolean(recording?.isDeviceLost)
    const isSilent = Boolean(recording?.isSilent) && !isLost
    warning.hidden = !isLost && !isSilent
    setText(warning.lastChild, isLost
      ? 'No audio arrives from the device. Connect it, or choose another.'
      : isSilent ? `No sound${from || ' from the device'}. Is it muted?` : '')
    showResult(state)
    if (!hasRun) time.show(0)
  }

  /** Shows the finished file, if it was recorded while this page was open. */
  function showResult(state) {
    const { last } = state
    result.hidden = !last || !hasRun || state.phase !== 'idle'
    if (result.hidden || shownName === last.name) return
    shownName = last.name
    replace(result, icon('check'), h('span', { class: 'grow' },
      h('strong', last.name), ` is saved: ${clock(last.seconds)}, ${size(last.bytes)}`,
      last.gapCount ? `, ${count(last.gapCount, 'gap')}. ` : '. ',
      last.isSilent && h('strong', 'The whole recording is silent. '),
      h('a', { href: '#library' }, 'Show it in the Library')))
  }

  function showFile(file) {
    facts.show('size', size(file.bytes))
    facts.show('bitrate', bitrate(file.bitrate))
    facts.show('gaps', String(file.gapCount), file.gapCount > 0)
  }

  return {
    element,
    show,
    press: controls.press,
    /** Shows or clears a problem; returns whether it is visible now. */
    problem(message) {
      showText(problem, message)
      if (!message) return false
      const { top, bottom } = problem.getBoundingClientRect()
      return top >= 0 && bottom > top && bottom <= innerHeight
    },
    /** The time, shown at every report; the facts are shown four times a second. */
    time: time.show,
    facts({ seconds, drift, clipped, ...file }) {
      showFile({ ...file, bitrate: seconds >= 2 ? file.bitrate : null })
      facts.show('drift', drift === null || drift === undefined
        ? '–' : `${drift > 0 ? '+' : ''}${signed(drift, Math.abs(drift) < 10 ? 1 : 0)} ppm`)
      facts.show('clipped', grouped(clipped), clipped > 0)
    },
    /** Shows the facts of the complete file. */
    saved(last) {
      time.show(last.seconds)
      showFile(last)
    },
    reset() {
      shownName = null
      controls.reset()
    }
  }
}

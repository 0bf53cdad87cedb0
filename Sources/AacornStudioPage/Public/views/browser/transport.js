// The buttons Start, Stop, Pause and Check level of the browser's microphone, with the key facts.

import { h, icon, replace } from '../../dom.js'
import { bitrate, size } from '../../format.js'
import {
  elapsedTime, factList, keyButton, phases, setKeyButton, stateLine
} from '../transport.js'

const words = { ...phases, opening: 'Opening the microphone' }

/** Creates the card; `actions` has `start`, `stop`, `pause`, `resume` and `listen(isOn)`. */
export function transport(actions, levelElement) {
  const line = stateLine()
  const time = elapsedTime()
  const facts = factList('browser-facts', [
    ['size', 'Size'], ['bitrate', 'Bitrate', 'Average of the whole file so far'],
    ['lost', 'Lost audio', 'Missing audio, replaced by silence'],
    ['sent', 'In the library', 'The amount that the studio has received']
  ])
  const main = keyButton('record', 'Start', 'R', {
    class: 'main', onclick: () => {
      if (!isBusy()) (isRunning() ? actions.stop : actions.start)()
    }
  })
  const pause = keyButton('pause', 'Pause', 'P', {
    onclick: () => (phase === 'paused' ? actions.resume() : actions.pause())
  })
  const listen = keyButton('meter', 'Check level', 'L', {
    'aria-pressed': 'false', onclick: () => {
      if (!isBusy()) actions.listen(phase !== 'listening')
    }
  })
  const problem = h('p', { class: 'problem browser-problem', hidden: true })
  const element = h('section', {
    class: 'card transport browser-transport', 'aria-labelledby': 'browser-microphone'
  },
  h('header', h('h2', { id: 'browser-microphone' }, 'Record with this browser'),
    h('p', { class: 'hint' }, 'Audio stays in this browser unless you send it to the library.')),
  line.element,
  h('div', { class: 'transport-now' }, time.element, facts.element),
  h('div', { class: 'transport-buttons' }, main, pause, listen),
  problem, levelElement)

  let phase = 'idle'
  let factsAt = 0
  const isBusy = () => phase === 'opening' || phase === 'stopping'
  const isRunning = () => phase === 'recording' || phase === 'paused'

  const transport = {
    element,
    press(key) {
      const control = { r: main, p: pause, l: listen }[key]
      if (!control || control.disabled || isBusy()) return false
      control.click()
      return true
    },
    /** Shows a phase, and the file's name. */
    show(newPhase, fileName = '') {
      phase = newPhase
      element.dataset.phase = phase
      line.show(words[phase], fileName)
      setKeyButton(main, isRunning() ? 'stop' : 'record', isRunning() ? 'Stop' : 'Start')
      main.classList.toggle('is-running', isRunning())
      // The buttons are not disabled during these moments, since that would remove the keyboard focus.
      for (const control of [main, listen]) {
        control.setAttribute('aria-disabled', String(isBusy()))
      }
      const isPaused = phase === 'paused'
      setKeyButton(pause, isPaused ? 'play' : 'pause', isPaused ? 'Resume' : 'Pause')
      pause.disabled = !isRunning()
      listen.setAttribute('aria-pressed', String(phase === 'listening'))
      listen.disabled = isRunning()
    },
    problem(message, action) {
      problem.hidden = !message
      replace(problem, message ? icon('warning') : null,
        h('span', { class: 'grow' }, message ?? ''), action)
    },
    /** Shows the time at every report, and the other facts four times a second or at the end. */
    meter({ seconds, bytes, gapCount, lostSeconds }, isFinal = false) {
      if (!document.hidden || isFinal) time.show(seconds)
      const now = performance.now()
      if (now - factsAt < 250 && !isFinal) return
      factsAt = now
      facts.show('size', size(bytes))
      facts.show('bitrate', seconds >= 1 ? bitrate(bytes * 8 / seconds) : '–')
      facts.show('lost', gapCount ? `${lostSeconds.toFixed(2)} s, ${gapCount}×` : 'none',
        gapCount > 0)
    },
    /** Shows the upload's progress; null if there is no upload. */
    upload(upload) {
      const isBad = upload?.state === 'failed' || upload?.state === 'waiting'
      facts.show('sent', !upload ? '–' : isBad ? upload.state : size(upload.sent), isBad)
    },
    reset() {
      time.show(0)
      facts.reset()
    }
  }
  transport.show('idle')
  return transport
}

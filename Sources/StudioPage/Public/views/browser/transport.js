// Start, Stop, Pause and Check level of the browser's microphone, with what is worth a glance.

import { h, icon, replace, setText } from '../../dom.js'
import { bitrate, clock, size } from '../../format.js'

const words = {
  idle: 'Ready', opening: 'Opening the microphone', listening: 'Checking the level',
  recording: 'Recording', paused: 'Paused', stopping: 'Finishing the file'
}

/** Makes the card; `actions` has `start`, `stop`, `pause`, `resume` and `listen(isOn)`. */
export function transport(actions, levelElement) {
  const badge = h('span', { class: 'badge phase' },
    h('span', { class: 'dot', 'aria-hidden': 'true' }), h('span'))
  const name = h('span', { class: 'muted clip grow' })
  const whole = h('span')
  const tenths = h('span', { class: 'tenths' })
  const time = h('div', { class: 'elapsed', role: 'timer', 'aria-label': 'Elapsed time' },
    whole, tenths)
  const facts = {}
  const fact = (key, label, title) => {
    facts[key] = h('dd', '–')
    return h('div', { title }, h('dt', label), facts[key])
  }
  const list = h('dl', { class: 'facts browser-facts' },
    fact('size', 'Size'), fact('bitrate', 'Bitrate', 'Mean of the whole file so far'),
    fact('lost', 'Lost sound', 'Sound that never came, replaced by silence'),
    fact('sent', 'In the library', 'What the studio has of it'))
  const button = (shape, label, key, attributes) => h('button', {
    type: 'button', title: `${label} (${key})`, 'aria-keyshortcuts': key, ...attributes
  }, icon(shape), h('span', label))
  const main = button('record', 'Start', 'R', {
    class: 'main', onclick: () => {
      if (!isBusy()) (isRunning() ? actions.stop : actions.start)()
    }
  })
  const pause = button('pause', 'Pause', 'P', {
    onclick: () => (phase === 'paused' ? actions.resume() : actions.pause())
  })
  const listen = button('meter', 'Check level', 'L', {
    'aria-pressed': 'false', onclick: () => {
      if (!isBusy()) actions.listen(phase !== 'listening')
    }
  })
  const problem = h('p', { class: 'problem browser-problem', hidden: true })
  const element = h('section', {
    class: 'card transport browser-transport', 'aria-labelledby': 'browser-microphone'
  },
  h('header', h('h2', { id: 'browser-microphone' }, 'Microphone of this browser'),
    h('p', { class: 'hint' }, 'Encoded here in the page; nothing is sent unless you say so.')),
  h('div', { class: 'row transport-state' }, badge, name),
  h('div', { class: 'transport-now' }, time, list),
  h('div', { class: 'transport-buttons' }, main, pause, listen),
  problem, levelElement)

  let phase = 'idle'
  let factsAt = 0
  const isBusy = () => phase === 'opening' || phase === 'stopping'
  const isRunning = () => phase === 'recording' || phase === 'paused'

  function setButton(control, shape, label, key) {
    const text = control.lastChild
    if (text.textContent === label) return
    text.textContent = label
    control.firstChild.replaceWith(icon(shape))
    control.title = `${label} (${key})`
  }

  function showTime(seconds) {
    setText(whole, clock(seconds))
    setText(tenths, `.${Math.floor(seconds * 10 + 0.001) % 10}`)
  }

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
      setText(badge.lastChild, words[phase])
      setText(name, fileName)
      setButton(main, isRunning() ? 'stop' : 'record', isRunning() ? 'Stop' : 'Start', 'R')
      main.classList.toggle('is-running', isRunning())
      // Not really disabled for these moments, or who uses the keyboard would lose the place.
      for (const control of [main, listen]) {
        control.setAttribute('aria-disabled', String(isBusy()))
      }
      const isPaused = phase === 'paused'
      setButton(pause, isPaused ? 'play' : 'pause', isPaused ? 'Resume' : 'Pause', 'P')
      pause.disabled = !isRunning()
      listen.setAttribute('aria-pressed', String(phase === 'listening'))
      listen.disabled = isRunning()
    },
    problem(sentence, action) {
      problem.hidden = !sentence
      replace(problem, sentence ? icon('warning') : null,
        h('span', { class: 'grow' }, sentence ?? ''), action)
    },
    /** Time at every report, the rest four times a second; at the end all of it. */
    meter({ seconds, bytes, gapCount, lostSeconds }, isFinal = false) {
      if (!document.hidden || isFinal) showTime(seconds)
      const now = performance.now()
      if (now - factsAt < 250 && !isFinal) return
      factsAt = now
      setText(facts.size, size(bytes))
      setText(facts.bitrate, seconds >= 1 ? bitrate(bytes * 8 / seconds) : '–')
      setText(facts.lost, gapCount ? `${lostSeconds.toFixed(2)} s, ${gapCount}×` : 'none')
      facts.lost.classList.toggle('is-bad', gapCount > 0)
    },
    /** How far the library is; null if nothing is sent. */
    upload(upload) {
      const isBad = upload?.state === 'failed' || upload?.state === 'waiting'
      setText(facts.sent, !upload ? '–' : isBad ? upload.state : size(upload.sent))
      facts.sent.classList.toggle('is-bad', isBad)
    },
    reset() {
      showTime(0)
      for (const value of Object.values(facts)) {
        setText(value, '–')
        value.classList.remove('is-bad')
      }
    }
  }
  transport.reset()
  transport.show('idle')
  return transport
}

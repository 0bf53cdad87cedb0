// The transport controls that the studio's recorder and the browser's microphone share.

import { h, icon, setText, visible } from '../dom.js'
import { clock } from '../format.js'

/** The time in milliseconds after the start of a recording for which no key stops it. */
const stopDelay = 1000

export const phases = {
  idle: 'Ready', opening: 'Opening the device', listening: 'Checking the level',
  recording: 'Recording', paused: 'Paused', stopping: 'Finishing the file'
}

/**
 * Creates the line of state, the time, the facts and the buttons: `{parts, main, pause, listen, time,
 * isRunning(), isBusy(), show(phase, word, name), press(key), reset()}`, where `parts` are the elements in order.
 * `actions` has `start`, `stop`, `pause`, `resume` and `listen(isOn)`; `others` has more buttons by their keys.
 * The caller enables and disables the buttons.
 */
export function transportControls(actions, facts, others = {}) {
  const line = stateLine()
  const time = elapsedTime()
  let phase = 'idle'
  let startedAt = -Infinity
  const isRunning = () => phase === 'recording' || phase === 'paused'
  const isBusy = () => phase === 'opening' || phase === 'stopping'
  const main = keyButton('record', 'Start', 'R', {
    class: 'main', onclick: event => {
      // The button changes under the pointer: the second part of a double click is not another command.
      if (isBusy() || event.detail > 1) return
      if (!isRunning()) return void actions.start()
      // A click with a key has no count.
      if (event.detail === 0 && performance.now() - startedAt < stopDelay) return
      actions.stop()
    },
    onkeydown: event => {
      // A held Enter key would click again and again.
      if (event.repeat) event.preventDefault()
      if (event.key !== ' ' || !isRunning()) return
      event.preventDefault()
      if (!event.repeat) pause.click()
    },
    onkeyup: event => {
      // Firefox clicks when the key is released.
      if (event.key === ' ' && isRunning()) event.preventDefault()
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
  const buttons = { r: main, p: pause, ...others, l: listen }
  return {
    parts: [
      line.element, h('div', { class: 'transport-now' }, time.element, facts.element),
      h('div', { class: 'transport-buttons' }, Object.values(buttons))
    ],
    main, pause, listen, time, isRunning, isBusy,
    /** Shows a phase with its name, and the name of the file. */
    show(newPhase, word, name) {
      const wasRunning = isRunning()
      phase = newPhase
      if (isRunning() && !wasRunning) startedAt = performance.now()
      line.show(word, name)
      setKeyButton(main, ...isRunning() ? ['stop', 'Stop'] : ['record', 'Start'])
      main.classList.toggle('is-running', isRunning())
      setKeyButton(pause, ...phase === 'paused' ? ['play', 'Resume'] : ['pause', 'Pause'])
      listen.setAttribute('aria-pressed', String(phase === 'listening'))
    },
    /**
     * Presses the button of a key; returns whether that is possible. The space bar pauses a recording, as in
     * the command, unless `target` is a control.
     */
    press(key, target) {
      if (key === ' ' && (!isRunning() || target?.closest?.(spaceControls))) return false
      const control = key === ' ' ? pause : buttons[key]
      if (!control || control.disabled || isBusy()) return false
      control.click()
      return true
    },
    /** Resets the display for a new recording. */
    reset() {
      time.show(0)
      facts.reset()
    }
  }
}

/** Creates `{element, show(phase, name)}`: the phase and the file name. */
function stateLine() {
  const word = h('span')
  const name = h('span', { class: 'muted clip grow' })
  const element = h('div', { class: 'row transport-state' },
    h('span', { class: 'badge phase' }, h('span', { class: 'dot', 'aria-hidden': 'true' }), word),
    name)
  return {
    element,
    show(phase, text) {
      setText(word, phase)
      setText(name, text)
      const title = visible(text)
      if (name.title !== title) name.title = title
    }
  }
}

/** Creates `{element, show(seconds)}`: the elapsed time in large digits. */
function elapsedTime() {
  const whole = h('span')
  const tenths = h('span', { class: 'tenths' })
  const element = h('div', { class: 'elapsed', role: 'timer', 'aria-label': 'Elapsed time' },
    h('div', { class: 'elapsed-digits' }, whole, tenths))
  function show(seconds) {
    element.classList.toggle('has-hours', seconds >= 3600)
    setText(whole, clock(seconds))
    setText(tenths, `.${Math.floor(seconds * 10 + 0.001) % 10}`)
  }
  show(0)
  return { element, show }
}

/**
 * Creates `{element, show(key, text, isBad), reset()}` from `entries`, which consist of a key, a label and an
 * optional explanation.
 */
export function factList(name, entries) {
  const values = {}
  const element = h('dl', { class: `facts ${name}` }, entries.map(([key, label, title]) => {
    values[key] = h('dd', '–')
    return h('div', { title }, h('dt', label), values[key])
  }))
  function show(key, text, isBad = false) {
    setText(values[key], text)
    values[key].classList.toggle('is-bad', isBad)
  }
  return {
    element,
    show,
    reset() { for (const key of Object.keys(values)) show(key, '–') }
  }
}

/** Creates a button with a keyboard shortcut. */
export function keyButton(shape, label, key, attributes) {
  return h('button', {
    title: `${label} (${key})`, 'aria-keyshortcuts': key, dataset: { shape }, ...attributes
  }, icon(shape), h('span', label))
}

export function setKeyButton(control, shape, label) {
  if (control.dataset.shape === shape) return
  control.dataset.shape = shape
  control.firstChild.replaceWith(icon(shape))
  control.lastChild.textContent = label
  control.title = `${label} (${control.getAttribute('aria-keyshortcuts')})`
}

// Keyboard shortcuts are single letters, except while typing or with modifier keys.
const typing = 'input:not([type="checkbox"], [type="radio"], [type="range"]), select, textarea, '
  + '[contenteditable]'

/** The controls that use the space bar themselves. */
const spaceControls = 'a, button, input, summary, [role="slider"]'

/**
 * Calls `press(key, target)` for letters and spaces typed while `isActive()`; it returns whether it handled the
 * key.
 */
export function listenForKeys(isActive, press) {
  document.addEventListener('keydown', event => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey || event.repeat) return
    if (event.defaultPrevented || event.target.closest?.(typing) || !isActive()) return
    if (press(event.key.toLowerCase(), event.target)) event.preventDefault()
  })
}

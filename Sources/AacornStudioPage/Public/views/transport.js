// The parts that the transport controls of the studio and of the browser's microphone share.

import { h, icon, setText } from '../dom.js'
import { clock } from '../format.js'
import { visible } from '../text.js'

/** The display names of the phases. */
export const phases = {
  idle: 'Ready', opening: 'Opening the device', listening: 'Checking the level',
  recording: 'Recording', paused: 'Paused', stopping: 'Finishing the file'
}

/** Creates `{element, show(phase, name)}`: the phase and the file name. */
export function stateLine() {
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
export function elapsedTime() {
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
    type: 'button', title: `${label} (${key})`, 'aria-keyshortcuts': key, dataset: { shape },
    ...attributes
  }, icon(shape), h('span', label))
}

/** Changes the icon and label of such a button. */
export function setKeyButton(control, shape, label) {
  if (control.dataset.shape === shape) return
  control.dataset.shape = shape
  control.firstChild.replaceWith(icon(shape))
  control.lastChild.textContent = label
  control.title = `${label} (${control.getAttribute('aria-keyshortcuts')})`
}

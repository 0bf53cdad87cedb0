// Form controls with their labels, and settings stored in this browser between visits; never passwords or keys.

import { h, uniqueId } from '../../dom.js'

/** Creates a field from a control with its label above and an optional hint below. */
export function field(label, control, hint) {
  control.id ||= uniqueId('field')
  return described(control,
    h('div', { class: 'field' }, h('label', { for: control.id }, label), control), hint)
}

/** Appends the hint of a control, if any, to its field. */
function described(control, element, hint) {
  if (!hint) return element
  hint.id ||= uniqueId('hint')
  control.setAttribute('aria-describedby', hint.id)
  element.append(hint)
  return element
}

/** Creates a list to choose from; options are `[value, label]`. */
export function select(options, attributes = {}) {
  return h('select', attributes, options.map(([value, label]) => h('option', { value }, label)))
}

/** Creates a choice of a few options, side by side: `{element, value}`; options are `[value, label, title]`. */
export function segments(legend, options, { onchange } = {}) {
  const name = uniqueId('choice')
  const inputs = options.map(([value]) => h('input', { type: 'radio', name, value, onchange }))
  const element = h('fieldset', { class: 'field' },
    h('legend', legend),
    h('div', { class: 'segments' }, options.map(([, label, title], index) =>
      h('label', { title }, inputs[index], h('span', label)))))
  return {
    element,
    get value() { return inputs.find(input => input.checked)?.value },
    /** Selects an option; an unknown value changes nothing. */
    set value(value) {
      const input = inputs.find(input => input.value === String(value))
      if (input) input.checked = true
    }
  }
}

/** Creates a check box with its label and an optional hint: `{element, input}`. */
export function check(label, attributes = {}, hint) {
  const input = h('input', { type: 'checkbox', id: uniqueId('check'), ...attributes })
  const element = h('div', { class: 'field' },
    h('label', { class: 'check', for: input.id }, input, h('span', label)))
  return { element: described(input, element, hint), input }
}

/** Selects an option of a list, and adds it if it is missing. */
export function choose(control, value, label) {
  const text = String(value)
  if (![...control.options].some(option => option.value === text)) {
    control.append(h('option', { value: text }, label ?? text))
  }
  control.value = text
}

/** Creates a group of controls with a legend for screen readers, to disable them together. */
export const group = (legend, ...content) => h('fieldset', { class: 'plain stack' },
  h('legend', { class: 'visually-hidden' }, legend), content)

/** Creates the form around cards of settings. */
export function settingsForm(...cards) {
  return h('form', {
    class: 'settings', 'aria-label': 'Settings', autocomplete: 'off',
    onsubmit: event => event.preventDefault()
  }, cards)
}

/** Returns the value stored under a name, or null. */
export function recall(name) {
  try {
    return JSON.parse(localStorage.getItem(`aacorn-${name}`))
  } catch {
    return null
  }
}

export function remember(name, value) {
  try {
    localStorage.setItem(`aacorn-${name}`, JSON.stringify(value))
  } catch {
    // Access may be denied in private windows; the value is then lost with the page.
  }
}

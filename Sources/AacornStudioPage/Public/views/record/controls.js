// Form controls with their labels.

import { h, uniqueId } from '../../dom.js'

/** A control with its label above and, if there is one, a hint below. */
export function field(label, control, hint) {
  control.id ||= uniqueId('field')
  const element = h('div', { class: 'field' }, h('label', { for: control.id }, label), control)
  if (hint) {
    hint.id ||= uniqueId('hint')
    control.setAttribute('aria-describedby', hint.id)
    element.append(hint)
  }
  return element
}

/** A list to choose from; options are `[value, label]`. */
export function select(options, attributes = {}) {
  return h('select', attributes, options.map(([value, label]) => h('option', { value }, label)))
}

/** A choice of few, side by side: `{element, value}`; options are `[value, label, title]`. */
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
    set value(value) {
      for (const input of inputs) input.checked = input.value === String(value)
    }
  }
}

/** A check box with its label and, if there is one, a hint: `{element, input}`. */
export function check(label, attributes = {}, hint) {
  const input = h('input', { type: 'checkbox', id: uniqueId('check'), ...attributes })
  const element = h('div', { class: 'field' },
    h('label', { class: 'check', for: input.id }, input, h('span', label)))
  if (hint) {
    hint.id ||= uniqueId('hint')
    input.setAttribute('aria-describedby', hint.id)
    element.append(hint)
  }
  return { element, input }
}

/** Chooses an option of a list, and adds it if it is not there. */
export function choose(control, value, label) {
  const text = String(value)
  if (![...control.options].some(option => option.value === text)) {
    control.append(h('option', { value: text }, label ?? text))
  }
  control.value = text
}

// Building and telling: elements, the live regions for screen readers, and toasts.

import { icon } from './icons.js'

export { icon }

const properties = new Set(['value', 'checked', 'selected', 'disabled', 'hidden', 'indeterminate',
  'textContent', 'className'])

/**
 * Makes an element: `h('button', {class: 'primary', onclick}, 'Start')`. Text goes in as text and
 * never as markup; null, undefined and false are left out, both as attributes and as children.
 */
export function h(tag, attributes, ...children) {
  const element = document.createElement(tag)
  if (attributes instanceof Node || typeof attributes !== 'object' || Array.isArray(attributes)) {
    children.unshift(attributes)
  } else if (attributes) {
    setAttributes(element, attributes)
  }
  append(element, children)
  return element
}

/** Sets attributes, properties (value, checked, …) and listeners (`onclick`) of an element. */
export function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on') && typeof value === 'function') {
      element.addEventListener(name.slice(2).toLowerCase(), value)
    } else if (name === 'dataset') {
      Object.assign(element.dataset, value)
    } else if (properties.has(name)) {
      if (value !== undefined && value !== null) element[name] = value
    } else if (name.startsWith('aria-')) {
      if (value === undefined || value === null) element.removeAttribute(name)
      else element.setAttribute(name, String(value))
    } else if (value === undefined || value === null || value === false) {
      element.removeAttribute(name)
    } else {
      element.setAttribute(name, value === true ? '' : String(value))
    }
  }
}

function append(element, children) {
  for (const child of children) {
    if (child === undefined || child === null || child === false || child === true) continue
    if (Array.isArray(child)) append(element, child)
    else element.append(child instanceof Node ? child : String(child))
  }
}

/** Replaces what an element holds. */
export function replace(element, ...children) {
  element.replaceChildren()
  append(element, children)
  return element
}

/** Sets a text only if it differs, so that nothing is laid out again for nothing. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text
}

let serial = 0

/** An id that is not on the page yet, for labels. */
export function uniqueId(prefix = 'id') {
  serial += 1
  return `${prefix}-${serial}`
}

/** Says a sentence to screen readers; `urgency` is 'polite' (usual) or 'assertive' (errors). */
export function announce(text, urgency = 'polite') {
  const region = document.getElementById(urgency === 'assertive' ? 'assertive' : 'polite')
  if (!region) return
  // The same sentence twice is only read again if the region was empty in between.
  region.textContent = ''
  setTimeout(() => { region.textContent = text }, 50)
}

/**
 * Shows a sentence at the foot of the page for some seconds, with a button if there is something to
 * do about it. Kinds: 'note', 'success', 'error'. Errors stay until they are closed. It does not
 * vanish while it is pointed at or has the focus.
 */
export function toast(text, { action, kind = 'note', seconds } = {}) {
  const region = document.getElementById('toasts')
  const duration = seconds ?? (kind === 'error' ? 20 : action ? 10 : 5)
  const element = h('div', { class: `toast ${kind}` }, h('p', text))
  let timer
  const close = () => {
    clearTimeout(timer)
    element.remove()
  }
  const start = () => {
    clearTimeout(timer)
    timer = setTimeout(close, duration * 1000)
  }
  const hold = () => clearTimeout(timer)
  if (action) {
    const run = () => {
      close()
      action.run()
    }
    element.append(h('button', { type: 'button', class: 'quiet', onclick: run }, action.label))
  }
  element.append(h('button', {
    type: 'button', class: 'quiet icon-only', 'aria-label': 'Close this message', onclick: close
  }, icon('close')))
  setAttributes(element, {
    onmouseenter: hold, onmouseleave: start, onfocusin: hold, onfocusout: start
  })
  for (const old of [...region.children]) {
    if (old.firstChild.textContent === text) old.remove()
  }
  while (region.children.length > 2) region.firstElementChild.remove()
  region.append(element)
  announce(text, kind === 'error' ? 'assertive' : 'polite')
  start()
  return { close }
}

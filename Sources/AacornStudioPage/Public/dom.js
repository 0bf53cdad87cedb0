// Functions that build elements, announce messages to screen readers (live regions), and show toasts.

import { icon } from './icons.js'
import { visible } from './text.js'

export { icon }

const properties = new Set(['value', 'checked', 'selected', 'disabled', 'hidden', 'indeterminate',
  'textContent', 'className'])

/**
 * Creates an element: `h('button', {class: 'primary', onclick}, 'Start')`. Text is inserted as text, never as
 * markup, with invisible characters escaped. Null, undefined and false are skipped, both as attributes and as
 * children.
 */
export function h(tag, attributes, ...children) {
  const element = document.createElement(tag)
  // Otherwise a button would submit its form.
  if (tag === 'button') element.type = 'button'
  if (attributes instanceof Node || typeof attributes !== 'object' || Array.isArray(attributes)) {
    children.unshift(attributes)
  } else if (attributes) {
    setAttributes(element, attributes)
  }
  append(element, children)
  return element
}

/** Sets attributes, properties (value, checked, …) and listeners (`onclick`) of an element. */
function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on') && typeof value === 'function') {
      element.addEventListener(name.slice(2).toLowerCase(), value)
    } else if (name === 'dataset') {
      Object.assign(element.dataset, value)
    } else if (properties.has(name)) {
      if (value !== undefined && value !== null) element[name] = value
    } else if (name.startsWith('aria-')) {
      if (value === undefined || value === null) element.removeAttribute(name)
      else element.setAttribute(name, visible(String(value)))
    } else if (name === 'title' && typeof value === 'string') {
      element.title = visible(value)
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
    else element.append(child instanceof Node ? child : visible(String(child)))
  }
}

export function replace(element, ...children) {
  element.replaceChildren()
  append(element, children)
  return element
}

/** Sets a text only if it differs, to avoid a layout without a change. */
export function setText(element, words) {
  const text = visible(String(words ?? ''))
  const node = element.firstChild
  // Counters change the existing text node: a new node at every update would cause much garbage collection.
  if (text && node?.nodeType === Node.TEXT_NODE && node === element.lastChild) {
    if (node.data !== text) node.data = text
  } else if (element.textContent !== text) {
    element.textContent = text
  }
}

/** Shows a text, or hides its element if the text is empty. */
export function showText(element, text) {
  element.hidden = !text
  setText(element, text || '')
}

let serial = 0

/** Returns an ID that is unique on the page, for labels. */
export function uniqueId(prefix = 'id') {
  serial += 1
  return `${prefix}-${serial}`
}

/** The pending messages of each live region. */
const pendingMessages = { polite: [], assertive: [] }

/** Announces a message to screen readers; `urgency` is 'polite' (default) or 'assertive' (for errors). */
export function announce(words, urgency = 'polite') {
  const text = visible(words)
  const messages = pendingMessages[urgency]
  if (!messages.includes(text)) messages.push(text)
  if (messages.length > 1) return
  const region = document.getElementById(urgency)
  // A repeated message is read again only if the region was empty in between. Further messages during that time
  // are appended, since they would otherwise replace this one.
  region.textContent = ''
  setTimeout(() => { region.textContent = messages.splice(0).join(' ') }, 50)
}

/**
 * Shows a message at the bottom of the page for some seconds, with a button if there is an action. Kinds:
 * 'note', 'success', 'error'; errors stay longer. The message stays while the pointer is over it or it has the
 * focus. When it is closed, the focus returns to its previous element.
 */
export function toast(text, { action, kind = 'note', seconds } = {}) {
  const region = document.getElementById('toasts')
  const duration = seconds ?? (kind === 'error' ? 20 : action ? 10 : 5)
  const element = h('div', { class: `toast ${kind}` }, h('p', text))
  let timer
  let before = null
  const close = () => {
    clearTimeout(timer)
    const hadFocus = element.contains(document.activeElement)
    element.remove()
    if (!hadFocus) return
    const focused = before?.isConnected ? before : document.getElementById('main')
    focused.focus({ preventScroll: true })
  }
  const start = () => {
    clearTimeout(timer)
    if (element.isConnected) timer = setTimeout(close, duration * 1000)
  }
  const rest = () => {
    if (!element.matches(':hover, :focus-within')) start()
  }
  const hold = () => clearTimeout(timer)
  const enter = event => {
    hold()
    if (!element.contains(event.relatedTarget)) before = event.relatedTarget
  }
  if (action) {
    const run = () => {
      close()
      action.run()
    }
    element.append(h('button', { class: 'quiet', onclick: run }, action.label))
  }
  element.append(h('button', {
    class: 'quiet icon-only', 'aria-label': 'Close this message', onclick: close
  }, icon('close')))
  setAttributes(element, {
    onmouseenter: hold, onmouseleave: rest, onfocusin: enter, onfocusout: () => setTimeout(rest)
  })
  for (const old of [...region.children]) {
    if (old.firstChild.textContent === visible(text)) old.remove()
  }
  while (region.children.length > 2) region.firstElementChild.remove()
  region.append(element)
  announce(text, kind === 'error' ? 'assertive' : 'polite')
  start()
  return { close }
}

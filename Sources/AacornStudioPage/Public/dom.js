// Functions that build elements, escape untrusted text, announce messages to screen readers (live regions), and
// show toasts.

const properties = new Set(['value', 'checked', 'disabled', 'hidden'])

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

/** Sets attributes, properties (value, checked, …), styles and listeners (`onclick`) of an element. */
function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on') && typeof value === 'function') {
      element.addEventListener(name.slice(2).toLowerCase(), value)
    } else if (name === 'dataset') {
      Object.assign(element.dataset, value)
    } else if (name === 'style') {
      for (const [property, text] of Object.entries(value)) element.style.setProperty(property, text)
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
export const uniqueId = prefix => `${prefix}-${(serial += 1)}`

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
  const rest = () => { if (!element.matches(':hover, :focus-within')) start() }
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

// Invisible characters, and characters that change the writing direction, can make one name look like another.
// Variation selectors are not included, since they change the appearance. Joiners between emoji are not
// included either, since they combine two emoji.
const picture = String.raw`[\p{Extended_Pictographic}\p{Emoji_Modifier}]`
const joiner = String.raw`(?<=${picture}\p{Variation_Selector}*)\u200d(?=${picture})`
const deceptive = new RegExp(
  String.raw`(?!\p{Variation_Selector}|${joiner})\p{Default_Ignorable_Code_Point}`, 'gu')

/** Escapes invisible characters in the form that the command uses: `\x202e`. */
export function visible(text) {
  return text.replace(deceptive, letter => `\\x${letter.codePointAt(0).toString(16)}`)
}

/** Returns the text without invisible characters. */
export const withoutUnseen = text => text.replace(deceptive, '')

/** The icons of this page by their names, in 24 by 24 units. */
const shapes = {
  record: 'M12 5a7 7 0 1 0 0 14a7 7 0 0 0 0-14z',
  stop: 'M6 6h12v12H6z',
  pause: 'M7 5h3.5v14H7zM13.5 5H17v14h-3.5z',
  play: 'M8 5v14l11-7z',
  close: 'M6.7 5.3 12 10.6l5.3-5.3 1.4 1.4-5.3 5.3 5.3 5.3-1.4 1.4-5.3-5.3-5.3 5.3-1.4-1.4 '
    + '5.3-5.3-5.3-5.3z',
  plus: 'M11 5h2v6h6v2h-6v6h-2v-6H5v-2h6z',
  mic: 'M12 3a3 3 0 0 1 3 3v5a3 3 0 0 1-6 0V6a3 3 0 0 1 3-3zm-6 8h2a4 4 0 0 0 8 0h2a6 6 0 0 '
    + '1-5 5.9V20h3v2H8v-2h3v-3.1A6 6 0 0 1 6 11z',
  'mic-off': 'M4.7 3.3 20.7 19.3l-1.4 1.4-4-4A6 6 0 0 1 13 16.9V20h3v2H8v-2h3v-3.1A6 6 0 0 1 6 '
    + '11h2a4 4 0 0 0 5.8 3.6l-1.5-1.5A3 3 0 0 1 9 11V9.9L3.3 4.7zM12 3a3 3 0 0 1 3 '
    + '3v5.2L9.1 5.3A3 3 0 0 1 12 3zm4 8h2a6 6 0 0 1-.6 2.6l-1.6-1.6z',
  meter: 'M4 10h2v4H4zM8 6h2v12H8zM12 3h2v18h-2zM16 8h2v8h-2zM20 10h2v4h-2z',
  sun: 'M12 7a5 5 0 1 0 0 10a5 5 0 0 0 0-10zM11 1h2v3h-2zM11 20h2v3h-2zM1 11h3v2H1zM20 '
    + '11h3v2h-3zM4.2 2.8l2.1 2.1-1.4 1.4-2.1-2.1zM19.1 17.7l2.1 2.1-1.4 1.4-2.1-2.1zM2.8 '
    + '19.8l2.1-2.1 1.4 1.4-2.1 2.1zM17.7 4.9l2.1-2.1 1.4 1.4-2.1 2.1z',
  moon: 'M14.5 3A9 9 0 1 0 21 15.5 7.5 7.5 0 0 1 14.5 3z',
  auto: 'M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18zm0 2v14a7 7 0 0 1 0-14z',
  download: 'M11 3h2v9l3.3-3.3 1.4 1.4L12 15.8l-5.7-5.7 1.4-1.4L11 12zM4 18h16v2H4z',
  trash: 'M9 3h6v2h5v2H4V5h5zM6 8h12l-1 13H7z',
  edit: 'M4 16.5V20h3.5L18 9.5 14.5 6zM16 4.5 19.5 8l1.2-1.2a1.5 1.5 0 0 0 '
    + '0-2.1l-1.4-1.4a1.5 1.5 0 0 0-2.1 0z',
  repair: 'M20.5 6.5a5.5 5.5 0 0 1-7.2 6.6L6 20.4a2 2 0 0 1-2.8-2.8l7.3-7.3a5.5 5.5 0 0 1 '
    + '6.8-7.1L14 6.5 17.5 10z',
  warning: 'M12 3 1.5 21h21zM11 10h2v5h-2zM11 16.5h2v2h-2z',
  volume: 'M3 9.5v5h4l5 4.5V5L7 9.5zM14 8.2v1.9a2.2 2.2 0 0 1 0 3.8v1.9a4 4 0 0 0 0-7.6zM14 4.2v2a6 6 '
    + '0 0 1 0 11.6v2a8 8 0 0 0 0-15.6z',
  upload: 'M12 3l5.7 5.7-1.4 1.4L13 6.8V16h-2V6.8L7.7 10.1 6.3 8.7zM4 18h16v2H4z',
  check: 'M9.5 18.2 3.8 12.5l1.4-1.4 4.3 4.3L18.8 6l1.4 1.4z'
}

/** Creates an icon for use beside a word; it is hidden from screen readers. `name` is a key of `shapes`. */
export function icon(name) {
  const space = 'http://www.w3.org/2000/svg'
  const svg = document.createElementNS(space, 'svg')
  svg.setAttribute('viewBox', '0 0 24 24')
  svg.setAttribute('class', 'icon')
  svg.setAttribute('aria-hidden', 'true')
  svg.setAttribute('focusable', 'false')
  const path = document.createElementNS(space, 'path')
  path.setAttribute('d', shapes[name] ?? '')
  path.setAttribute('fill', 'currentColor')
  path.setAttribute('fill-rule', 'evenodd')
  svg.append(path)
  return svg
}

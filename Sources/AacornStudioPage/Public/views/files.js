// Files from the user: chosen in the system's dialog, or dropped on the page.

import { h } from '../dom.js'

/** Creates a hidden field, whose `click()` opens the system's dialog; `add` is called with the chosen files. */
export function fileField(add, attributes) {
  const field = h('input', {
    type: 'file', multiple: true, class: 'visually-hidden', tabindex: '-1', 'aria-hidden': 'true',
    onchange: () => {
      const files = [...field.files]
      field.value = ''
      add(files)
    },
    ...attributes
  })
  return field
}

/**
 * Accepts files dropped anywhere on the page while `view` is shown, and marks the view while files are dragged
 * over it. Calls `onDrop(files, target)`.
 */
export function watchDrops(view, onDrop) {
  let depth = 0
  const mark = isOver => view.toggleAttribute('data-drop', isOver)
  const listen = (name, act) => document.addEventListener(name, event => {
    if (view.hidden || !event.dataTransfer?.types.includes('Files')) return
    // Otherwise the browser would leave the page and open the file.
    event.preventDefault()
    act(event)
  })
  listen('dragenter', () => {
    depth += 1
    mark(true)
  })
  listen('dragleave', () => {
    depth = Math.max(0, depth - 1)
    if (depth === 0) mark(false)
  })
  listen('dragover', event => { event.dataTransfer.dropEffect = 'copy' })
  listen('drop', event => {
    depth = 0
    mark(false)
    onDrop([...event.dataTransfer.files], event.target)
  })
}

// Files: chosen in the system's dialog, or dropped on the page; their names, and the metadata in the names.

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

/** Returns a name without its suffix. */
export const stem = name => name.replace(/\.[^.\s]{1,8}$/, '') || name

/** Returns the suffix of the name of a file in a container. */
export const endingOf = container => (container === 'm4a' ? 'm4a' : 'aac')

/**
 * Parses title and artist from a file's name: “Artist - Title”, optionally after a track number. Any other name
 * is the title.
 */
export function tagsOf(name) {
  const words = stem(name).replaceAll('_', ' ').trim()
  const [, , artist, title] = /^(\d{1,3}[.\s-]+)?(.+?)\s+[-–—]\s+(.+)$/.exec(words) ?? []
  return title ? { artist: artist.trim(), title: title.trim() } : { title: words }
}

/** Returns a name that is not in use: “Song 2.m4a” beside “Song.m4a”. */
export function freeName(name, used) {
  const ending = name.slice(stem(name).length)
  let free = name
  for (let number = 2; used.has(free); number += 1) free = `${stem(name)} ${number}${ending}`
  return free
}

/**
 * Returns a name such as “Recording 2024-05-31 14.05.09”, which sorts by time and is valid on every file
 * system.
 */
export function nameAt(ms) {
  const date = new Date(ms)
  const pad = number => String(number).padStart(2, '0')
  return `Recording ${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())} `
    + `${pad(date.getHours())}.${pad(date.getMinutes())}.${pad(date.getSeconds())}`
}

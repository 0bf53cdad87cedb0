// The recordings that this browser stores, including unfinished ones of closed pages.

import { h, setText, showText, toast } from '../../dom.js'
import { ago, channelCount, clock, count, frequency, size } from '../../format.js'
import { storedEntries, removeEntry } from './entries.js'
import { stem } from './names.js'
import { resultActions, resultButton } from './result.js'

/** The number of recordings shown until the user shows all. */
const collapsedCount = 3

const types = name => (name.endsWith('.m4a') ? 'audio/mp4' : 'audio/aac')

/** Creates `{element, add(entry, upload), refresh()}`. */
export function storedRecordings() {
  const list = h('ul', { class: 'files', 'aria-labelledby': 'browser-kept' })
  const note = h('p', { class: 'hint' })
  const more = h('button', { class: 'quiet files-more', onclick: showAll })
  const element = h('section', { class: 'card', hidden: true, 'aria-labelledby': 'browser-kept' },
    h('header', h('h2', { id: 'browser-kept' }, 'Recordings kept in this browser'), note),
    list, more)
  const rows = new Map()
  let showsAll = false
  /** The IDs of removed recordings, which stay stored as long as the removal can be undone. */
  const removed = new Set()

  function show() {
    element.hidden = rows.size === 0
    let bytes = 0
    let isLasting = true
    for (const { entry } of rows.values()) {
      bytes += entry.file.size + (entry.samples?.size ?? 0)
      isLasting &&= entry.isLasting
    }
    const isCut = !showsAll && rows.size > collapsedCount
    ;[...list.children].forEach((row, index) => { row.hidden = isCut && index >= collapsedCount })
    showText(more, isCut && `Show all ${rows.size}`)
    setText(note, isLasting ? `${size(bytes)}. They stay until you remove them.`
      : `${size(bytes)}. In a private window, they are deleted when the page closes.`)
  }

  function showAll() {
    showsAll = true
    show()
    list.children[collapsedCount].querySelector('button').focus()
  }

  const isKnown = id => rows.has(id) || removed.has(id)

  function add(entry, upload) {
    if (isKnown(entry.id)) return
    const row = rowOf(entry, upload, () => remove(entry.id))
    rows.set(entry.id, { entry, row })
    const older = [...rows.values()]
      .filter(other => other.entry.startedAt < entry.startedAt)
      .sort((one, other) => other.entry.startedAt - one.entry.startedAt)[0]
    list.insertBefore(row.element, older?.row.element ?? null)
    show()
  }

  function remove(id) {
    const { entry, row } = rows.get(id)
    row.close()
    row.element.remove()
    rows.delete(id)
    removed.add(id)
    show()
    const focused = list.querySelector('button') ?? document.getElementById('browser-microphone')
    focused?.focus?.()
    // The recording is deleted only when the removal can no longer be undone.
    const timer = setTimeout(() => removeEntry(id), 12_000)
    toast(`“${entry.name}” was removed from this browser.`, {
      seconds: 10, action: { label: 'Undo', run: () => {
        clearTimeout(timer)
        removed.delete(id)
        add(entry)
      } }
    })
  }

  return {
    element,
    add,
    /** Adds newly stored recordings, for example of another tab or an earlier visit. */
    async refresh() {
      for (const entry of await storedEntries(isKnown).catch(() => [])) add(entry)
    }
  }
}

function rowOf(entry, upload, remove) {
  const { name, file, samples, seconds, startedAt, sampleRate, channels } = entry
  const blob = file.slice(0, file.size, types(name))
  const actions = resultActions({
    blob, name, samples: samples?.slice(0, samples.size, 'audio/wav'),
    samplesName: `${stem(name)}.wav`
  }, { upload })
  actions.element.append(resultButton(
    'trash', 'Remove', `Remove ${name} from this browser`, remove))
  const facts = [
    clock(seconds), size(file.size), frequency(sampleRate), channelCount(channels),
    ago(startedAt),
    entry.gapCount && count(entry.gapCount, 'gap'),
    entry.gapCount && `${entry.lostSeconds.toFixed(2)} s of silence inserted`
  ].filter(Boolean).join(' · ')
  const state = entry.isRecovered ? 'recovered' : 'done'
  const element = h('li', { class: 'file', dataset: { state } },
    h('div', { class: 'file-head' },
      h('div', { class: 'grow' }, h('h3', { class: 'file-name' }, name),
        h('p', { class: 'hint' }, facts)),
      entry.isRecovered && h('span', { class: 'badge warning' }, 'Recovered')),
    actions.element,
    entry.isRecovered && h('p', { class: 'small' }, 'This recording is incomplete: the '
      + 'page was closed, or there was no space left. ' + (entry.container === 'm4a'
        ? 'The audio up to then is saved as an AAC stream, because an M4A file ends with tables.'
        : 'The audio up to then is saved.')),
    actions.details)
  return { element, close: actions.close }
}

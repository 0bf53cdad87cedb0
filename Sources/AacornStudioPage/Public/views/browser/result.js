// The finished files in this browser: the actions for a file, such as play, download, and send to the library, and
// the list of recordings, including unfinished ones of closed pages.

import { announce, h, icon, replace, setText, showText, toast } from '../../dom.js'
import { ago, channelCount, clock, count, frequency, size } from '../../format.js'
import { stem } from '../files.js'
import { uploadBlob } from './upload.js'
import { removeEntry, storedEntries } from './entries.js'

/** Makes the browser save a file. */
export function download(blob, name) {
  const address = URL.createObjectURL(blob)
  h('a', { href: address, download: name }).click()
  // The browser reads the address only after the click.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

/** Creates a view of an upload's progress, with a button to cancel it. */
function sendingView(upload, again) {
  const words = h('span', { class: 'grow' })
  const bar = h('progress', { max: 1, 'aria-label': 'Sent to the library' })
  const cancel = h('button', { class: 'quiet', onclick: () => upload.cancel() }, 'Cancel')
  const element = h('div', { class: 'sending' }, h('div', { class: 'row' }, words, cancel), bar)
  function show() {
    const { state, sent, size: whole, problem, finalName } = upload
    const isFinished = state === 'done' || state === 'failed'
    bar.hidden = isFinished
    bar.value = whole ? sent / whole : 0
    element.classList.toggle('is-done', state === 'done')
    if (state === 'done') {
      replace(words, icon('check'), ` In the library as “${finalName}”. `,
        h('a', { href: '#library' }, 'Show it'))
      cancel.remove()
    } else if (state === 'failed') {
      replace(words, h('span', { class: 'problem' }, `Not sent: ${problem}`))
      cancel.replaceWith(h('button', { onclick: again }, 'Send again'))
    } else {
      setText(words, state === 'waiting' ? problem : `Sending to the library, ${size(sent)} so far`)
    }
  }
  show()
  return { element, show }
}

/** Creates a button for a finished file; `words` name it for screen readers. */
function resultButton(shape, label, words, onclick) {
  return h('button', { class: 'quiet', 'aria-label': words, onclick }, icon(shape), h('span', label))
}

/**
 * Creates `{element, details}`: buttons for a finished file, and an area below them for its player and its
 * upload. `upload` is an upload in progress, if any.
 */
export function resultActions({ blob, name, samples, samplesName }, { upload } = {}) {
  const details = h('div', { class: 'result-place' })
  let player = null
  let sending = null
  const play = resultButton('play', 'Play', `Play ${name}`, togglePlayer)
  play.setAttribute('aria-expanded', 'false')
  const send = resultButton('upload', 'Send to library', `Send ${name} to the library`, startSending)
  const element = h('div', { class: 'toolbar result-actions' }, play,
    resultButton('download', 'Download', `Download ${name}`, () => download(blob, name)),
    samples && resultButton('download', 'Samples', `Download the samples of ${name}`,
      () => download(samples, samplesName)),
    send)

  function togglePlayer() {
    if (player) return closePlayer()
    player = h('audio', {
      controls: true, src: URL.createObjectURL(blob), 'aria-label': name,
      onerror: () => toast(`This browser cannot play “${name}”. Download it and open it with a `
        + 'player.', { kind: 'error' })
    })
    details.prepend(player)
    play.setAttribute('aria-expanded', 'true')
    player.play().catch(() => {})
  }

  function closePlayer() {
    if (!player) return
    player.pause()
    URL.revokeObjectURL(player.src)
    player.remove()
    player = null
    play.setAttribute('aria-expanded', 'false')
  }

  function startSending() {
    const isFocused = document.activeElement === send
    follow(uploadBlob(blob, name))
    if (isFocused) sending.element.querySelector('button')?.focus()
  }

  function follow(started) {
    sending?.element.remove()
    sending = sendingView(started, startSending)
    const { show } = sending
    details.append(sending.element)
    send.disabled = true
    started.addEventListener('change', show)
    started.ended.then(() => {
      show()
      send.disabled = started.state === 'done'
      announce(started.state === 'done'
        ? `${started.finalName} is in the library.` : `${name} was not sent. ${started.problem}`,
      started.state === 'done' ? 'polite' : 'assertive')
    })
  }

  if (upload) follow(upload)
  return { element, details, close: closePlayer }
}

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

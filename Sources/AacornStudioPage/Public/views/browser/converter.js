// The conversion of files to AAC: drop or choose files, follow their progress, save the results.

import { announce, h, icon, replace, setText, showText, toast } from '../../dom.js'
import { channelCount, clock, count, frequency, size } from '../../format.js'
import { fileField, watchDrops } from '../files.js'
import { Conversion } from './conversion.js'
import { damageNote, lossNote } from './notes.js'
import { download, resultActions } from './result.js'

/** The maximum number of workers, at least two, so that one decodes while another encodes. */
const maxWorkers = Math.min(8, Math.max(2, navigator.hardwareConcurrency || 2))
const accepted = 'audio/*,video/mp4,video/webm,video/quicktime,video/mp2t,.wav,.aif,.aiff,.caf,'
  + '.flac,.mp3,.ogg,.opus,.m4a,.m4b,.mov,.aac,.adts,.adif,.latm,.loas,.ts,.m2ts'

/** Creates the card; files may be dropped anywhere on `root`. */
export function converter(root, { coding }) {
  const field = fileField(add, { accept: accepted, id: 'browser-files' })
  const choose = h('button', { class: 'primary', onclick: () => field.click() },
    icon('plus'), 'Choose files…')
  const zone = h('div', { class: 'empty drop-zone' },
    h('p', h('span', { class: 'by-pointer' }, 'Drop audio files here: '),
      'WAV, AIFF, CAF, any AAC; FLAC, MP3, Ogg and video, if the browser can decode them.'),
    choose, field)
  const list = h('ul', { class: 'files', 'aria-labelledby': 'browser-convert' })
  const summary = h('p', { class: 'hint grow' })
  const tool = (label, onclick, attributes) => h('button', { onclick, ...attributes }, label)
  const all = tool([icon('download'), 'Download all'], downloadAll)
  const clear = tool('Clear the list', clearDone, { class: 'quiet' })
  const stop = tool('Cancel all', cancelAll, { class: 'quiet' })
  const tools = h('div', { class: 'toolbar files-tools', hidden: true }, summary, stop, all, clear)
  const element = h('section', { class: 'card stack', 'aria-labelledby': 'browser-convert' },
    h('header', h('h2', { id: 'browser-convert' }, 'Convert files to AAC'),
      h('p', { class: 'hint' }, 'Files stay in this browser. Nothing is uploaded.')),
    zone, tools, list)
  const rows = []
  const inState = (state, all = rows) => all.filter(({ conversion }) => conversion.state === state)
  let running = 0
  let announcedCount = 0

  watchDrops(root, add)

  function add(files) {
    for (const file of files) {
      const used = new Set(rows.map(({ conversion }) => conversion.name))
      const conversion = new Conversion(file, coding.options(), used)
      const row = conversionRow(conversion, () => remove(row))
      conversion.addEventListener('change', () => {
        row.show()
        showSummary()
      })
      rows.push(row)
      list.append(row.element)
    }
    if (files.length) next()
    showSummary()
  }

  function next() {
    while (running < maxWorkers) {
      const [waiting] = inState('waiting')
      if (!waiting) break
      running += 1
      // This ends the state of waiting immediately.
      waiting.conversion.run().finally(() => {
        running -= 1
        next()
        if (running === 0) announceEnd()
      })
    }
  }

  /** Announces one message at the end of all conversions, rather than one for each file. */
  function announceEnd() {
    const fresh = rows.slice(announcedCount)
    announcedCount = rows.length
    const done = inState('done', fresh)
    const failed = inState('failed', fresh)
    const messages = []
    if (done.length) messages.push(`${count(done.length, 'file')} converted.`)
    for (const { conversion } of done.filter(({ conversion }) => conversion.damage?.unitCount)) {
      messages.push(`${conversion.name}: ${damageNote(conversion)}`)
    }
    if (failed.length) messages.push(...failed.map(({ conversion }) => conversion.problem))
    if (messages.length) announce(messages.join(' '), failed.length ? 'assertive' : 'polite')
  }

  function showSummary() {
    const finished = inState('done')
    const failed = inState('failed')
    const open = rows.filter(({ conversion }) => !conversion.isFinished)
    tools.hidden = rows.length === 0
    const results = [`${count(finished.length, 'file')} converted`]
    if (failed.length) results.push(`${failed.length} failed`)
    setText(summary, open.length ? `${open.length} of ${count(rows.length, 'file')} to go`
      : results.join(', '))
    all.hidden = finished.length < 2
    stop.hidden = open.length < 2
    clear.hidden = open.length > 0
  }

  async function downloadAll() {
    const finished = inState('done')
    for (const { conversion } of finished) {
      download(conversion.blob, conversion.name)
      // Browsers merge downloads that start at the same time.
      await new Promise(resolve => setTimeout(resolve, 250))
    }
    toast(`${count(finished.length, 'file')} downloaded. The browser may ask whether the page may `
      + 'save several files.')
  }

  function cancelAll() { for (const { conversion } of rows) conversion.cancel() }

  function remove(row) {
    row.conversion.cancel()
    row.close()
    row.element.remove()
    rows.splice(rows.indexOf(row), 1)
    announcedCount = Math.min(announcedCount, rows.length)
    showSummary()
    ;(list.querySelector('button') ?? choose).focus()
  }

  function clearDone() {
    for (const row of [...rows]) remove(row)
    choose.focus()
  }

  return { element }
}

const states = {
  waiting: 'Waiting', reading: 'Reading', decoding: 'Decoding in the browser',
  cancelled: 'Canceled'
}

/** Creates `{conversion, element, show(), close()}` for a conversion; `remove` removes it from the list. */
function conversionRow(conversion, remove) {
  const { file } = conversion
  const facts = h('p', { class: 'hint' }, size(file.size))
  const bar = h('progress', { max: 1, 'aria-label': `Progress of ${file.name}` })
  const problem = h('p', { class: 'problem', hidden: true })
  const loss = h('p', { class: 'hint', hidden: true })
  const damage = h('p', { class: 'file-damage', hidden: true })
  const name = h('h3', { class: 'file-name' }, file.name)
  const close = h('button', { class: 'quiet icon-only',
    onclick: () => (conversion.isFinished ? remove() : conversion.cancel()) })
  const element = h('li', { class: 'file' },
    h('div', { class: 'file-head' }, h('div', { class: 'grow' }, name, facts), close), bar,
    problem, damage, loss)
  let actions = null

  function describe() {
    const { state, fraction, seconds, speed, sampleRate, channels, blob } = conversion
    const pace = speed ? `${speed < 10 ? speed.toFixed(1) : Math.round(speed)}× real time` : null
    if (state === 'encoding') {
      // The length of a stream is unknown until its end.
      return [seconds === null ? `${Math.floor(100 * fraction)} %`
        : `${clock(seconds * fraction)} of ${clock(seconds)}`, pace]
    }
    if (state === 'done') {
      return [`From ${file.name}`, `${size(file.size)} → ${size(blob.size)}`, clock(seconds),
        frequency(sampleRate), channelCount(channels), pace]
    }
    return [states[state], size(file.size)]
  }

  function show() {
    const { state, fraction, isFinished } = conversion
    element.dataset.state = state
    setText(facts, describe().filter(Boolean).join(' · '))
    bar.hidden = isFinished
    if (state === 'encoding') bar.value = fraction
    else bar.removeAttribute('value')
    showText(problem, state === 'failed' && conversion.problem)
    const hasNotes = state === 'encoding' || state === 'done'
    showText(loss, hasNotes && lossNote(conversion))
    showText(damage, hasNotes && damageNote(conversion))
    const label = isFinished ? `Remove ${file.name} from the list` : `Cancel ${file.name}`
    if (close.title !== label) {
      close.title = label
      close.setAttribute('aria-label', label)
      replace(close, icon('close'))
    }
    if (state === 'done' && !actions) {
      setText(name, conversion.name)
      actions = resultActions({ blob: conversion.blob, name: conversion.name })
      actions.element.append(close)
      element.append(actions.element, actions.details)
    }
  }

  show()
  return { conversion, element, show, close: () => actions?.close() }
}

// A file in the list of conversions: its progress, its result, and notes about it.

import { h, icon, replace, setText, showText } from '../../dom.js'
import { channelCount, clock, frequency, size } from '../../format.js'
import { damageNote, lossNote } from './notes.js'
import { resultActions } from './result.js'

const states = {
  waiting: 'Waiting', reading: 'Reading', decoding: 'Decoding in the browser',
  cancelled: 'Canceled'
}

/** Creates `{element, show(), close()}` for a conversion; `remove` removes it from the list. */
export function conversionRow(conversion, remove) {
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
  return { element, show, close: () => actions?.close() }
}

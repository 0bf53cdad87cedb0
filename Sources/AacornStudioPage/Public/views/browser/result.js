// The actions for a finished file: play, download, send to the library.

import { announce, h, icon, replace, setText, toast } from '../../dom.js'
import { size } from '../../format.js'
import { uploadBlob } from './upload.js'

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
export function resultButton(shape, label, words, onclick) {
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
    if (player) {
      closePlayer()
      return
    }
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

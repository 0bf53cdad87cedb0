// The buttons Start, Stop, Pause and Check level of the browser's microphone, with the key facts.

import { h, icon, replace } from '../../dom.js'
import { bitrate, size } from '../../format.js'
import { factList, phases, transportControls } from '../transport.js'

const words = { ...phases, opening: 'Opening the microphone' }

/** Creates the card; `actions` has `start`, `stop`, `pause`, `resume` and `listen(isOn)`. */
export function transport(actions, levelElement) {
  const facts = factList('browser-facts', [
    ['size', 'Size'], ['bitrate', 'Bitrate', 'Average of the whole file so far'],
    ['lost', 'Lost audio', 'Missing audio, replaced by silence'],
    ['sent', 'In the library', 'The amount that the studio has received']
  ])
  const controls = transportControls(actions, facts)
  const { main, pause, listen } = controls
  const problem = h('p', { class: 'problem browser-problem', hidden: true })
  const element = h('section', {
    class: 'card transport browser-transport', 'aria-labelledby': 'browser-microphone'
  },
  h('header', h('h2', { id: 'browser-microphone' }, 'Record with this browser'),
    h('p', { class: 'hint' }, 'Audio stays in this browser unless you send it to the library.')),
  controls.parts, problem, levelElement)
  let factsAt = 0

  /** Shows a phase, and the file's name. */
  function show(phase, fileName = '') {
    element.dataset.phase = phase
    controls.show(phase, words[phase], fileName)
    // The buttons are not disabled during these moments, since that would remove the keyboard focus.
    for (const control of [main, listen]) {
      control.setAttribute('aria-disabled', String(controls.isBusy()))
    }
    pause.disabled = !controls.isRunning()
    listen.disabled = controls.isRunning()
    keepAwake(phase === 'recording')
    showInNavigation(controls.isRunning())
  }
  show('idle')

  return {
    element,
    press: controls.press,
    reset: controls.reset,
    show,
    problem(message) {
      problem.hidden = !message
      replace(problem, message && icon('warning'), h('span', { class: 'grow' }, message ?? ''))
    },
    /** Shows the time at every report, and the other facts four times a second or at the end. */
    meter({ seconds, bytes, gapCount, lostSeconds }, isFinal = false) {
      if (!document.hidden || isFinal) controls.time.show(seconds)
      const now = performance.now()
      if (now - factsAt < 250 && !isFinal) return
      factsAt = now
      facts.show('size', size(bytes))
      facts.show('bitrate', seconds >= 1 ? bitrate(bytes * 8 / seconds) : '–')
      facts.show('lost', gapCount ? `${lostSeconds.toFixed(2)} s, ${gapCount}×` : 'none',
        gapCount > 0)
    },
    /** Shows the upload's progress; null if there is no upload. */
    upload(upload) {
      const isBad = upload?.state === 'failed' || upload?.state === 'waiting'
      facts.show('sent', !upload ? '–' : isBad ? upload.state : size(upload.sent), isBad)
    }
  }
}

/** Marks the view's link, so that the user does not forget a recording in another view. */
function showInNavigation(isRecording) {
  document.querySelector('.views a[data-view="browser"]')
    ?.toggleAttribute('data-recording', isRecording)
}

let isWakeLockWanted = false
let lock = null

async function requestWakeLock() {
  if (!isWakeLockWanted || lock || document.hidden) return
  try {
    lock = await navigator.wakeLock.request('screen')
    lock.addEventListener('release', () => { lock = null })
    if (!isWakeLockWanted) lock.release()
  } catch {
    // If the battery is low or the API is missing, the screen turns off normally.
  }
}

/** Keeps the screen on, or stops that: phones suspend pages when the screen turns off. */
function keepAwake(isWanted) {
  isWakeLockWanted = isWanted
  if (isWanted) requestWakeLock()
  else lock?.release()
}

// The browser releases the lock whenever the page is hidden.
document.addEventListener('visibilitychange', requestWakeLock)

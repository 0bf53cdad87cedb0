// The controls of playback: the button, and the keys and the spoken values of sliders for the position.

import { h, icon, replace, visible } from '../dom.js'
import { spokenTime } from '../format.js'

/** Creates a button that plays or pauses; `showPlayButton` sets its state. */
export const playButton = onclick => h('button', { class: 'play-button icon-only', onclick })

/** Shows whether the audio with a name is playing. */
export function showPlayButton(button, isPlaying, name) {
  const word = isPlaying ? 'Pause' : 'Play'
  const label = `${word} ${visible(name)}`
  if (button.getAttribute('aria-label') === label) return
  button.setAttribute('aria-label', label)
  button.title = word
  button.classList.toggle('is-playing', isPlaying)
  replace(button, icon(word.toLowerCase()))
}

/** The seconds by which keys move the position; with Shift one second. */
const steps = {
  ArrowLeft: -5, ArrowDown: -5, ArrowRight: 5, ArrowUp: 5, PageDown: -30, PageUp: 30
}
/**
 * The minimum time in seconds between two positions reported during playback while the slider has the focus:
 * screen readers announce each reported position.
 */
const announcementInterval = 3

/** Performs the action of a key: `toggle()` playback or `seek(seconds)`; returns false for other keys. */
export function moveByKey({ key, shiftKey }, { position, start = 0, end, toggle, seek }) {
  if (key === ' ' || key === 'Enter') toggle()
  else if (key in steps) seek(position + (shiftKey ? Math.sign(steps[key]) : steps[key]))
  else if (key === 'Home') seek(start)
  else if (key === 'End') seek(end)
  else return false
  return true
}

/** Reports the position to screen readers, but less often during playback. */
export class SpokenPosition {
  #element
  #reported = -1

  constructor(element) { this.#element = element }

  /** Reports the next position immediately, since the user has moved it. */
  reset() { this.#reported = -1 }

  /** Shows a position in audio of `length` seconds, which is 0 if unknown. */
  show(position, length, isPlaying) {
    const whole = Math.floor(position)
    const isQuiet = isPlaying && document.activeElement === this.#element
      && whole >= this.#reported && whole < this.#reported + announcementInterval
    if (isQuiet) return
    this.#reported = whole
    const values = {
      'aria-valuemax': Math.max(whole, Math.floor(length)), 'aria-valuenow': whole,
      'aria-valuetext': `${spokenTime(whole)} of ${spokenTime(length || null)}`
    }
    for (const [name, value] of Object.entries(values)) {
      if (this.#element.getAttribute(name) !== String(value)) {
        this.#element.setAttribute(name, String(value))
      }
    }
  }
}

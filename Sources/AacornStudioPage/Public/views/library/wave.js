import { h, setText } from '../../dom.js'
import { clock } from '../../format.js'
import { Thumbnail } from '../../drawing/thumbnail.js'
import { moveByKey, SpokenPosition } from '../playback.js'

/**
 * The waveform of a recording, which shows and sets the position: a slider for pointers and keys.
 * `seek(seconds)` moves the position, `play()` starts and stops playback.
 */
export class Wave {
  #seek
  #play
  #thumbnail
  #levels = null
  #position = 0
  #duration = 0
  #isLoaded = false
  #isPlaying = false
  #spoken
  #isEmpty = false
  #time = h('span', { class: 'recording-time', 'aria-hidden': 'true' })

  constructor({ seek, play }) {
    this.#seek = seek
    this.#play = play
    const canvas = h('canvas', { 'aria-hidden': 'true' })
    this.element = h('div', {
      class: 'recording-wave', role: 'slider', tabindex: '0', 'aria-valuemin': '0',
      onpointerdown: event => this.#press(event), onpointermove: event => this.#drag(event),
      onkeydown: event => this.#key(event)
    }, canvas, this.#time)
    this.#thumbnail = new Thumbnail(canvas)
    this.#spoken = new SpokenPosition(this.element)
  }

  /** Sets the length of a recording; a recording without audio has no position. */
  update(seconds, isEmpty) {
    this.#duration = seconds ?? 0
    this.#isEmpty = isEmpty
    this.element.toggleAttribute('data-empty', isEmpty)
    this.element.tabIndex = isEmpty ? -1 : 0
    this.element.setAttribute('aria-disabled', String(isEmpty))
    this.#showTime()
  }

  /** Shows the position of the player; null if it plays another recording. */
  showPlayer(player) {
    this.#isLoaded = player !== null
    this.#isPlaying = player?.isPlaying ?? false
    this.#position = player?.position ?? 0
    if (player?.duration) this.#duration = player.duration
    this.#showTime()
    this.#draw()
  }

  showLevels(levels) {
    this.#levels = amplified(levels)
    this.#draw()
  }

  dispose() { this.#thumbnail.close() }

  #draw() {
    if (!this.#levels) return
    const progress = this.#isLoaded && this.#duration > 0 ? this.#position / this.#duration : 0
    this.#thumbnail.show(this.#levels, Math.min(1, progress))
  }

  #showTime() {
    const length = this.#duration
    setText(this.#time, this.#isLoaded ? `${clock(this.#position)} / ${clock(length || null)}` : '')
    this.#spoken.show(this.#position, length, this.#isPlaying)
  }

  #press(event) {
    if (event.button > 0 || this.#isEmpty) return
    this.element.setPointerCapture(event.pointerId)
    this.#point(event)
  }

  #drag(event) {
    if (this.element.hasPointerCapture(event.pointerId)) this.#point(event)
  }

  #point(event) {
    const { left, width } = this.element.getBoundingClientRect()
    this.#moveTo((event.clientX - left) / width * this.#duration)
  }

  #key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || this.#isEmpty) return
    const isHandled = moveByKey(event, {
      position: this.#position, end: this.#duration, toggle: this.#play,
      seek: seconds => this.#moveTo(seconds)
    })
    if (isHandled) event.preventDefault()
  }

  #moveTo(seconds) {
    this.#spoken.reset()
    if (this.#duration > 0) this.#seek(Math.min(this.#duration, Math.max(0, seconds)))
  }
}

/** Amplifies levels so that the loudest one reaches the edge, since only the shape matters in this size. */
function amplified(levels) {
  const factor = Math.min(10, 240 / Math.max(1, ...levels))
  return factor > 1 ? levels.map(level => Math.round(level * factor)) : levels
}

// The waveforms of the recordings in the list.

import { h, setText } from '../../dom.js'
import { clock } from '../../format.js'
import { Surface, colors } from '../../drawing/surface.js'
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
  #duration = 0
  /** The player while it plays this recording; null otherwise. */
  #player = null
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
    this.#player = player
    if (player?.duration) this.#duration = player.duration
    this.#showTime()
    this.#draw()
  }

  get #position() { return this.#player?.position ?? 0 }

  showLevels(levels) {
    this.#levels = amplified(levels)
    this.#draw()
  }

  dispose() { this.#thumbnail.close() }

  #draw() {
    if (!this.#levels) return
    const progress = this.#player && this.#duration > 0 ? this.#position / this.#duration : 0
    this.#thumbnail.show(this.#levels, Math.min(1, progress))
  }

  #showTime() {
    const length = this.#duration
    setText(this.#time, this.#player ? `${clock(this.#position)} / ${clock(length || null)}` : '')
    this.#spoken.show(this.#position, length, this.#player?.isPlaying ?? false)
  }

  #press(event) {
    if (event.button > 0 || this.#isEmpty) return
    this.element.setPointerCapture(event.pointerId)
    this.#point(event)
  }

  #drag(event) { if (this.element.hasPointerCapture(event.pointerId)) this.#point(event) }

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

/** The small waveform of a complete recording; the played part is in the accent color. */
class Thumbnail extends Surface {
  constructor(canvas) {
    super(canvas)
    this.levels = null
    this.progress = 0
  }

  /** Shows peak levels (0…255, evenly spaced in time) and the fraction that has been played. */
  show(levels, progress = 0) {
    const { width } = this.canvas
    const isSame = levels === this.levels
      && Math.round(progress * width) === Math.round(this.progress * width)
    this.levels = levels
    this.progress = progress
    if (!isSame) this.invalidate()
  }

  paint(context, width, height) {
    const palette = colors()
    context.clearRect(0, 0, width, height)
    const pitch = Math.max(2, Math.round(3 * this.scale))
    const bar = pitch - Math.max(1, Math.round(this.scale))
    const count = Math.floor((width + pitch - bar) / pitch)
    const least = Math.max(1, Math.round(this.scale))
    for (let index = 0; index < count; index += 1) {
      let peak = 0
      if (this.levels?.length) {
        const from = Math.floor(index / count * this.levels.length)
        const to = Math.max(from + 1, Math.floor((index + 1) / count * this.levels.length))
        for (let at = from; at < to; at += 1) peak = Math.max(peak, this.levels[at])
      }
      const tall = Math.max(least, Math.round(peak / 255 * height))
      const isPlayed = this.progress > 0 && (index + 0.5) / count <= this.progress
      context.fillStyle = isPlayed ? palette.accent : palette['wave-quiet']
      context.fillRect(index * pitch, Math.round((height - tall) / 2), bar, tall)
    }
  }
}

/** The maximum number of simultaneous requests; the server computes the waveforms one after the other. */
const parallel = 3
/** Milliseconds between two requests for a waveform that is still being computed. */
const pause = 1000
/** The maximum number of requests for a waveform. */
const maxTries = 60

/**
 * Fetches the waveforms of visible recordings, the most recently visible first, and caches them until the file
 * changes.
 */
export class Thumbnails {
  #studio
  #known = new Map()
  #waiting = new Map()
  #running = 0
  #watched = new WeakMap()
  #observer = new IntersectionObserver(entries => {
    for (const entry of entries) this.#see(entry.target, entry.isIntersecting)
  }, { rootMargin: '200px' })

  constructor(studio) { this.#studio = studio }

  /** Calls `show(levels)` once the waveform is known; it is requested when `element` becomes visible. */
  watch(element, recording, show) {
    const key = `${recording.name}\n${recording.modified}\n${recording.bytes}`
    const before = this.#watched.get(element)
    if (before?.key === key) return
    this.unwatch(element)
    if (this.#known.has(key)) {
      show(this.#known.get(key))
      this.#watched.set(element, { key })
      return
    }
    this.#watched.set(element, { key, name: recording.name, show, tries: 0 })
    this.#observer.observe(element)
  }

  unwatch(element) {
    this.#observer.unobserve(element)
    const job = this.#watched.get(element)
    if (job) this.#waiting.delete(job)
    this.#watched.delete(element)
  }

  /** Keeps the waveform of a renamed recording. */
  renamed(recording, name) {
    const rest = `\n${recording.modified}\n${recording.bytes}`
    const levels = this.#known.get(recording.name + rest)
    if (levels) this.#known.set(name + rest, levels)
  }

  #see(element, isSeen) {
    const job = this.#watched.get(element)
    if (!job?.show) return
    job.isSeen = isSeen
    if (isSeen) this.#waiting.set(job, element)
    else this.#waiting.delete(job)
    this.#next()
  }

  #next() {
    while (this.#running < parallel && this.#waiting.size > 0) {
      const [job, element] = [...this.#waiting].at(-1)
      this.#waiting.delete(job)
      this.#running += 1
      this.#ask(job, element).finally(() => {
        this.#running -= 1
        this.#next()
      })
    }
  }

  async #ask(job, element) {
    // The studio rejects all requests until the user logs in again, so wait.
    if (this.#studio.isUnknown) {
      setTimeout(() => this.#again(job, element), pause)
      return
    }
    job.tries += 1
    const path = `/api/recordings/${encodeURIComponent(job.name)}/waveform`
    let answer
    try {
      answer = await this.#studio.get(path)
    } catch (error) {
      if (error.status && error.status !== 401) {
        // Do not request it again: a row works without a waveform, and the status shows the file's problem.
        this.#observer.unobserve(element)
        return
      }
      // Without a connection, request it again later.
      answer = null
    }
    if (answer === null) {
      if (job.tries < maxTries) setTimeout(() => this.#again(job, element), pause)
      return
    }
    const levels = new Uint8Array(answer)
    this.#known.set(job.key, levels)
    if (this.#watched.get(element) !== job) return
    this.#observer.unobserve(element)
    job.show(levels)
  }

  #again(job, element) {
    if (!job.isSeen || this.#watched.get(element) !== job) return
    this.#waiting.set(job, element)
    this.#next()
  }
}

import { recordingAddress } from '../recordings.js'

/**
 * Plays one recording at a time. Sends `change` when playback starts, pauses, ends, moves or fails, with the
 * affected name as `detail`.
 */
export class Player extends EventTarget {
  name = null
  problem = ''
  #audio = new Audio()
  #frame = 0
  /** The position at which to start once the metadata is loaded. */
  #startPosition = null

  constructor() {
    super()
    const audio = this.#audio
    audio.preload = 'auto'
    for (const event of ['playing', 'pause', 'ended', 'seeked', 'waiting', 'durationchange']) {
      audio.addEventListener(event, () => this.#changed())
    }
    audio.addEventListener('loadedmetadata', () => {
      if (this.#startPosition !== null) audio.currentTime = this.#startPosition
      this.#startPosition = null
    })
    audio.addEventListener('error', () => this.#fail())
  }

  get isPlaying() { return this.name !== null && !this.#audio.paused }

  /** Whether playback waits for data. */
  get isWaiting() {
    return this.isPlaying && this.#audio.readyState < HTMLMediaElement.HAVE_FUTURE_DATA
  }

  get position() { return this.#startPosition ?? this.#audio.currentTime }

  /** The duration of the loaded recording in seconds; null if unknown. */
  get duration() { return Number.isFinite(this.#audio.duration) ? this.#audio.duration : null }

  /** Plays a recording, or pauses it if it is playing. */
  toggle(name) {
    if (this.name === name && this.isPlaying) this.#audio.pause()
    else this.play(name)
  }

  play(name) {
    if (this.name !== name || this.problem) this.#load(name)
    // `play` rejects if another load interrupts it, which is not an error.
    this.#audio.play().catch(() => {})
    this.#follow()
  }

  /** Moves the position in a recording; a recording that is not loaded yet is loaded and stays paused. */
  seek(name, seconds) {
    if (this.name !== name || this.problem) this.#load(name)
    if (this.#audio.readyState >= HTMLMediaElement.HAVE_METADATA) this.#audio.currentTime = seconds
    else this.#startPosition = seconds
    this.#changed()
  }

  /** Unloads a recording that was renamed or deleted. */
  unload(name) {
    if (this.name !== name) return
    this.name = null
    this.problem = ''
    this.#startPosition = null
    this.#audio.pause()
    this.#audio.removeAttribute('src')
    this.#audio.load()
    this.#notify(name)
  }

  #load(name) {
    const before = this.name
    this.name = name
    this.problem = ''
    this.#startPosition = null
    this.#audio.src = recordingAddress(name)
    if (before !== null && before !== name) this.#notify(before)
  }

  #fail() {
    if (this.name === null || !this.#audio.error) return
    const isUnknown = this.#audio.error.code === MediaError.MEDIA_ERR_SRC_NOT_SUPPORTED
    this.problem = isUnknown
      ? `This browser cannot play “${this.name}”. Download it to play it in another program.`
      : `Playback of “${this.name}” was interrupted. Check the connection to the studio, and retry.`
    this.#audio.pause()
    this.#changed()
  }

  #changed() { if (this.name !== null) this.#notify(this.name) }
  #notify(name) { this.dispatchEvent(new CustomEvent('change', { detail: name })) }

  /** Reports the position ten times a second during playback, while the page is visible. */
  #follow() {
    cancelAnimationFrame(this.#frame)
    let last = 0
    const step = now => {
      if (!this.isPlaying) return
      if (now - last >= 100) {
        last = now
        this.#changed()
      }
      this.#frame = requestAnimationFrame(step)
    }
    this.#frame = requestAnimationFrame(step)
  }
}

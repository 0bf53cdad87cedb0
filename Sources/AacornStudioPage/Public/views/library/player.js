import { recordingAddress } from '../inspect/open.js'

/**
 * Plays one recording at a time. Sends `change` when it starts, pauses, ends, moves or fails, with
 * the name concerned as `detail`.
 */
export class Player extends EventTarget {
  name = null
  problem = ''
  #audio = new Audio()
  #frame = 0
  /** Where to begin once the length is known. */
  #wish = null

  constructor() {
    super()
    const audio = this.#audio
    audio.preload = 'auto'
    for (const event of ['playing', 'pause', 'ended', 'seeked', 'waiting', 'durationchange']) {
      audio.addEventListener(event, () => this.#changed())
    }
    audio.addEventListener('loadedmetadata', () => {
      if (this.#wish !== null) audio.currentTime = this.#wish
      this.#wish = null
    })
    audio.addEventListener('error', () => this.#fail())
  }

  get isPlaying() {
    return this.name !== null && !this.#audio.paused
  }

  /** Whether it waits for the sound to come. */
  get isWaiting() {
    return this.isPlaying && this.#audio.readyState < HTMLMediaElement.HAVE_FUTURE_DATA
  }

  get position() {
    return this.#wish ?? this.#audio.currentTime
  }

  /** Seconds of what is loaded; null if that is not known. */
  get duration() {
    return Number.isFinite(this.#audio.duration) ? this.#audio.duration : null
  }

  /** Plays, or pauses what plays. */
  toggle(name) {
    if (this.name === name && this.isPlaying) this.pause()
    else this.play(name)
  }

  play(name) {
    if (this.name !== name || this.problem) this.#load(name)
    // A play that another one overtakes is refused; that is no failure.
    this.#audio.play().catch(() => {})
    this.#follow()
  }

  pause() {
    this.#audio.pause()
  }

  /** Moves within a recording; one that is not loaded yet is loaded and stays silent. */
  seek(name, seconds) {
    if (this.name !== name || this.problem) this.#load(name)
    if (this.#audio.readyState >= HTMLMediaElement.HAVE_METADATA) this.#audio.currentTime = seconds
    else this.#wish = seconds
    this.#changed()
  }

  /** Forgets a recording that is gone. */
  unload(name) {
    if (this.name !== name) return
    this.name = null
    this.problem = ''
    this.#wish = null
    this.#audio.pause()
    this.#audio.removeAttribute('src')
    this.#audio.load()
    this.#tell(name)
  }

  #load(name) {
    const before = this.name
    this.name = name
    this.problem = ''
    this.#wish = null
    this.#audio.src = recordingAddress(name)
    if (before !== null && before !== name) this.#tell(before)
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

  #changed() {
    if (this.name !== null) this.#tell(this.name)
  }

  #tell(name) {
    this.dispatchEvent(new CustomEvent('change', { detail: name }))
  }

  /** Tells the position ten times a second while it plays and the page can be seen. */
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

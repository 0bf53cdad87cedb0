/** Seconds of sound that are decoded at once, and that are ready ahead of what is heard. */
const piece = 1
const ahead = 3
/** Seconds from when sound is handed over until it can be heard. */
const lead = 0.05

/**
 * Plays what a Decoding gives, piece by piece, so that hours need no more memory than seconds.
 * Sends `change` when it starts, stops, is moved or fails.
 */
export class Player extends EventTarget {
  isPlaying = false
  problem = ''
  /** Seconds between which it plays; the rest is only there for decoders. */
  first = 0
  last = Infinity
  #decoding
  #context = null
  #gain = null
  #volume = 1
  /** Where it stands while nothing plays. */
  #rest = 0
  /** What plays: when it began, by the clock of the output, and with which second. */
  #anchor = null
  #sources = new Set()
  #onEnded = null
  /** Counts starts, so that samples that come late are left alone. */
  #turn = 0

  constructor(decoding) {
    super()
    this.#decoding = decoding
  }

  /** The second that is heard. */
  get position() {
    if (!this.isPlaying || !this.#anchor) return this.#rest
    const { time, second } = this.#anchor
    return Math.min(this.end, second + Math.max(0, this.#context.currentTime - time))
  }

  /** The second at which it ends, as far as that is known. */
  get end() {
    return Math.min(this.last, this.#decoding.seconds)
  }

  set volume(volume) {
    this.#volume = volume
    if (this.#gain) this.#gain.gain.value = volume
  }

  toggle() {
    if (this.isPlaying) this.pause()
    else this.play()
  }

  async play() {
    if (this.isPlaying) return
    if (this.#rest >= this.end - 0.01 && this.#decoding.phase === 'done') this.#rest = this.first
    this.isPlaying = true
    this.problem = ''
    this.#changed()
    try {
      this.#context ??= this.#open()
      await this.#context.resume()
      if (this.isPlaying) await this.#start()
    } catch (error) {
      this.problem = `The sound cannot be played here: ${error.message}`
      this.pause()
    }
  }

  pause() {
    if (!this.isPlaying) return
    this.#rest = this.position
    this.isPlaying = false
    this.#silence()
    this.#context?.suspend().catch(() => {})
    this.#changed()
  }

  seek(second) {
    this.#rest = Math.max(this.first, Math.min(this.end, second))
    if (this.isPlaying && this.#context) {
      this.#silence()
      this.#start().catch(() => this.pause())
    }
    this.#changed()
  }

  dispose() {
    this.isPlaying = false
    this.#silence()
    this.#context?.close().catch(() => {})
    this.#context = null
  }

  #open() {
    let context
    try {
      // At the rate of the file nothing is resampled piece by piece.
      context = new AudioContext({ sampleRate: this.#decoding.sampleRate })
    } catch {
      context = new AudioContext()
    }
    this.#gain = context.createGain()
    this.#gain.gain.value = this.#volume
    this.#gain.connect(context.destination)
    return context
  }

  #silence() {
    this.#turn += 1
    this.#anchor = null
    for (const source of this.#sources) {
      source.onended = null
      source.stop()
      source.disconnect()
    }
    this.#sources.clear()
  }

  /** Plays from `#rest` on, until the end or until another start. */
  async #start() {
    const turn = (this.#turn += 1)
    const { sampleRate } = this.#decoding
    let position = Math.round(this.#rest * sampleRate)
    const end = Math.min(Math.round(this.last * sampleRate), Number.MAX_SAFE_INTEGER)
    /** When the next piece is to begin. */
    let time = -1
    while (position < end) {
      const count = Math.min(Math.round(piece * sampleRate), end - position)
      const { channels, sampleRate: rate } = await this.#decoding.read(position, count)
      if (turn !== this.#turn) return
      if (channels.length === 0) break
      const now = this.#context.currentTime
      if (time < now) {
        // The first piece, or one that came too late.
        time = now + lead
        this.#anchor = { time, second: position / sampleRate }
      }
      this.#schedule(channels, rate, time)
      position += channels[0].length
      time += channels[0].length / rate
      while (time - this.#context.currentTime > ahead) {
        await this.#oneEnds()
        if (turn !== this.#turn) return
      }
    }
    while (this.#sources.size > 0) {
      await this.#oneEnds()
      if (turn !== this.#turn) return
    }
    this.#rest = position / sampleRate
    this.isPlaying = false
    this.#anchor = null
    this.#context.suspend().catch(() => {})
    this.#changed()
  }

  #schedule(channels, rate, time) {
    const buffer = this.#context.createBuffer(channels.length, channels[0].length, rate)
    channels.forEach((samples, channel) => buffer.copyToChannel(samples, channel))
    const source = this.#context.createBufferSource()
    source.buffer = buffer
    source.onended = () => {
      this.#sources.delete(source)
      source.disconnect()
      this.#onEnded?.()
    }
    source.connect(this.#gain)
    this.#sources.add(source)
    source.start(time)
  }

  /** Waits until one more piece has been heard; for ever if they are silenced. */
  #oneEnds() {
    return new Promise(resolve => {
      this.#onEnded = resolve
    })
  }

  #changed() {
    this.dispatchEvent(new Event('change'))
  }
}

/** The duration in seconds of a decoded piece, and of the audio to prepare ahead of playback. */
const piece = 1
const ahead = 3
/** The delay in seconds between scheduling and playback. */
const lead = 0.05

/**
 * Plays the audio of a Decoding piece by piece, so that hours need no more memory than seconds. Sends `change`
 * when playback starts, stops, moves or fails.
 */
export class Player extends EventTarget {
  isPlaying = false
  problem = ''
  /** The start and the end of playback in seconds; the audio outside is only for decoders. */
  first = 0
  last = Infinity
  #decoding
  #context = null
  #gain = null
  #volume = 1
  /** The position while paused, in seconds. */
  #rest = 0
  /** The start of the current playback: the time of the output's clock, and the second played at that time. */
  #anchor = null
  #sources = new Set()
  #onEnded = null
  /** The number of starts, used to ignore samples that arrive late. */
  #turn = 0

  constructor(decoding) {
    super()
    this.#decoding = decoding
  }

  /** The second that is playing now. */
  get position() {
    if (!this.isPlaying || !this.#anchor) return this.#rest
    const { time, second } = this.#anchor
    return Math.min(this.end, second + Math.max(0, this.#context.currentTime - time))
  }

  /** The end of playback in seconds, if it is known already. */
  get end() { return Math.min(this.last, this.#decoding.seconds) }

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
      // At the rate of the file, no piece is resampled.
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

  /** Plays from `#rest` until the end or another start. */
  async #start() {
    const turn = (this.#turn += 1)
    const { sampleRate } = this.#decoding
    let position = Math.round(this.#rest * sampleRate)
    const end = Math.min(Math.round(this.last * sampleRate), Number.MAX_SAFE_INTEGER)
    let time = -1
    while (position < end) {
      const count = Math.min(Math.round(piece * sampleRate), end - position)
      const { channels, sampleRate: rate } = await this.#decoding.read(position, count)
      if (turn !== this.#turn) return
      if (channels.length === 0) break
      const now = this.#context.currentTime
      if (time < now) {
        // The piece is the first one, or arrived too late to follow the previous piece.
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

  /** Waits until a piece has finished; never ends if playback is stopped. */
  #oneEnds() {
    return new Promise(resolve => {
      this.#onEnded = resolve
    })
  }

  #changed() { this.dispatchEvent(new Event('change')) }
}

import { startWorker } from '../../../workers.js'

/** The distance in frames between two entries of the index for the worker. */
const stride = 16

/**
 * Returns an index of the frames, for streams that have no tables and can be decoded from any frame; null for
 * all other files. In LATM, only some frames contain the configuration.
 */
export function frameIndex({ rows, report }) {
  // Long-term and backward prediction need all previous frames.
  const isFree = /^(LC|HE)/.test(report.profile ?? '')
  if (report.container !== 'ADTS' || !isFree) return null
  const count = Math.ceil(rows.length / stride)
  const at = read => Float64Array.from({ length: count }, (_, index) => read(index * stride))
  return { offsets: at(index => rows.offset(index)), times: at(index => rows.time(index)) }
}

/**
 * The audio of a file, decoded by a worker. It includes the encoder's delay and padding, so that its times
 * match the times of the frames. Sends `change` when more is known, and `picture` when a picture has arrived.
 */
export class Decoding extends EventTarget {
  /** 'opening', 'reading', 'done' or 'failed'. */
  phase = 'opening'
  problem = ''
  /** The container format, as named by a SoundReader. */
  container = ''
  sampleRate = 0
  channels = 0
  /** The loudspeakers; null if the file does not specify them. */
  layout = null
  /** The decoded fraction, 0 to 1. */
  fraction = 0
  /** Samples per channel known up to now. */
  length = 0
  /** The ranges that conceal damaged audio. */
  concealed = { count: 0, frameCount: 0, list: [] }
  picture = null
  /** The duration of all frames in seconds. */
  #expected
  #worker
  #requestNumber = 0
  /** The pending requests for samples, in order. */
  #readers = []

  constructor(inspection) {
    super()
    this.#expected = inspection.rows.length * inspection.frameSeconds
    this.#worker = startWorker(new URL('./worker.js', import.meta.url),
      message => this.#receive(message),
      () => this.#fail('The decoder cannot run in this browser.'))
    this.#worker.postMessage({
      type: 'open', blob: inspection.blob, index: frameIndex(inspection), expected: this.#expected
    })
  }

  get isOpen() { return this.phase === 'reading' || this.phase === 'done' }

  /** The known duration in seconds. */
  get seconds() {
    const known = this.sampleRate > 0 ? this.length / this.sampleRate : 0
    return this.phase === 'done' ? known : Math.max(known, this.#expected)
  }

  /** Requests a picture of the period from `start` to `end`, in seconds. */
  requestPicture(start, end, columns) {
    if (!this.isOpen) return
    this.#requestNumber += 1
    this.#worker.postMessage({
      type: 'picture', number: this.#requestNumber, start: start * this.sampleRate,
      end: end * this.sampleRate, columns
    })
  }

  /** Returns samples from index `position` on, mixed to one or two channels; no channels at the end. */
  read(position, count) {
    return new Promise(resolve => {
      this.#readers.push(resolve)
      this.#worker?.postMessage({ type: 'read', position, count })
    })
  }

  dispose() {
    this.#worker?.terminate()
    this.#worker = null
  }

  #receive(message) {
    if (!this.#worker) return
    if (message.type === 'opened') {
      this.phase = 'reading'
      this.container = message.container
      this.sampleRate = message.sampleRate
      this.channels = message.channels
      this.layout = message.layout
      this.length = message.frameCount ?? 0
    }
    if (message.type === 'progress') {
      this.fraction = message.fraction
      this.length = message.isComplete ? message.length : Math.max(this.length, message.length)
      this.concealed = message.concealed
      if (message.isComplete) this.phase = 'done'
    }
    if (message.type === 'samples') return this.#readers.shift()?.(message)
    if (message.type === 'picture') {
      if (message.number !== this.#requestNumber) return undefined
      this.picture = message.picture
      // Tests wait for the picture after the coarse one.
      this.picture.isExact = message.isExact
      return this.dispatchEvent(new Event('picture'))
    }
    if (message.type === 'failed') return this.#fail(message.message)
    return this.dispatchEvent(new Event('change'))
  }

  #fail(problem) {
    this.problem = problem
    this.phase = 'failed'
    this.dispose()
    for (const resolve of this.#readers.splice(0)) resolve({ channels: [] })
    this.dispatchEvent(new Event('change'))
  }
}

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
    return new Promise(resolve => { this.#onEnded = resolve })
  }

  #changed() { this.dispatchEvent(new Event('change')) }
}

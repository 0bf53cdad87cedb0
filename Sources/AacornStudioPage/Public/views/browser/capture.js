// An open microphone, in the worker: levels and columns for the page, samples for a recording.

import { Recording } from './recording.js'
import { joined, messageOf } from './store.js'

/** The number of reports to the page per second. */
const reportsPerSecond = 20
/** The maximum silence in seconds that replaces lost audio, so that a night of system sleep is not filled. */
const maxFillSeconds = 600
/** The time in ms that the audio thread may take to send its last samples. */
const flushTimeout = 600

export class Capture {
  recording = null
  upload = null
  #isPaused = false
  #entry = null
  /** A promise of the result of a recording that failed. */
  #rest = null
  #port
  #sampleRate
  #channels
  #post
  #columns
  #continuity
  #aacorn
  #gapCount = 0
  #lostFrames = 0
  #peaks
  #squares
  #measured = 0
  #gathered = []
  #flushes = new Map()
  #flushNumber = 0

  /** Starts to receive audio; options as for the constructor, with the audio thread's `port`. */
  static async open(aacorn, options) {
    const columns = await aacorn.columns(options.sampleRate, options.channels)
    return new Capture(aacorn, columns, options)
  }

  /** Use `open` instead. */
  constructor(aacorn, columns, { port, sampleRate, channels, post }) {
    this.#aacorn = aacorn
    this.#port = port
    this.#sampleRate = sampleRate
    this.#channels = channels
    this.#post = post
    this.#columns = columns
    this.#continuity = new Continuity(sampleRate)
    this.#peaks = new Float64Array(channels)
    this.#squares = new Float64Array(channels)
    port.onmessage = ({ data }) => this.#take(data)
  }

  async start(entry, options) {
    const recording = await Recording.open(this.#aacorn, entry.folder, options)
    try {
      await entry.note({ core: recording.core })
    } catch (error) {
      recording.abandon()
      throw error
    }
    this.#entry = entry
    this.#gapCount = 0
    this.#lostFrames = 0
    this.#isPaused = false
    this.#rest = null
    this.upload = recording.upload
    this.recording = recording
  }

  /** Receives the remaining samples from the audio thread, completes the recording and returns its entry. */
  async stop() {
    if (this.recording) await this.#flush()
    const { recording } = this
    // If the recording failed in the meantime, return its remains.
    if (!recording) return this.#rest
    this.recording = null
    return this.#complete(recording)
  }

  pause(isPaused) {
    this.#isPaused = isPaused
    // If the system stopped the audio during the pause, do not count that time as lost audio.
    if (!isPaused) this.#continuity = new Continuity(this.#sampleRate)
  }

  async #complete(recording) {
    const entry = this.#entry
    try {
      const { file, samples } = await recording.finish()
      return await entry.complete(file, samples, {
        seconds: recording.seconds, gapCount: this.#gapCount,
        lostSeconds: this.#lostFrames / this.#sampleRate
      })
    } catch (error) {
      recording.abandon()
      throw error
    } finally {
      entry.release()
    }
  }

  async close() {
    await this.stop().catch(() => {})
    this.#port.postMessage({ close: true })
    this.#port.close()
    this.#columns.close()
  }

  #flush() {
    this.#flushNumber += 1
    const number = this.#flushNumber
    this.#port.postMessage({ flush: number })
    return new Promise(resolve => {
      this.#flushes.set(number, resolve)
      setTimeout(resolve, flushTimeout)
    })
  }

  #take(block) {
    const samples = block.samples.subarray(0, block.count * this.#channels)
    const missing = this.#continuity.missing(block, block.at, performance.now())
    if (this.recording && !this.#isPaused) this.#record(samples, missing)
    this.#measure(samples)
    const columns = this.#columns.append(samples)
    if (columns.length) this.#gathered.push(columns)
    this.#port.postMessage({ spare: block.samples }, [block.samples.buffer])
    if (this.#measured >= this.#sampleRate / reportsPerSecond) this.#report()
    if (block.flush) {
      this.#flushes.get(block.flush)?.()
      this.#flushes.delete(block.flush)
    }
  }

  #record(samples, missing) {
    const { recording } = this
    try {
      if (missing) {
        const fill = Math.min(missing, maxFillSeconds * this.#sampleRate)
        this.#gapCount += 1
        this.#lostFrames += fill
        recording.encodeSilence(fill)
      }
      recording.encode(samples)
    } catch (error) {
      this.recording = null
      this.#rest = this.#breakOff(recording, messageOf(error))
    }
  }

  /**
   * Completes a recording that cannot continue. If that fails as well, the written data stays in the browser
   * and is offered as an interrupted recording.
   */
  async #breakOff(recording, message) {
    const entry = await this.#complete(recording).catch(() => null)
    this.#post({ type: 'broken', message, entry })
    return entry
  }

  #measure(samples) {
    const channels = this.#channels
    for (let channel = 0; channel < channels; channel += 1) {
      let peak = this.#peaks[channel]
      let sum = 0
      for (let index = channel; index < samples.length; index += channels) {
        const sample = samples[index]
        sum += sample * sample
        if (sample > peak) peak = sample
        else if (-sample > peak) peak = -sample
      }
      this.#peaks[channel] = peak
      this.#squares[channel] += sum
    }
    this.#measured += samples.length / channels
  }

  #report() {
    const { recording } = this
    recording?.flushNow()
    this.#post({
      type: 'meter', peaks: [...this.#peaks],
      rms: [...this.#squares].map(sum => Math.sqrt(sum / this.#measured)),
      columns: joined(this.#gathered),
      frames: recording?.takeFrames() ?? [], unitRate: recording?.unitRate ?? 0,
      seconds: recording?.seconds ?? 0, bytes: recording?.byteCount ?? 0,
      gapCount: this.#gapCount, lostSeconds: this.#lostFrames / this.#sampleRate
    })
    this.#peaks.fill(0)
    this.#squares.fill(0)
    this.#measured = 0
    this.#gathered = []
  }
}

/** The number of blocks in a window for the minimum delay, about half a second. */
const windowLength = 24
/** A permanent growth of the delay by this time in ms means lost audio. */
const threshold = 60
/**
 * The growth of the delay in ms per window that a clock difference can cause: 2000 ppm, more than any real
 * difference.
 */
const drift = 1

/**
 * Determines the number of samples missing before a block.
 *
 * There are two signs of lost audio: the audio thread's count of frames jumps, or the count falls behind the
 * clock and stays behind. Late blocks arrive in a burst afterwards and make the delay small again, so only the
 * minimum delay of a window counts. Two clocks must agree: the audio thread's timestamp jumps when the
 * machine's clock is set, and the worker's own timestamp is late when the worker was busy.
 */
export class Continuity {
  #sampleRate
  #expected = null
  #count = 0
  #minDelays = [Infinity, Infinity]
  #reference = null
  /** The inserted silence in ms, and the part of it that was unnecessary. */
  #filled = 0
  #excess = 0

  constructor(sampleRate) { this.#sampleRate = sampleRate }

  /**
   * Returns the number of frames of silence to insert before this block. `start` and `count` are in frames of
   * the audio context, `stamp` and `now` in ms.
   */
  missing({ start, count }, stamp, now) {
    const jump = this.#expected === null ? 0 : Math.max(0, start - this.#expected)
    this.#expected = start + count
    const audioTime = ((start + count) / this.#sampleRate) * 1000
    this.#minDelays[0] = Math.min(this.#minDelays[0], stamp - audioTime)
    this.#minDelays[1] = Math.min(this.#minDelays[1], now - audioTime)
    this.#count += 1
    return this.#count < windowLength ? jump : jump + this.#endWindow()
  }

  #endWindow() {
    const least = this.#minDelays
    const reference = this.#reference ?? least
    const growth = least.map((delay, clock) => delay - reference[clock])
    this.#minDelays = [Infinity, Infinity]
    this.#count = 0
    // A delay that shrinks or jumps sets a new reference. Gradual growth is accumulated, except for the drift:
    // many short losses add up to a long one.
    this.#reference = least.map((delay, clock) =>
      (growth[clock] < 0 || growth[clock] >= threshold ? delay
        : reference[clock] + Math.min(drift, growth[clock])))
    const shrinkage = -Math.max(...growth)
    // Smaller decreases of the delay are measurement noise.
    if (shrinkage >= threshold / 2) {
      this.#excess = Math.min(this.#filled, this.#excess + shrinkage)
    }
    const lost = Math.min(...growth)
    if (lost < threshold) return 0
    // Silence was inserted before blocks that were only very late, so the next loss gets less silence.
    const fill = Math.max(0, lost - this.#excess)
    this.#excess -= lost - fill
    this.#filled += fill
    return Math.round((fill / 1000) * this.#sampleRate)
  }
}

// An open microphone, in the worker: levels and columns for the page, samples for a recording.

import { Continuity } from './continuity.js'
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

  /** Starts to receive audio from the audio thread at `port`. */
  static async open(aacorn, { port, sampleRate, channels, post }) {
    const columns = await aacorn.columns(sampleRate, channels)
    return new Capture(aacorn, columns, { port, sampleRate, channels, post })
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
      type: 'meter',
      peaks: [...this.#peaks],
      rms: [...this.#squares].map(sum => Math.sqrt(sum / this.#measured)),
      columns: joined(this.#gathered),
      frames: recording?.takeFrames() ?? [],
      unitRate: recording?.unitRate ?? 0,
      seconds: recording?.seconds ?? 0,
      bytes: recording?.byteCount ?? 0,
      gapCount: this.#gapCount,
      lostSeconds: this.#lostFrames / this.#sampleRate
    })
    this.#peaks.fill(0)
    this.#squares.fill(0)
    this.#measured = 0
    this.#gathered = []
  }
}

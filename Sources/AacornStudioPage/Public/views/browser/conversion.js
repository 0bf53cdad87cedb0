// One file on its way to AAC: read by our own reader or decoded by the browser, and encoded in a
// worker.

import { endingOf } from './coding.js'
import { decode, isUneven, readable } from './decode.js'
import { decoderModule, encoderModule, samplesModule } from './modules.js'
import { freeName, stem, tagsOf } from './names.js'
import { sniff } from './sniff.js'

const workerAddress = new URL('./convert-worker.js', import.meta.url)
/** Frames of a piece for the worker, and pieces that may be on their way. */
const pieceLength = 32_768
const mostPieces = 4

/** Files of samples, as our own reader names them; others were encoded before. */
const stored = ['wav', 'aiff', 'caf']

/** Whether our own reader takes a file of this kind, or may. */
const isTried = ({ isSamples, mayBeAAC }) => isSamples || mayBeAAC

/** Ends a conversion that was cancelled. */
class Cancelled extends Error {}

/**
 * A conversion. Its `state` is 'waiting', 'reading', 'decoding', 'encoding', 'done', 'failed' or
 * 'cancelled'; the event `change` tells of it and of `fraction`.
 */
export class Conversion extends EventTarget {
  state = 'waiting'
  fraction = 0
  /** Null as long as it is not known. */
  seconds = 0
  sampleRate = 0
  channels = 0
  /** Multiples of real time. */
  speed = 0
  blob = null
  problem = ''
  /** Whether the sound was encoded before, so that it loses again. */
  isLossy = false
  /** What was concealed, if our own decoder has read the file. */
  damage = null
  #worker = null
  #startedAt = 0
  #began = false
  #outcome = null
  #abandon = () => {}
  #free = []
  #credit = () => {}

  /** `used` are names of other results, which this one must not have. */
  constructor(file, { takesTags, ...options }, used = new Set()) {
    super()
    this.file = file
    this.options = { ...options, tags: takesTags ? tagsOf(file.name) : {} }
    this.name = freeName(`${stem(file.name)}.${endingOf(options.container)}`, used)
  }

  get isOver() { return ['done', 'failed', 'cancelled'].includes(this.state) }

  /** Does the work; fulfilled when it is over, whatever the end. */
  async run() {
    if (this.isOver) return
    const cancelled = new Promise((_, reject) => {
      this.#abandon = () => reject(new Cancelled())
    })
    try {
      await Promise.race([cancelled, this.#work()])
    } catch (error) {
      if (!(error instanceof Cancelled)) {
        this.problem = error.message
        this.#change('failed')
      }
    } finally {
      this.#worker?.terminate()
      this.#worker = null
    }
  }

  cancel() {
    if (this.isOver) return
    this.#change('cancelled')
    this.#worker?.terminate()
    this.#abandon()
  }

  async #work() {
    const { file } = this
    this.#change('reading')
    if (!file.size) throw new Error(`“${file.name}” is empty: there is nothing to convert.`)
    const kind = await readable(sniff(file), file)
    await this.#openWorker(kind)
    const refusal = isTried(kind) ? await this.#convertHere() : null
    if (this.state === 'done') return
    await this.#decodeAndConvert(kind, refusal)
  }

  async #openWorker(kind) {
    const [module, samples, sound] = await Promise.all([
      encoderModule(), samplesModule(), kind.mayBeAAC && decoderModule()
    ])
    if (this.isOver) throw new Cancelled()
    this.#worker = new Worker(workerAddress, { type: 'module' })
    this.#worker.onmessage = ({ data }) => this.#hear(data)
    this.#worker.onerror = event => {
      event.preventDefault()
      const message = 'The encoder stopped unexpectedly. Convert the file again.'
      this.#outcome?.resolve({ type: 'failed', message })
    }
    this.#worker.postMessage({
      type: 'load', module, samples, sound: sound || undefined
    })
  }

  /** Fulfilled with the worker's last word: done or failed. */
  #expect() {
    return new Promise(resolve => { this.#outcome = { resolve } })
  }

  #hear(data) {
    if (data.type === 'progress') this.#progress(data.fraction)
    else if (data.type === 'began') {
      this.#begin({ ...data, isLossy: !stored.includes(data.container) })
    } else if (data.type === 'taken') {
      this.#free.push(data.channels)
      this.#credit()
    } else this.#outcome?.resolve(data)
  }

  #begin({ sampleRate, channels, seconds, isLossy }) {
    Object.assign(this, { sampleRate, channels, seconds, isLossy })
    this.#startedAt = performance.now()
    this.#began = true
    this.#change('encoding')
  }

  #progress(fraction) {
    this.fraction = Math.min(1, fraction)
    const passed = (performance.now() - this.#startedAt) / 1000
    if (passed > 0.2 && this.seconds) this.speed = this.seconds * this.fraction / passed
    this.#change(this.state)
  }

  #finish(blob) {
    this.fraction = 1
    this.speed = this.seconds / Math.max(0.001, (performance.now() - this.#startedAt) / 1000)
    const type = this.options.container === 'm4a' ? 'audio/mp4' : 'audio/aac'
    this.blob = new Blob([blob], { type })
    this.#change('done')
  }

  /** Our own reader; answers why it refuses the file, which the browser may take. */
  async #convertHere() {
    const outcome = this.#expect()
    this.#worker.postMessage({ type: 'file', file: this.file, options: this.options })
    const { type, blob, seconds, damage, message, code } = await outcome
    if (type === 'done') {
      Object.assign(this, { seconds, damage })
      this.#finish(blob)
      return null
    }
    // A file whose sound was understood failed for a reason that the browser does not mend.
    if (this.#began) throw new Error(`“${this.file.name}” cannot be encoded. ${message}`)
    return { message, code }
  }

  async #decodeAndConvert(kind, refusal) {
    const sound = await decode(this.file, kind, refusal?.message, () => {
      if (this.isOver) throw new Cancelled()
      this.#change('decoding')
    })
    const isStretched = kind.isRate && kind.bits === 16 && await isUneven()
    const isLossy = kind.isLossy || refusal?.code === 'object-type'
    await this.#encode(sound, { isStretched, isLossy })
  }

  /** `isStretched` says that samples above zero are to be set right. */
  async #encode(sound, { isStretched, isLossy }) {
    const { sampleRate, numberOfChannels: channels, length } = sound
    if (!length) throw new Error(`“${this.file.name}” contains no sound.`)
    this.#begin({ sampleRate, channels, seconds: length / sampleRate, isLossy })
    const outcome = this.#expect()
    let end = null
    outcome.then(last => {
      end = last
      this.#credit()
    })
    this.#worker.postMessage({
      type: 'begin', file: this.file, isStretched,
      options: { ...this.options, sampleRate, channels, frameCount: length }
    })
    let pieces = 0
    for (let at = 0; at < length && !end && !this.isOver; at += pieceLength) {
      if (pieces >= mostPieces && !this.#free.length) {
        await new Promise(resolve => { this.#credit = resolve })
        if (end) break
      }
      const size = Math.min(pieceLength, length - at)
      const piece = this.#piece(channels, size)
      piece.forEach((samples, channel) => sound.copyFromChannel(samples, channel, at))
      this.#worker.postMessage(
        { type: 'samples', channels: piece }, piece.map(samples => samples.buffer))
      pieces += 1
    }
    if (this.isOver) throw new Cancelled()
    this.#worker.postMessage({ type: 'end' })
    const { type, blob, message } = await outcome
    if (type !== 'done') throw new Error(`“${this.file.name}” cannot be encoded. ${message}`)
    this.#finish(blob)
  }

  /** Buffers for a piece: those that the worker gave back, if they fit. */
  #piece(channels, size) {
    const used = this.#free.pop()
    if (used?.length === channels && used[0].length === size) return used
    return Array.from({ length: channels }, () => new Float32Array(size))
  }

  #change(state) {
    if (this.state === 'cancelled') return
    this.state = state
    this.dispatchEvent(new Event('change'))
  }
}

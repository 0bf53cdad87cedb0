// The conversion of a file to AAC: read by our own reader or decoded by the browser, and encoded in a worker.

import { startWorker } from '../../workers.js'
import { endingOf, freeName, stem, tagsOf } from '../files.js'
import { decoderModule, encoderModule, samplesModule } from './modules.js'
import { sniff } from './sniff.js'

/** The number of frames in a piece for the worker, and the maximum number of pieces in transit. */
const pieceLength = 32_768
const maxPieces = 4

/** The uncompressed formats that our reader supports; all others are already compressed. */
const stored = ['wav', 'aiff', 'caf']

class Cancelled extends Error {}

/**
 * A conversion. Its `state` is 'waiting', 'reading', 'decoding', 'encoding', 'done', 'failed' or 'cancelled'.
 * The event `change` reports changes of `state` and `fraction`.
 */
export class Conversion extends EventTarget {
  state = 'waiting'
  fraction = 0
  /** The duration in seconds; null while unknown. */
  seconds = 0
  sampleRate = 0
  channels = 0
  /** The encoding speed as a multiple of real time. */
  speed = 0
  blob = null
  problem = ''
  /** Whether the source is already lossy, so that encoding it again reduces the quality. */
  isLossy = false
  /** The concealed ranges, if our own decoder has read the file. */
  damage = null
  #worker = null
  #startedAt = 0
  #began = false
  #outcome = null
  #abandon = () => {}
  #free = []
  #credit = () => {}

  /** `used` contains the names of other results, which this one must not have. */
  constructor(file, { takesTags, ...options }, used = new Set()) {
    super()
    this.file = file
    this.options = { ...options, tags: takesTags ? tagsOf(file.name) : {} }
    this.name = freeName(`${stem(file.name)}.${endingOf(options.container)}`, used)
  }

  get isFinished() { return ['done', 'failed', 'cancelled'].includes(this.state) }

  /** Runs the conversion; the promise is fulfilled at its end, whether or not it succeeds. */
  async run() {
    if (this.isFinished) return
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
    if (this.isFinished) return
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
    const mayBeSupported = kind.isSamples || kind.mayBeAAC
    const readerError = mayBeSupported ? await this.#convertHere() : null
    if (this.state === 'done') return
    await this.#decodeAndConvert(kind, readerError)
  }

  async #openWorker(kind) {
    const [module, samples, sound] = await Promise.all([
      encoderModule(), samplesModule(), kind.mayBeAAC && decoderModule()
    ])
    if (this.isFinished) throw new Cancelled()
    this.#worker = startWorker(new URL('./convert-worker.js', import.meta.url),
      data => this.#receive(data), () => this.#outcome?.resolve({
        type: 'failed', message: 'The encoder stopped unexpectedly. Convert the file again.'
      }))
    this.#worker.postMessage({ type: 'load', module, samples, sound: sound || undefined })
  }

  /** Returns a promise of the worker's final message: done or failed. */
  #expect() { return new Promise(resolve => { this.#outcome = { resolve } }) }

  #receive(data) {
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

  /**
   * Converts with our own reader. Returns the reader's reason for rejecting the file; the browser may still
   * decode such a file.
   */
  async #convertHere() {
    const outcome = this.#expect()
    this.#worker.postMessage({ type: 'file', file: this.file, options: this.options })
    const { type, blob, seconds, damage, message, code } = await outcome
    if (type === 'done') {
      Object.assign(this, { seconds, damage })
      this.#finish(blob)
      return null
    }
    // The reader had accepted the file, so the browser cannot help with this error.
    if (this.#began) throw new Error(`“${this.file.name}” cannot be encoded. ${message}`)
    return { message, code }
  }

  async #decodeAndConvert(kind, readerError) {
    const sound = await decode(this.file, kind, readerError?.message, () => {
      if (this.isFinished) throw new Cancelled()
      this.#change('decoding')
    })
    const isStretched = kind.isRate && kind.bits === 16 && await isUneven()
    const isLossy = kind.isLossy || readerError?.code === 'object-type'
    await this.#encode(sound, { isStretched, isLossy })
  }

  /**
   * Encodes decoded audio. `isStretched` means that the browser has scaled samples above zero (see `isUneven`).
   */
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
    for (let at = 0; at < length && !end && !this.isFinished; at += pieceLength) {
      if (pieces >= maxPieces && !this.#free.length) {
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
    if (this.isFinished) throw new Cancelled()
    this.#worker.postMessage({ type: 'end' })
    const { type, blob, message } = await outcome
    if (type !== 'done') throw new Error(`“${this.file.name}” cannot be encoded. ${message}`)
    this.#finish(blob)
  }

  /** Returns buffers for a piece, reusing buffers returned by the worker if they fit. */
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

/** The queue of files: decoding needs memory for a whole file, so only one file is decoded at a time. */
let queue = Promise.resolve()

/**
 * Decodes a file of a certain `kind` with the browser, at the audio's own rate. `readerError` is the error message
 * of our reader; `begin` is called when decoding starts. Throws an error with a human-readable message.
 */
async function decode(file, kind, readerError, begin) {
  const before = queue
  let release
  queue = new Promise(resolve => { release = resolve })
  await before
  try {
    begin()
    const bytes = await readable(file.arrayBuffer(), file)
    return await new OfflineAudioContext(1, 1, kind.sampleRate).decodeAudioData(bytes)
      .catch(() => { throw new Error(undecodable(file, kind.format, readerError)) })
  } finally {
    release()
  }
}

let unevenness = null

/**
 * Returns whether this browser scales 16-bit samples above zero slightly more than samples below, so that
 * 32767 becomes 1. Undoing that restores the exact samples of a lossless file.
 */
function isUneven() {
  unevenness ??= probe().catch(() => false)
  return unevenness
}

/** A WAV file at 48 kHz with a single 16-bit sample, 16384. */
const probeFile = 'RIFF\x26\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x80\xbb\0\0\0\x77\x01\0\x02\0\x10\0'
  + 'data\x02\0\0\0\0\x40'

/** Decodes a file whose sample becomes 0.5 or slightly more. */
async function probe() {
  const { buffer } = Uint8Array.from(probeFile, letter => letter.charCodeAt(0))
  const sound = await new OfflineAudioContext(1, 1, 48_000).decodeAudioData(buffer)
  return sound.getChannelData(0)[0] > 0.5
}

function undecodable(file, format, readerError) {
  const guess = format ? `it looks like ${format}` : 'its format is unknown'
  const tried = readerError ? `${readerError} This browser cannot decode it either.`
    : `This browser cannot decode it (${guess}).`
  return `“${file.name}” cannot be converted. ${tried} Try another browser, or convert it to WAV `
    + 'with another program.'
}

/** Awaits a read of a file; an error has a human-readable message. */
async function readable(promise, file) {
  try {
    return await promise
  } catch {
    throw new Error(`“${file.name}” cannot be read. It may have been moved or changed since it was `
      + 'chosen, or be too large for this browser. Choose it again.')
  }
}

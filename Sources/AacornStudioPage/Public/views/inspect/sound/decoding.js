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

import { whole } from './engine.js'

/** The number of bytes to convert at a time. The result can be many times as large. */
const pieceLength = 1 << 18

/** A conversion of a source's samples to a format that AAC supports. */
export class Conversion {
  #engine
  #handle
  #Samples

  /**
   * For 0, `sampleRate` is the source's rate or the next rate that AAC supports, `channels` the source's number.
   */
  constructor({ engine, handle }, sampleRate, channels) {
    this.#engine = engine
    this.#handle = engine.run('conversion_create', handle, whole(sampleRate), whole(channels))
    this.sampleRate = this.#run('rate')
    this.channels = this.#run('channels')
    this.#Samples = this.#run('integer') === 1 ? Int16Array : Float32Array
  }

  /** Whether every sample that the source announced has been converted. */
  get isComplete() {
    return this.#run('complete') === 1
  }

  /** Converts bytes, split at any position, and yields arrays of interleaved samples. */
  *convert(bytes) {
    for (let start = 0; start < bytes.length; start += pieceLength) {
      const piece = bytes.subarray(start, start + pieceLength)
      this.#engine.write(this.#handle, piece)
      yield this.#read(this.#run('push', piece.length))
    }
  }

  /** Returns the remaining samples at the end; throws if there were no samples at all. */
  finish() {
    return this.#read(this.#run('finish'))
  }

  /** Releases the memory. */
  close() {
    if (this.#handle > 0) this.#engine.call('close', this.#handle)
    this.#handle = 0
  }

  #run(name, ...values) {
    return this.#engine.run(`conversion_${name}`, this.#handle, ...values)
  }

  #read(count) {
    const bytes = this.#engine.read(this.#handle, count * this.#Samples.BYTES_PER_ELEMENT)
    return new this.#Samples(bytes.buffer)
  }
}

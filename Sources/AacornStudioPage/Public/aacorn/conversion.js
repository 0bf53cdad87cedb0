import { whole } from './engine.js'

/** Bytes that are converted at once: they may become many times as many. */
const pieceLength = 1 << 18

/** The samples of a source as AAC can carry them. */
export class Conversion {
  #engine
  #handle
  #Samples

  /** For 0, the rate is that of the source, or the next one that AAC has, and so the channels. */
  constructor({ engine, handle }, sampleRate, channels) {
    this.#engine = engine
    this.#handle = engine.run('conversion_create', handle, whole(sampleRate), whole(channels))
    this.sampleRate = this.#run('rate')
    this.channels = this.#run('channels')
    this.#Samples = this.#run('integer') === 1 ? Int16Array : Float32Array
  }

  /** Whether all samples have come that the source announced. */
  get isComplete() {
    return this.#run('complete') === 1
  }

  /** Takes bytes, cut anywhere, and gives interleaved samples, array by array. */
  *convert(bytes) {
    for (let start = 0; start < bytes.length; start += pieceLength) {
      const piece = bytes.subarray(start, start + pieceLength)
      this.#engine.write(this.#handle, piece)
      yield this.#read(this.#run('push', piece.length))
    }
  }

  /** The samples that are left at the end; if there have been none at all, that is refused. */
  finish() {
    return this.#read(this.#run('finish'))
  }

  /** Gives the memory back. */
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

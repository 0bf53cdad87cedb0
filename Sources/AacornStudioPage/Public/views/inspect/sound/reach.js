import { SoundReader } from '../../../aacorn/sound-reader.js'

/** Frames that are decoded before the wanted one, so that it sounds as it would have. */
const leadSeconds = 0.25
/** Seconds ahead that are decoded rather than jumped over. */
const nearSeconds = 2

/**
 * Samples of any part of a file. What only says frame by frame where the next one is would have to
 * be decoded up to the part; an `index` of the frames, `{ offsets, times }`, spares that.
 */
export class Reach {
  #engine
  #blob
  #index
  #reader = null
  /** The number of the sample with which the reader's file begins, and of the next one. */
  #origin = 0
  #position = 0
  #last = Promise.resolve()

  /** Encoders' delay and padding stay, so that frames and samples have one time. */
  static options = { trim: false }

  constructor(engine, blob, index, sampleRate) {
    this.#engine = engine
    this.#blob = blob
    this.#index = index
    this.sampleRate = sampleRate
  }

  /** `count` samples or fewer from number `position` on; null behind the end. */
  read(position, count) {
    const result = this.#last.then(() => this.#read(position, count))
    this.#last = result.catch(() => {})
    return result
  }

  close() {
    this.#reader?.close()
    this.#reader = null
  }

  async #read(position, count) {
    if (!this.#reader || position !== this.#position) await this.#go(position)
    const part = await this.#reader.read(count)
    if (!part) {
      this.close()
      return null
    }
    this.#position = position + part.channels[0].length
    return part
  }

  async #go(position) {
    const isNear = position >= this.#position
      && position - this.#position < nearSeconds * this.sampleRate
    if (!this.#reader || !isNear) await this.#open(position)
    await this.#reader.seek(position - this.#origin)
    this.#position = position
  }

  /** Opens the file anew where that is nearer than where the reader is. */
  async #open(position) {
    const start = this.#start(position)
    if (start) {
      try {
        const part = this.#blob.slice(start.offset)
        const reader = await SoundReader.open(this.#engine, part, Reach.options)
        if (reader.sampleRate === this.sampleRate) {
          this.close()
          this.#reader = reader
          this.#origin = start.position
          return
        }
        reader.close()
      } catch (error) {
        if (error.code === 'crashed') throw error
        // Nothing can be decoded from there; then from the beginning.
      }
    }
    if (this.#reader && this.#origin === 0) return
    this.close()
    this.#reader = await SoundReader.open(this.#engine, this.#blob, Reach.options)
    this.#origin = 0
    this.#position = 0
  }

  /** The frame of the index from which a sample is decoded; null for the file's beginning. */
  #start(position) {
    if (!this.#index) return null
    const { offsets, times } = this.#index
    const wanted = position / this.sampleRate - leadSeconds
    let low = 0
    let high = times.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (times[middle] <= wanted) low = middle + 1
      else high = middle
    }
    if (low <= 1) return null
    return { offset: offsets[low - 1], position: Math.round(times[low - 1] * this.sampleRate) }
  }
}

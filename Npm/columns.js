import { whole } from './engine.js'
import { AacornError } from './errors.js'

/** A source of columns for waveforms and spectrograms: 50 columns per second of 98 bytes each. */
export class Columns {
  #engine
  #handle
  #channels

  /** The size of a column in bytes. */
  static length = 98

  constructor(engine, sampleRate, channels) {
    const rate = whole(sampleRate)
    const count = whole(channels)
    // The module's own errors describe the limits of AAC, which are narrower.
    if (rate < 1000 || rate > 768000) {
      throw new AacornError('sample-rate', 'Columns need a sampling rate of 1000 to 768000 Hz.')
    }
    if (count < 1 || count > 64) {
      throw new AacornError('channels', 'Columns need 1 to 64 channels.')
    }
    this.#engine = engine
    this.#channels = count
    this.#handle = engine.create(this, 'columns', rate, count)
  }

  /** Appends interleaved samples, and returns the completed columns in a single array. */
  append(interleaved) {
    if (!(interleaved instanceof Float32Array)) {
      throw new TypeError('Samples must be a Float32Array.')
    }
    const parts = []
    const pieceLength = Math.ceil((1 << 16) / this.#channels) * this.#channels
    for (let start = 0; start < interleaved.length; start += pieceLength) {
      const piece = interleaved.subarray(start, start + pieceLength)
      this.#engine.write(this.#handle, piece)
      const length = this.#engine.run('columns_append', this.#handle, piece.length)
      parts.push(this.#engine.read(this.#handle, length))
    }
    if (parts.length === 1) return parts[0]
    const columns = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
    let offset = 0
    for (const part of parts) {
      columns.set(part, offset)
      offset += part.length
    }
    return columns
  }

  /** Releases the memory. */
  close() {
    this.#engine.close(this, this.#handle)
    this.#handle = 0
  }
}

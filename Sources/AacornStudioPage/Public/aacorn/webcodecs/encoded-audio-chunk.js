import { bytesOf, detach, integer, oneOf, required, time } from './arguments.js'

/** An encoded piece of sound with its time, as WebCodecs has it. */
export class EncodedAudioChunk {
  #type
  #timestamp
  #duration
  #bytes

  constructor(init) {
    this.#type = oneOf(['key', 'delta'], required(init, 'type'), 'type')
    this.#timestamp = time(required(init, 'timestamp'), 'timestamp')
    this.#duration = init.duration === undefined ? null
      : integer(init.duration, 'duration', 0, Number.MAX_SAFE_INTEGER)
    this.#bytes = bytesOf(required(init, 'data'), 'data').slice()
    detach(init.transfer)
  }

  get type() {
    return this.#type
  }

  /** Microseconds. */
  get timestamp() {
    return this.#timestamp
  }

  /** Microseconds, or null. */
  get duration() {
    return this.#duration
  }

  get byteLength() {
    return this.#bytes.length
  }

  copyTo(destination) {
    const bytes = bytesOf(destination, 'destination')
    if (bytes.length < this.#bytes.length) {
      throw new TypeError(
        `The destination has ${bytes.length} bytes, fewer than ${this.#bytes.length}.`)
    }
    bytes.set(this.#bytes)
  }
}

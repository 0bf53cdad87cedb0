import { bytesOf, detach, integer, oneOf, required, time } from './arguments.js'

/** A chunk of encoded audio with its time, as in WebCodecs. */
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

  /** The time in microseconds. */
  get timestamp() {
    return this.#timestamp
  }

  /** The duration in microseconds, or null. */
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

import { ControlQueue } from './control-queue.js'

/** Returns the queue of an encoder or decoder, for its subclasses. */
export let queueOf

/** The shared interface of encoders and decoders. */
export class Codec extends EventTarget {
  #queue
  #ondequeue = null

  static {
    queueOf = (codec) => codec.#queue
  }

  constructor(init, open) {
    super()
    this.#queue = new ControlQueue(this, init, open)
  }

  get state() {
    return this.#queue.state
  }

  get ondequeue() {
    return this.#ondequeue
  }

  set ondequeue(handler) {
    if (this.#ondequeue) this.removeEventListener('dequeue', this.#ondequeue)
    this.#ondequeue = typeof handler === 'function' ? handler : null
    if (this.#ondequeue) this.addEventListener('dequeue', this.#ondequeue)
  }

  /** Discards the queued work and the configuration. */
  reset() {
    this.#queue.reset()
  }

  /** Closes the codec and releases its memory. */
  close() {
    this.#queue.close()
  }
}

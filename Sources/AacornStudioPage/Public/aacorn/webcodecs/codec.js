import { ControlQueue } from './control-queue.js'

/** The queue of an encoder or decoder, which only those that are derived from it need to see. */
export let queueOf

/** What users see of both encoders and decoders. */
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

  /** Forgets what is to be done, and the configuration. */
  reset() {
    this.#queue.reset()
  }

  /** Gives everything back. */
  close() {
    this.#queue.close()
  }
}

import { ControlQueue } from './control-queue.js'

/** What users see of both encoders and decoders. */
export class Codec extends EventTarget {
  #queue
  #ondequeue = null

  /** Makes the queue; the ones below keep it too. */
  static queueOf(codec, init, open) {
    codec.#queue = new ControlQueue(codec, init, open)
    return codec.#queue
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

/**
 * The shared behavior of encoders and decoders in WebCodecs: their state, and the queue of messages that they
 * process in sequence.
 *
 * A coder does the work. It has the methods `process` for an item, `flush` and `close`. `open(config, { output,
 * fail })` creates it, and rejects an unsupported configuration.
 */
export class ControlQueue {
  #target
  #output
  #error
  #open
  #state = 'unconfigured'
  #size = 0
  #messages = []
  #flushes = new Set()
  #coder
  /** The identity of the session, which ends with `reset`. Results of an earlier session are dropped. */
  #session = {}
  #isRunning = false
  #isDequeueComing = false

  constructor(target, init, open) {
    if (typeof init?.output !== 'function' || typeof init.error !== 'function') {
      throw new TypeError('“output” and “error” must be functions.')
    }
    this.#target = target
    this.#output = init.output
    this.#error = init.error
    this.#open = open
  }

  get state() {
    return this.#state
  }

  /** The number of items waiting for processing. */
  get size() {
    return this.#size
  }

  configure(config) {
    this.#throwIfClosed()
    this.#state = 'configured'
    this.#push({ config })
  }

  /** Queues an item, which is closed after its processing if it has `close`. */
  process(item) {
    this.#size += 1
    this.#push({ item })
  }

  /** Throws unless the codec is configured. */
  throwUnlessConfigured() {
    if (this.#state !== 'configured') {
      throw new DOMException(`The codec is ${this.#state}.`, 'InvalidStateError')
    }
  }

  async flush() {
    this.throwUnlessConfigured()
    const flush = {}
    const promise = new Promise((resolve, reject) => Object.assign(flush, { resolve, reject }))
    this.#flushes.add(flush)
    this.#push({ flush })
    return promise
  }

  reset() {
    this.#throwIfClosed()
    this.#drop(new DOMException('The codec was reset.', 'AbortError'))
    this.#state = 'unconfigured'
  }

  close() {
    this.#throwIfClosed()
    this.#end(new DOMException('The codec was closed.', 'AbortError'))
  }

  #throwIfClosed() {
    if (this.#state === 'closed') {
      throw new DOMException('The codec is closed.', 'InvalidStateError')
    }
  }

  /** Closes the codec permanently. */
  #end(exception) {
    this.#state = 'closed'
    this.#drop(exception)
    if (exception.name !== 'AbortError') call(this.#error, exception)
  }

  /** Discards all queued messages. */
  #drop(exception) {
    this.#session = {}
    for (const { item } of this.#messages.splice(0)) item?.close?.()
    if (this.#size > 0) this.#dequeue(0)
    for (const flush of this.#flushes) flush.reject(exception)
    this.#flushes.clear()
    this.#coder?.close()
    this.#coder = undefined
  }

  #push(message) {
    this.#messages.push(message)
    this.#run()
  }

  async #run() {
    if (this.#isRunning) return
    this.#isRunning = true
    for (;;) {
      // Continue in a new task: no output may arrive before the call returns, and the page can do other work
      // between two messages.
      await nextTask()
      const message = this.#messages.shift()
      if (!message) break
      const session = this.#session
      try {
        await this.#handle(message, session)
      } catch (error) {
        if (session === this.#session) this.#end(asException(error, 'EncodingError'))
      } finally {
        message.item?.close?.()
      }
    }
    this.#isRunning = false
  }

  async #handle({ config, item, flush }, session) {
    if (config) {
      await this.#replaceCoder(config, session)
    } else if (item) {
      this.#dequeue(this.#size - 1)
      await this.#coder.process(item)
    } else {
      await this.#coder.flush()
      this.#flushes.delete(flush)
      flush.resolve()
    }
  }

  async #replaceCoder(config, session) {
    // Flush the samples of the previous configuration before the output of the next one.
    const last = this.#coder
    await last?.flush()
    last?.close()
    if (session !== this.#session) return
    this.#coder = undefined
    const isCurrent = () => session === this.#session
    let coder
    try {
      coder = await this.#open(config, {
        output: (...results) => { if (isCurrent()) call(this.#output, ...results) },
        fail: (error) => { if (isCurrent()) this.#end(asException(error, 'EncodingError')) },
      })
    } catch (error) {
      if (isCurrent()) this.#end(asException(error, 'NotSupportedError'))
      return
    }
    if (isCurrent()) this.#coder = coder
    else coder.close()
  }

  #dequeue(size) {
    this.#size = size
    if (this.#isDequeueComing) return
    this.#isDequeueComing = true
    queueMicrotask(() => {
      this.#isDequeueComing = false
      this.#target.dispatchEvent(new Event('dequeue'))
    })
  }
}

/** Calls a callback of the user; its exceptions are reported globally. */
function call(callback, ...values) {
  try {
    callback(...values)
  } catch (error) {
    if (globalThis.reportError) reportError(error)
    else queueMicrotask(() => { throw error })
  }
}

function asException(error, name) {
  if (error instanceof DOMException) return error
  return new DOMException(error instanceof Error ? error.message : String(error), name)
}

function nextTask() {
  return new Promise((resolve) => {
    // Browsers throttle timers in pages, but not messages.
    if (globalThis.setImmediate) {
      setImmediate(resolve)
      return
    }
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(null)
  })
}

// Uploads a file to the studio's library in pieces, even while it is growing.

import { request } from '../../request.js'
import { read } from '../../aacorn/file-bytes.js'

const largestPiece = 1 << 20
const maxRetryDelay = 10_000

/** The error for a file that the browser can no longer read. */
class Unreadable extends Error {}

/** Whether retries cannot help. A full disk (507) is permanent; other server errors may be temporary. */
const isPermanent = error => error instanceof Unreadable || error.status === 507
  || (error.status >= 400 && error.status < 500 && ![401, 429].includes(error.status))

/**
 * An upload. `read(offset, length)` returns bytes of the file, or a promise of them. The caller reports more
 * bytes with `grow(size)`, changed bytes with `overwrite(offset, length)`, and the end with `finish()`. While
 * the server is unavailable the upload waits and retries, without losing data. Sends `change` when `state`
 * ('sending', 'waiting', 'done', 'failed'), `sent`, `size`, `problem` or, at the end, `finalName` changes.
 */
export class Upload extends EventTarget {
  state = 'sending'
  sent = 0
  size = 0
  problem = ''
  finalName = ''
  #name
  #read
  #id = null
  #changed = []
  #isComplete = false
  #isCancelled = false
  #wake = () => {}
  #abort = new AbortController()

  constructor({ name, read }) {
    super()
    this.#name = name
    this.#read = read
    /** Fulfilled at the end of the upload, whether or not it succeeds. */
    this.ended = this.#run()
  }

  /** Reports that the file has `size` bytes now; they are sent within a second. */
  grow(size) { this.size = Math.max(this.size, size) }

  /** Reports changed bytes that may already have been sent. */
  overwrite(offset, length) { this.#changed.push({ offset, length }) }

  /** Reports that the file is complete. */
  finish() {
    this.#isComplete = true
    this.#wake()
  }

  /** Cancels the upload; the server deletes the received data. */
  cancel() {
    if (this.state === 'done' || this.state === 'failed') return
    this.#isCancelled = true
    this.#abort.abort()
    this.#wake()
    if (this.#id) request(`/api/uploads/${this.#id}`, { method: 'DELETE' }).catch(() => {})
    this.#notify('failed', 'Sending was canceled.')
  }

  async #run() {
    for (let failures = 0; !this.#isCancelled;) {
      try {
        if (await this.#step()) return this.#notify('done')
        failures = 0
      } catch (error) {
        if (this.#isCancelled) return
        // The server does not have the upload: it restarted, or treated the upload as abandoned.
        if (error.status === 404 && this.#id) this.#id = null
        else if (isPermanent(error)) return this.#notify('failed', error.message)
        // The server rejects all requests (401) until the user logs in.
        this.#notify('waiting', error.status === 401
          ? error.message : 'The studio does not respond. Retrying.')
        await this.#pause(Math.min(maxRetryDelay, 500 * 2 ** failures))
        failures += 1
      }
    }
  }

  /** Sends a piece, or waits for one; returns true when the file is in the library. */
  async #step() {
    if (!this.#id) {
      const answer = await this.#request('/api/uploads', {
        method: 'POST', body: new URLSearchParams({ name: this.#name })
      })
      this.#id = answer.id
      this.sent = 0
    }
    const changed = this.#changed[0]
    if (changed && changed.offset < this.sent) {
      await this.#send(changed.offset, Math.min(changed.length, this.sent - changed.offset))
      this.#changed.shift()
    } else if (this.sent < this.size) {
      const length = Math.min(largestPiece, this.size - this.sent)
      await this.#send(this.sent, length)
      this.sent += length
      this.#notify('sending')
    } else if (this.#isComplete) {
      const { name } = await this.#request(`/api/uploads/${this.#id}/finish`, { method: 'POST' })
      this.finalName = name
      return true
    }
    // Bytes that changed before they were sent need no second transfer.
    this.#changed = this.#changed.filter(range => range.offset < this.sent)
    if (!this.#isComplete) await this.#pause(1000)
    return false
  }

  async #send(offset, length) {
    let body
    try {
      body = await this.#read(offset, length)
    } catch {
      throw new Unreadable('The file can no longer be read in this browser.')
    }
    await this.#request(`/api/uploads/${this.#id}?at=${offset}`, { method: 'PUT', body })
  }

  #request(path, options) { return request(path, { ...options, signal: this.#abort.signal }) }

  #pause(duration) {
    return new Promise(resolve => {
      const timer = setTimeout(resolve, duration)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  #notify(state, problem = '') {
    this.state = state
    this.problem = problem
    this.dispatchEvent(new Event('change'))
  }
}

export function uploadBlob(blob, name) {
  const upload = new Upload({ name, read: (offset, length) => read(blob, offset, length) })
  upload.grow(blob.size)
  upload.finish()
  return upload
}

/**
 * Follows the upload of a microphone whose recording has ended. It has `state`, `sent`, `problem` and
 * `finalName` like Upload, the event `change`, `cancel()`, and a promise `ended`. `last` is its last reported
 * state.
 */
export function followUpload(microphone, last) {
  const followed = Object.assign(new EventTarget(), {
    state: 'sending', sent: 0, size: 0, problem: '', finalName: '', ...last,
    cancel: () => microphone.cancelUpload()
  })
  const isFinished = () => followed.state === 'done' || followed.state === 'failed'
  followed.ended = new Promise(resolve => {
    if (isFinished()) return resolve()
    microphone.addEventListener('upload', ({ detail }) => {
      Object.assign(followed, detail)
      followed.dispatchEvent(new Event('change'))
      if (isFinished()) resolve()
    })
  })
  return followed
}

// Uploads a file to the studio's library in pieces, even while it is growing.

const largestPiece = 1 << 20
const maxRetryDelay = 10_000
const headers = { 'X-Aacorn': 'studio' }

/** The error for a request that the server rejects permanently. */
class Rejection extends Error {}

/**
 * The error for an upload that the server does not have, because it restarted or treated the upload as
 * abandoned.
 */
class Unknown extends Error {}

/** The error for a browser whose requests the server rejects until the user logs in. */
class LoggedOut extends Error {}

/**
 * An upload. `read(offset, length)` returns bytes of the file, or a promise of them. The caller reports more
 * bytes with `grow(size)`, changed bytes with `overwrite(offset, length)`, and the end with `finish()`. While
 * the server is unavailable the upload waits and retries, without losing data. `onChange` is called with every
 * change of `state` ('sending', 'waiting', 'done', 'failed'), `sent`, `size`, `problem` and, at the end,
 * `finalName`.
 */
export class Upload {
  state = 'sending'
  sent = 0
  size = 0
  problem = ''
  finalName = ''
  #name
  #read
  #onChange
  #id = null
  #changed = []
  #isComplete = false
  #isCancelled = false
  #wake = () => {}
  #abort = new AbortController()

  constructor({ name, read, onChange = () => {} }) {
    this.#name = name
    this.#read = read
    this.#onChange = onChange
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
    if (this.#id) fetch(`/api/uploads/${this.#id}`, { method: 'DELETE', headers }).catch(() => {})
    this.#notify('failed', 'Sending was canceled.')
  }

  async #run() {
    for (let failures = 0; !this.#isCancelled;) {
      try {
        if (await this.#step()) return this.#notify('done')
        failures = 0
      } catch (error) {
        if (this.#isCancelled) return
        if (error instanceof Rejection) return this.#notify('failed', error.message)
        if (error instanceof Unknown) this.#id = null
        this.#notify('waiting', error instanceof LoggedOut
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
      throw new Rejection('The file can no longer be read in this browser.')
    }
    await this.#request(`/api/uploads/${this.#id}?at=${offset}`, { method: 'PUT', body })
  }

  async #request(path, options) {
    const response = await fetch(path, { ...options, headers, signal: this.#abort.signal })
    const answer = await response.json().catch(() => ({}))
    if (response.ok) return answer
    const message = answer.error
      ?? `The studio rejected the file (status ${response.status}).`
    if (response.status === 404 && this.#id) throw new Unknown(message)
    if (response.status === 401) throw new LoggedOut(message)
    // A full disk (507) is permanent; other server errors may be temporary.
    const passes = response.status >= 500 && response.status !== 507
    throw passes || response.status === 429 ? new Error(message) : new Rejection(message)
  }

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
    this.#onChange(this)
  }
}

/** Uploads a whole file. */
export function uploadBlob(blob, name, onChange) {
  const upload = new Upload({
    name, onChange,
    read: async (offset, length) =>
      new Uint8Array(await blob.slice(offset, offset + length).arrayBuffer())
  })
  upload.grow(blob.size)
  upload.finish()
  return upload
}

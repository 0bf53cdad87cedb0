// Brings a file into the studio's library in pieces, also while it is still growing.

const largestPiece = 1 << 20
const longestWait = 10_000
const headers = { 'X-Aacorn': 'studio' }

/** A refusal that trying again does not change. */
class Refusal extends Error {}

/** The server no longer knows the upload: it was started again, or took it for given up. */
class Unknown extends Error {}

/** The server does not know this browser any more, until somebody lets it in. */
class Stranger extends Error {}

/**
 * One file on its way. `read(offset, length)` gives bytes of it, or a promise of them; `grow(size)`
 * tells that there are more, `overwrite(offset, length)` that some have changed, `finish()` that no
 * more will come. While the server is away it waits and tries again; nothing is lost by that.
 * `onChange` hears about every change of `state` ('sending', 'waiting', 'done', 'failed'), `sent`,
 * `size`, `problem` and, at the end, `finalName`.
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
    /** Fulfilled when it is over, whatever the end. */
    this.ended = this.#run()
  }

  /** There are `size` bytes now; they go out within a second. */
  grow(size) { this.size = Math.max(this.size, size) }

  /** Bytes have changed that may have been sent. */
  overwrite(offset, length) { this.#changed.push({ offset, length }) }

  /** Nothing more will come. */
  finish() {
    this.#isComplete = true
    this.#wake()
  }

  /** Gives up; the server forgets what it has. */
  cancel() {
    if (this.state === 'done' || this.state === 'failed') return
    this.#isCancelled = true
    this.#abort.abort()
    this.#wake()
    if (this.#id) fetch(`/api/uploads/${this.#id}`, { method: 'DELETE', headers }).catch(() => {})
    this.#tell('failed', 'Sending was canceled.')
  }

  async #run() {
    for (let failures = 0; !this.#isCancelled;) {
      try {
        if (await this.#step()) return this.#tell('done')
        failures = 0
      } catch (error) {
        if (this.#isCancelled) return
        if (error instanceof Refusal) return this.#tell('failed', error.message)
        if (error instanceof Unknown) this.#id = null
        this.#tell('waiting', error instanceof Stranger
          ? error.message : 'The studio does not respond. Retrying.')
        await this.#pause(Math.min(longestWait, 500 * 2 ** failures))
        failures += 1
      }
    }
  }

  /** Sends a piece, or waits for one; true when the file is in the library. */
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
      this.#tell('sending')
    } else if (this.#isComplete) {
      const { name } = await this.#request(`/api/uploads/${this.#id}/finish`, { method: 'POST' })
      this.finalName = name
      return true
    }
    // What was overwritten before it was sent goes out as it is now.
    this.#changed = this.#changed.filter(range => range.offset < this.sent)
    if (!this.#isComplete) await this.#pause(1000)
    return false
  }

  async #send(offset, length) {
    let body
    try {
      body = await this.#read(offset, length)
    } catch {
      throw new Refusal('The file can no longer be read in this browser.')
    }
    await this.#request(`/api/uploads/${this.#id}?at=${offset}`, { method: 'PUT', body })
  }

  async #request(path, options) {
    const response = await fetch(path, { ...options, headers, signal: this.#abort.signal })
    const answer = await response.json().catch(() => ({}))
    if (response.ok) return answer
    const sentence = answer.error
      ?? `The studio rejected the file (status ${response.status}).`
    if (response.status === 404 && this.#id) throw new Unknown(sentence)
    if (response.status === 401) throw new Stranger(sentence)
    // No room (507) does not pass by itself; other failures of a server may.
    const passes = response.status >= 500 && response.status !== 507
    throw passes || response.status === 429 ? new Error(sentence) : new Refusal(sentence)
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

  #tell(state, problem = '') {
    this.state = state
    this.problem = problem
    this.#onChange(this)
  }
}

/** Sends a whole file. */
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

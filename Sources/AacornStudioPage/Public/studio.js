// The connection to the studio's server: its events, and requests to it.

import { request } from './request.js'

/** The time in milliseconds for which a hidden page keeps its connection while the recorder is idle. */
const idleTimeout = 60_000

/**
 * The server's events, with the data as `detail`: `state`, `devices`, `library`, `meter` (its `columns` are a
 * Uint8Array, ready to draw) and `connection` (detail: true or false). The latest state, devices and library
 * revision are properties. The connection is reopened automatically. `problem` is the server's reason for
 * rejecting the connection, if any. `isUnknown` is true if this browser is not logged in: the connection is then
 * reopened only when the user returns to the page.
 *
 * Browsers allow six connections to a server for all tabs together. So a page closes its connection when the
 * user leaves the page, or when it has been hidden for long while nothing is recorded. It reconnects when it
 * becomes visible.
 */
export class Studio extends EventTarget {
  state = null
  devices = null
  library = null
  /** Null before the first event of the connection. */
  isConnected = null
  problem = null
  isUnknown = false
  #source = null
  #retry = 0
  #timer = 0
  #restTimer = 0
  #isResting = false

  /** Opens the event stream of the server. */
  connect() {
    clearTimeout(this.#timer)
    this.#isResting = false
    this.#source?.close()
    const source = new EventSource('/api/events')
    this.#source = source
    source.addEventListener('open', () => {
      this.#retry = 0
      this.problem = null
      this.isUnknown = false
      this.#setConnected(true)
    })
    source.addEventListener('error', () => {
      if (source !== this.#source) return
      // The browser would reconnect too, but not after a response such as 503, and some browsers wait long.
      source.close()
      this.#setConnected(false)
      this.#ask()
      const wait = Math.min(5000, 500 * 2 ** this.#retry)
      this.#retry += 1
      this.#timer = setTimeout(() => this.connect(), wait)
    })
    for (const name of ['state', 'devices', 'library']) {
      source.addEventListener(name, event => {
        this[name] = JSON.parse(event.data)
        this.#notify(name, this[name])
      })
    }
    source.addEventListener('meter', event => {
      const meter = JSON.parse(event.data)
      meter.columns = bytesOfBase64(meter.columns ?? '')
      this.#notify('meter', meter)
    })
  }

  /** Closes the connection when the user leaves the page, or after a while in the background; reconnects later. */
  watchVisibility() {
    document.addEventListener('visibilitychange', () => {
      clearTimeout(this.#restTimer)
      if (!document.hidden) {
        if (this.#isResting || this.isUnknown) this.connect()
      } else {
        this.#restTimer = setTimeout(() => this.#rest(), idleTimeout)
      }
    })
    // The user may have logged in in another window.
    addEventListener('focus', () => {
      if (this.isUnknown) this.connect()
    })
    // Chromium keeps a page that the user has left, with its connections, for navigation back, so the page must
    // close its connection itself. Firefox has no “freeze” event: it does not keep connections, and may
    // interrupt a script at that moment.
    if (!('onfreeze' in document)) return
    addEventListener('pagehide', event => {
      if (event.persisted) this.#source?.close()
    })
    addEventListener('pageshow', event => {
      if (event.persisted) this.connect()
    })
  }

  #rest() {
    if (!document.hidden) return
    if (this.state?.phase !== 'idle' || !this.isConnected) {
      this.#restTimer = setTimeout(() => this.#rest(), idleTimeout)
      return
    }
    this.#isResting = true
    this.#source?.close()
  }

  /** Requests the reason for a failed connection, which an event stream does not report. */
  async #ask() {
    const { problem } = this
    try {
      await this.get('/api/state')
      this.problem = null
      this.isUnknown = false
    } catch (error) {
      this.problem = error.status ? error.message : null
      this.isUnknown = error.status === 401 && !this.isConnected
      if (this.isUnknown) clearTimeout(this.#timer)
    }
    if (!this.isConnected && this.problem !== problem) this.#notify('connection', false)
  }

  #setConnected(isConnected) {
    if (this.isConnected === isConnected) return
    this.isConnected = isConnected
    this.#notify('connection', isConnected)
  }

  #notify(name, detail) { this.dispatchEvent(new CustomEvent(name, { detail })) }

  /**
   * Posts a command: `await studio.post('/api/record', {format: 'm4a'})`. Arrays become repeated fields; null
   * and undefined are omitted. Returns the server's response, or throws a StudioError.
   */
  async post(path, fields = {}) {
    const body = new URLSearchParams()
    for (const [name, value] of Object.entries(fields)) {
      if (value === null || value === undefined) continue
      for (const one of Array.isArray(value) ? value : [value]) body.append(name, String(one))
    }
    return request(path, { method: 'POST', body })
  }

  /** Requests a resource; see `request`. */
  get(path) { return request(path) }
}

function bytesOfBase64(text) {
  return Uint8Array.fromBase64?.(text) ?? Uint8Array.from(atob(text), letter => letter.charCodeAt(0))
}

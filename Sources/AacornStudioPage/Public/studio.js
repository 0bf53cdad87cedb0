// The connection to the studio's server: what it tells, and what it is asked to do.

/** A request that failed; the message is a sentence for people, about a field if there is one. */
export class StudioError extends Error {
  constructor(message, status = 0, field = null) {
    super(message)
    this.name = 'StudioError'
    this.status = status
    this.field = field
  }
}

/** Milliseconds that a hidden page keeps its connection while nothing goes on. */
const patience = 60_000

const unreachable = 'Cannot reach the studio. Check that “aacorn studio” is running.'

/**
 * What the server says, as events with the data as `detail`: `state`, `devices`, `library`, `meter`
 * (its `columns` are a Uint8Array, ready to draw) and `connection` (detail: true or false).
 * The latest state, devices and library revision are properties. It reconnects by itself; `problem`
 * is what the server says about why it does not let the page in, if it says anything. Where it does
 * not know this browser, `isUnknown`, it is asked again only when somebody looks at the page.
 *
 * Browsers allow six connections to a server for all their tabs together, so a page that was left,
 * or that is hidden for long while nothing is recorded, gives its own up, and takes it up again
 * when it is seen.
 */
export class Studio extends EventTarget {
  state = null
  devices = null
  library = null
  isConnected = false
  problem = null
  isUnknown = false
  #source = null
  #retry = 0
  #timer = 0
  #restTimer = 0
  #isResting = false
  #hasTold = false

  /** Begins to listen to the server. */
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
      // The browser would try again too, but not after an answer such as 503, and some wait long.
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
        this.#tell(name, this[name])
      })
    }
    source.addEventListener('meter', event => {
      const meter = JSON.parse(event.data)
      meter.columns = bytesOfBase64(meter.columns ?? '')
      this.#tell('meter', meter)
    })
  }

  /** Gives the connection up when left, or after a while of not being seen; comes back later. */
  watchVisibility() {
    document.addEventListener('visibilitychange', () => {
      clearTimeout(this.#restTimer)
      if (!document.hidden) {
        if (this.#isResting || this.isUnknown) this.connect()
      } else {
        this.#restTimer = setTimeout(() => this.#rest(), patience)
      }
    })
    // Somebody may have let this browser in meanwhile, in another window.
    addEventListener('focus', () => {
      if (this.isUnknown) this.connect()
    })
    // Chromium keeps pages that were left for the way back, and would keep their connections.
    // Firefox, which has no “freeze”, does not, and may interrupt a script at that moment.
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
      this.#restTimer = setTimeout(() => this.#rest(), patience)
      return
    }
    this.#isResting = true
    this.#source?.close()
  }

  /** Finds out why there is no connection: streams of events do not say. */
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
    if (!this.isConnected && this.problem !== problem) this.#tell('connection', false)
  }

  #setConnected(isConnected) {
    if (this.isConnected === isConnected && this.#hasTold) return
    this.#hasTold = true
    this.isConnected = isConnected
    this.#tell('connection', isConnected)
  }

  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }))
  }

  /**
   * Asks for something to be done: `await studio.post('/api/record', {format: 'm4a'})`. Arrays
   * become repeated fields; null and undefined are left out. Answers what the server says, or
   * throws a StudioError.
   */
  async post(path, fields = {}) {
    const body = new URLSearchParams()
    for (const [name, value] of Object.entries(fields)) {
      if (value === null || value === undefined) continue
      for (const one of Array.isArray(value) ? value : [value]) body.append(name, String(one))
    }
    return this.request(path, { method: 'POST', body })
  }

  /** Asks for something: JSON as an object, the rest as an ArrayBuffer; 202 and 204 are null. */
  async get(path) {
    return this.request(path, {})
  }

  /** Any request, with the header that the server wants; see `post` and `get`. */
  async request(path, options) {
    let response
    try {
      response = await fetch(path, {
        ...options, headers: { 'X-Aacorn': 'studio', ...options.headers }
      })
    } catch (error) {
      if (error.name === 'AbortError') throw error
      throw new StudioError(unreachable)
    }
    const type = response.headers.get('Content-Type') ?? ''
    const isJSON = type.startsWith('application/json')
    if (!response.ok) {
      const answer = isJSON ? await response.json().catch(() => null) : null
      throw new StudioError(
        answer?.error ?? `The studio rejected the request (status ${response.status}).`,
        response.status, answer?.field)
    }
    if (response.status === 202 || response.status === 204) return null
    try {
      return isJSON ? await response.json() : await response.arrayBuffer()
    } catch {
      throw new StudioError(unreachable)
    }
  }
}

function bytesOfBase64(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text)
  const binary = atob(text)
  const bytes = new Uint8Array(binary.length)
  for (let index = 0; index < binary.length; index += 1) bytes[index] = binary.charCodeAt(index)
  return bytes
}

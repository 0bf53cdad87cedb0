// The program under test: `aacorn studio` with a temporary folder.

import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { KeptProgram } from './kept-program.mjs'
import { until } from './waiting.mjs'

/** The command under test. */
export const aacorn = path.resolve(process.env.AACORN ?? '.build/release/aacorn')

/** Runs the command to its end and returns its output. */
export function runAacorn(...words) {
  return execFileSync(aacorn, words, { encoding: 'utf8', timeout: 120000, stdio: 'pipe' })
}

/** A studio on a port chosen by the system. */
export class Studio {
  #program
  #environment

  /** The temporary folder of this test, and the folder for recordings in it. */
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'aacorn-studio-'))
  recordings = path.join(this.folder, 'Recordings')
  /**
   * The access token: programs send it with every request, browsers once. With null, the studio generates a
   * token and prints one-time addresses.
   */
  token = randomBytes(16).toString('hex')

  /**
   * Starts the studio. `environment` may name a sound server; otherwise there are no devices, regardless of
   * this machine. `prepare` is called first, with the folder for recordings.
   */
  static async start({ environment = {}, options = [], prepare, token } = {}) {
    const studio = new Studio()
    if (token !== undefined) studio.token = token
    fs.mkdirSync(studio.recordings)
    studio.#environment = environment
    try {
      await prepare?.(studio.recordings)
      await studio.start(options)
    } catch (error) {
      await studio.close()
      throw error
    }
    return studio
  }

  /** Starts the studio again after `stop`, on the same port. */
  async start(options = []) {
    const port = this.url ? new URL(this.url).port : '0'
    const log = path.join(this.folder, 'log')
    fs.rmSync(log, { force: true })
    this.#program = await KeptProgram.start(
      [aacorn, 'studio', '--port', port, '--folder', this.recordings, ...options],
      {
        log, folder: this.folder,
        environment: {
          HOME: this.folder, PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8', TZ: 'UTC',
          XDG_RUNTIME_DIR: this.folder, ALSA_CONFIG_PATH: '/dev/null',
          DBUS_SESSION_BUS_ADDRESS: 'disabled:',
          ...(this.token !== null && { AACORN_STUDIO_TOKEN: this.token }), ...this.#environment,
        },
      })
    const [address] = await this.#program.printed(/https?:\/\/[^\s"”]+/)
    this.printedURL = address.replace(/[.,]$/, '')
    this.url = new URL('/', this.printedURL).href
  }

  get output() { return this.#program.output }
  get number() { return this.#program.number }

  /** Sends a request as a program, not as the page. */
  async request(path, { fields, headers, ...options } = {}) {
    const limit = new AbortController()
    setTimeout(() => limit.abort(new Error(`${path} did not respond within 60 s`)), 60000).unref()
    return fetch(new URL(path, this.url), {
      ...(fields && { method: 'POST', body: new URLSearchParams(fields) }),
      headers: {
        'X-Aacorn': 'studio', ...(this.token && { Authorization: `Bearer ${this.token}` }), ...headers,
      },
      signal: limit.signal, ...options,
    })
  }

  /** Returns the JSON of a response, which must be a success. */
  async ask(path, options) {
    const response = await this.request(path, options)
    const text = await response.text()
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`)
    return text === '' ? null : JSON.parse(text)
  }

  /** Returns the state of the recorder. */
  state() { return this.ask('/api/state') }

  /** Waits for a phase of the recorder, and returns its state. */
  phase(wanted) {
    return until(async () => {
      const state = await this.state()
      return state.phase === wanted && state
    }, `the phase ${wanted}`)
  }

  file(name) { return path.join(this.recordings, name) }

  /** Ends the studio with a signal and returns its status. */
  async stop(signal = 'SIGTERM') { return this.#program?.end(signal) }

  /** Ends the studio and deletes its folder. */
  async close() {
    await this.stop()
    fs.rmSync(this.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  }
}

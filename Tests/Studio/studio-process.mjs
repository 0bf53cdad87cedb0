// The program under test: `aacorn studio` with a folder of its own.

import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { KeptProgram } from './kept-program.mjs'

/** The command that is tested. */
export const aacorn = path.resolve(process.env.AACORN ?? '.build/release/aacorn')

/** Runs the command to its end and returns what it prints. */
export function runAacorn(...words) {
  return execFileSync(aacorn, words, { encoding: 'utf8', timeout: 120000, stdio: 'pipe' })
}

/** A studio that serves on a port of the system's choice. */
export class Studio {
  #program
  #environment

  /** Everything of this test, and the folder that the studio records into. */
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'aacorn-studio-'))
  recordings = path.join(this.folder, 'Recordings')
  /**
   * What lets somebody in: programs show it with every request, browsers once. Null leaves it to the
   * studio to make one up, and to print addresses that are good once.
   */
  token = randomBytes(16).toString('hex')

  /**
   * Starts it. `environment` may name a sound server; without one there are no devices, whatever
   * this machine has. `prepare` is called with the folder for recordings before.
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

  /** Starts it again, after `stop`; at the port that it had. */
  async start(options = []) {
    const port = this.url ? new URL(this.url).port : '0'
    const log = path.join(this.folder, 'log')
    fs.rmSync(log, { force: true })
    const begin = performance.now()
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
    this.startMilliseconds = performance.now() - begin
  }

  get output() { return this.#program.output }
  get number() { return this.#program.number }

  /** A request of a program beside the page. */
  async request(path, { fields, headers, ...options } = {}) {
    const limit = new AbortController()
    setTimeout(() => limit.abort(new Error(`${path} did not come within 60 s`)), 60000).unref()
    return fetch(new URL(path, this.url), {
      ...(fields && { method: 'POST', body: new URLSearchParams(fields) }),
      headers: {
        'X-Aacorn': 'studio', ...(this.token && { Authorization: `Bearer ${this.token}` }), ...headers,
      },
      signal: limit.signal, ...options,
    })
  }

  /** The JSON of an answer, which must be a success. */
  async ask(path, options) {
    const response = await this.request(path, options)
    const text = await response.text()
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`)
    return text === '' ? null : JSON.parse(text)
  }

  file(name) { return path.join(this.recordings, name) }

  /** Ends it with a signal and returns its status. */
  async stop(signal = 'SIGTERM') { return this.#program?.end(signal) }

  /** Ends it and takes its folder away. */
  async close() {
    await this.stop()
    fs.rmSync(this.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  }
}

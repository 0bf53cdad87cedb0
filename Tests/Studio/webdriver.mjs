// What tests do with a browser, whichever it is: the commands of the W3C WebDriver protocol.

import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

const elementKey = 'element-6066-11e4-a52e-4f735466cecf'
const keys = { Tab: '\ue004', Enter: '\ue007', Shift: '\ue008', Control: '\ue009',
  Escape: '\ue00c', Space: ' ', End: '\ue010', ArrowLeft: '\ue012', ArrowUp: '\ue013',
  ArrowRight: '\ue014', ArrowDown: '\ue015' }

/** A failure that the browser reports. */
export class WebDriverError extends Error {
  constructor({ error, message }) {
    super(`${error}: ${message.split('\n')[0]}`)
    this.code = error
  }
}

/**
 * A browser with one page and without a window. What differs from browser to browser is said by a
 * class of its own:
 *
 * - `start(options)` starts it, in `folder`, and `end()` ends it;
 * - `command(name, parameters)` sends a command of WebDriver, by Marionette's short name for it;
 * - `look({ width, height, isDark, isCalm })` sets the page's size, theme and wish for less motion;
 * - `evaluate(source)` runs the body of a function where the page's own rules for scripts do not
 *   count, and returns what it returns;
 * - `screenshot(file)` takes a picture of the whole page;
 * - `console()` fetches the console's messages since the last time into `messages`, with their
 *   `level` and `message`;
 * - `requests()` are those of pages, not of workers, since the last time, with `url`, `method`,
 *   `status` and `type`.
 */
export class Browser {
  /** A folder that goes with the browser: profile, downloads, log. */
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'aacorn-browser-'))
  /** Where downloads arrive. */
  downloads = path.join(this.folder, 'downloads')
  /** Messages of the console that have been fetched. */
  messages = []

  /**
   * Opens a browser. `microphone` is a WAV file that its microphone plays, again and again; with
   * `network` every request is logged.
   */
  static async open(options = {}) {
    const browser = new this()
    try {
      fs.mkdirSync(browser.downloads)
      await browser.start(options)
      await browser.command('SetTimeouts', { script: 30000, pageLoad: 30000 })
      await browser.look({})
    } catch (error) {
      await browser.close()
      throw error
    }
    return browser
  }

  /** What a browser may know of this machine. */
  get environment() {
    return {
      HOME: this.folder, PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C.UTF-8', TZ: 'UTC',
      XDG_RUNTIME_DIR: this.folder, TMPDIR: this.folder, DBUS_SESSION_BUS_ADDRESS: 'disabled:',
    }
  }

  go(url) { return this.command('Navigate', { url }) }

  /** Runs a function in the page with values or elements, and returns what it returns. */
  async run(script, ...values) {
    return this.command('ExecuteScript',
      { script: `return (${script})(...arguments)`, args: values })
  }

  /** Waits until a function in the page returns something, and returns that. */
  async until(script, { seconds = 10, what = String(script), values = [] } = {}) {
    const deadline = Date.now() + seconds * 1000
    for (;;) {
      const value = await this.run(script, ...values)
      if (value) return value
      if (Date.now() > deadline) {
        throw new Error(`${what} did not come within ${seconds} s; the page says:\n` +
          (await this.run(() => document.body.innerText)).slice(0, 1500))
      }
      await wait(50)
    }
  }

  find(selector) { return this.command('FindElement', { using: 'css selector', value: selector }) }

  async #onElement(name, element, parameters) {
    const target = typeof element === 'string' ? await this.find(element) : element
    return this.command(name, { id: target[elementKey], ...parameters })
  }

  /** Clicks where a person would: fails if something else lies above. */
  click(element) { return this.#onElement('ElementClick', element) }

  /** Types text into an element; for an input of files, paths in lines. */
  type(element, text) { return this.#onElement('ElementSendKeys', element, { text }) }

  /** Puts text in place of what an element has. */
  async fill(element, text) {
    await this.#onElement('ElementClear', element)
    return this.type(element, text)
  }

  /** Presses keys by their names, one after the other, or with Shift or Control held. */
  async press(...names) {
    const actions = names.flatMap((name) => {
      const parts = name.split('+').map((part) => keys[part] ?? part)
      return [
        ...parts.map((value) => ({ type: 'keyDown', value })),
        ...parts.toReversed().map((value) => ({ type: 'keyUp', value })),
      ]
    })
    await this.command('PerformActions', { actions: [{ type: 'key', id: 'keyboard', actions }] })
  }

  /** Waits until a download is complete and returns its path. */
  async downloaded(pattern, seconds = 15) {
    const deadline = Date.now() + seconds * 1000
    while (Date.now() < deadline) {
      const names = fs.readdirSync(this.downloads)
      const isPart = (name) => /\.(crdownload|part)$/.test(name)
      const name = names.find((name) => pattern.test(name) && !isPart(name))
      if (name && !names.some(isPart)) return path.join(this.downloads, name)
      await wait(50)
    }
    throw new Error(`no download ${pattern}, but: ${fs.readdirSync(this.downloads).join(', ')}`)
  }

  /** Writes a picture that came in base 64. */
  keep(picture, file) {
    fs.mkdirSync(path.dirname(file), { recursive: true })
    fs.writeFileSync(file, Buffer.from(picture, 'base64'))
  }

  /** Ends the browser and takes its folder away. */
  async close() {
    try {
      await this.end()
    } finally {
      fs.rmSync(this.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
    }
  }
}

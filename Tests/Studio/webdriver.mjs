// What tests do with a browser, whichever it is: the commands of the W3C WebDriver protocol.

import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { patience, until, within } from './waiting.mjs'

const elementKey = 'element-6066-11e4-a52e-4f735466cecf'
const keys = { Tab: '\ue004', Enter: '\ue007', Shift: '\ue008', Control: '\ue009',
  Escape: '\ue00c', Space: ' ', End: '\ue010', Home: '\ue011',
  ArrowLeft: '\ue012', ArrowUp: '\ue013', ArrowRight: '\ue014', ArrowDown: '\ue015' }

/** A failure that the browser reports, or that it does not answer. */
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
 * - `send(name, parameters)` sends a command of WebDriver, and returns what the browser answers;
 * - `look({ width, height, isDark, isCalm })` sets the page's size, theme and wish for less motion;
 * - `evaluate(source)` runs the body of a function where the page's own rules for scripts do not
 *   count, and returns what it returns;
 * - `screenshot(file)` takes a picture of the whole page;
 * - `collect()` fetches what the browser has noted since the last time into `messages`: of what
 *   `kind` each is (`exception`, `console`, `network`, `security` or the browser's own word), its
 *   `level` and `message`;
 * - `leave()` notes that the page is about to be left: what the browser does to its scripts from
 *   then on is no fault of theirs;
 * - `requests()` are those of pages, not of workers, since the last time, with `url`, `method`,
 *   `status` and `type`.
 */
export class Browser {
  /** A folder that goes with the browser: profile, downloads, log. */
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'aacorn-browser-'))
  /** Where downloads arrive. */
  downloads = path.join(this.folder, 'downloads')
  /** What has been said of pages and has been fetched; see `console`. */
  messages = []
  /** Seconds that a script may run. */
  patience = patience
  /** Who has not answered in time, in words: nothing is answered after that. */
  hung = null

  /** Seconds in which the page must answer. */
  get answerSeconds() { return this.patience }

  /**
   * Opens a browser. `microphone` is a WAV file that its microphone plays, again and again; with
   * `network` every request is logged. A script may run for as many seconds as `patience` says.
   */
  static async open(options = {}) {
    const browser = new this()
    browser.patience = options.patience ?? patience
    try {
      fs.mkdirSync(browser.downloads)
      await browser.start(options)
      await browser.command('SetTimeouts',
        { script: browser.patience * 1000, pageLoad: patience * 1000 })
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

  /** Sends a command of WebDriver, by Marionette's short name for it, and returns the answer. */
  async command(name, parameters = {}) {
    // The browser knows limits for most commands, but not for all of them.
    const seconds = this.answerSeconds + 2 * patience
    if (!this.hung) {
      const late = Symbol('late')
      const answer = await within(seconds, this.send(name, parameters), late)
      if (answer !== late) return answer
      this.hung = `The browser has not answered ${name} within ${seconds} s.`
    }
    throw new WebDriverError({ error: 'no answer', message: this.hung })
  }

  /** Loads a page, once the one before has said what it had to say. */
  async go(url) {
    await this.console()
    await this.leave()
    await this.command('Navigate', { url })
  }

  /** Goes back to the page before. */
  async back() {
    await this.console()
    await this.leave()
    await this.command('Back')
  }

  /**
   * Fetches into `messages` all that has been said of the page until now: when the page answers,
   * what it said before is on record. One that does not answer has a script that runs too long; it
   * may have begun after the first answer, and Chromium asks the page again when it collects.
   */
  async console() {
    const answer = this.run(() => true).then(() => this.collect()).then(() => true)
    if (!await within(this.answerSeconds, answer, false)) {
      // The browser does nothing else before it has an answer.
      this.hung = `The page has not answered within ${this.answerSeconds} s.`
      this.messages.push({ kind: 'hang', level: 'SEVERE',
        message: `A script of the page runs for more than ${this.answerSeconds} s.` })
    }
  }

  /** Runs a function in the page with values or elements, and returns what it returns. */
  async run(script, ...values) {
    return this.command('ExecuteScript',
      { script: `return (${script})(...arguments)`, args: values })
  }

  /** Waits until a function in the page returns something, and returns that. */
  async until(script, { seconds, what = String(script), values = [] } = {}) {
    try {
      return await until(() => this.run(script, ...values), what, seconds)
    } catch (error) {
      if (error instanceof WebDriverError) throw error
      const text = await this.run(() => document.body.innerText)
      throw new Error(`${error.message}; the page says:\n${text.slice(0, 1500)}`)
    }
  }

  /** Waits until the page has come to rest: transitions have ended, and what they led to is drawn. */
  settle() {
    return this.evaluate(`
      const frame = () => new Promise(requestAnimationFrame)
      await frame()
      await Promise.allSettled(document.getAnimations()
        .filter((animation) => animation.playState === 'running' &&
          Number.isFinite(animation.effect.getComputedTiming().endTime))
        .map((animation) => animation.finished))
      await frame()
      await frame()`)
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
  async downloaded(pattern) {
    const isPart = (name) => /\.(crdownload|part)$/.test(name)
    const name = await until(() => {
      const names = fs.readdirSync(this.downloads)
      return !names.some(isPart) && names.find((name) => pattern.test(name))
    }, `a download ${pattern}`)
    return path.join(this.downloads, name)
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

// Actions on any browser: the commands of the W3C WebDriver protocol.

import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { pageTimeout, until, within } from './waiting.mjs'

const elementKey = 'element-6066-11e4-a52e-4f735466cecf'
const keys = { Tab: '\ue004', Enter: '\ue007', Shift: '\ue008', Control: '\ue009',
  Escape: '\ue00c', Space: ' ', End: '\ue010', Home: '\ue011',
  ArrowLeft: '\ue012', ArrowUp: '\ue013', ArrowRight: '\ue014', ArrowDown: '\ue015' }

/** An error that the browser reports, or a missing response. */
export class WebDriverError extends Error {
  constructor({ error, message }) {
    super(`${error}: ${message.split('\n')[0]}`)
    this.code = error
  }
}

/**
 * A browser with one page and without a window. A subclass for each browser implements:
 *
 * - `start(options)` starts the browser, in `folder`, and `end()` ends it;
 * - `send(name, parameters)` sends a WebDriver command, and returns the browser's response;
 * - `look({ width, height, isDark, isCalm })` sets the page's size, theme and motion preference;
 * - `evaluate(source)` runs the body of a function without the page's content security policy, and returns
 *   its result;
 * - `screenshot(file)` saves a picture of the whole page;
 * - `collect()` fetches new messages of the browser into `messages`: the `kind` of each (`exception`,
 *   `console`, `network`, `security` or the browser's own term), its `level` and `message`;
 * - `leave()` is called before the page is left: from then on, the browser's effects on its scripts are not
 *   faults of the page.
 */
export class Browser {
  /** The browser's temporary folder: profile, downloads, log. */
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'aacorn-browser-'))
  /** The folder of downloads. */
  downloads = path.join(this.folder, 'downloads')
  /** The messages about pages that `console` has fetched. */
  messages = []
  /** The maximum duration of a script in seconds. */
  scriptTimeout = pageTimeout
  /** The error about a missing response: no command works after that. */
  hung = null

  /** The maximum response time of the page in seconds. */
  get answerSeconds() { return this.scriptTimeout }

  /**
   * Opens a browser. Its microphone plays the stereo samples `microphone` in a loop. `scriptTimeout` limits the
   * duration of a script in seconds.
   */
  static async open(options = {}) {
    const browser = new this()
    browser.scriptTimeout = options.scriptTimeout ?? pageTimeout
    try {
      fs.mkdirSync(browser.downloads)
      await browser.start(options)
      await browser.command('SetTimeouts',
        { script: browser.scriptTimeout * 1000, pageLoad: pageTimeout * 1000 })
      await browser.look({})
    } catch (error) {
      await browser.close()
      throw error
    }
    return browser
  }

  /** The environment of the browser. */
  get environment() {
    return {
      HOME: this.folder, PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C.UTF-8', TZ: 'UTC',
      XDG_RUNTIME_DIR: this.folder, TMPDIR: this.folder, DBUS_SESSION_BUS_ADDRESS: 'disabled:',
    }
  }

  /** Sends a WebDriver command, by Marionette's short name for it, and returns the response. */
  async command(name, parameters = {}) {
    // The browser has limits for most commands, but not for all of them.
    const seconds = this.answerSeconds + 2 * pageTimeout
    if (!this.hung) {
      const late = Symbol('late')
      const answer = await within(seconds, this.send(name, parameters), late)
      if (answer !== late) return answer
      this.hung = `The browser has not answered ${name} within ${seconds} s.`
    }
    throw new WebDriverError({ error: 'no answer', message: this.hung })
  }

  /** Loads a page, after fetching the messages about the previous one. */
  async go(url) {
    await this.console()
    await this.leave()
    await this.command('Navigate', { url })
  }

  /** Returns to the previous page. */
  async back() {
    await this.console()
    await this.leave()
    await this.command('Back')
  }

  /**
   * Fetches all messages about the page into `messages`. Once the page responds to a query, the browser has
   * recorded its earlier messages. No response means that a script runs too long. The script may also start
   * after the first query and block the second one, which Chromium sends in `collect`.
   */
  async console() {
    const answer = this.run(() => true).then(() => this.collect()).then(() => true)
    if (!await within(this.answerSeconds, answer, false)) {
      // The browser executes no other command before the response.
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

  /** Waits until a function in the page returns a value, and returns that. */
  async until(script, { seconds, what = String(script), values = [] } = {}) {
    try {
      return await until(() => this.run(script, ...values), what, seconds)
    } catch (error) {
      if (error instanceof WebDriverError) throw error
      const text = await this.run(() => document.body.innerText)
      throw new Error(`${error.message}; the page shows:\n${text.slice(0, 1500)}`)
    }
  }

  /** Waits until the page is stable: transitions have ended, and the result is drawn. */
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

  /** Clicks an element; fails if another element covers it. */
  click(element) { return this.#onElement('ElementClick', element) }

  /** Types text into an element; for a file input, paths in lines. */
  type(element, text) { return this.#onElement('ElementSendKeys', element, { text }) }

  /** Replaces the text of an element. */
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

  /** Writes a screenshot received as base 64. */
  keep(picture, file) {
    fs.mkdirSync(path.dirname(file), { recursive: true })
    fs.writeFileSync(file, Buffer.from(picture, 'base64'))
  }

  /** Ends the browser and deletes its folder. */
  async close() {
    try {
      await this.end()
    } finally {
      fs.rmSync(this.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
    }
  }
}

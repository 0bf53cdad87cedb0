// A browser without a window, driven over the W3C WebDriver protocol by Debian's chromedriver.

import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { KeptProgram } from './kept-program.mjs'

const elementKey = 'element-6066-11e4-a52e-4f735466cecf'
const keys = { Tab: '\ue004', Enter: '\ue007', Shift: '\ue008', Escape: '\ue00c', Space: ' ',
  ArrowLeft: '\ue012', ArrowUp: '\ue013', ArrowRight: '\ue014', ArrowDown: '\ue015' }

/** A failure that the browser reports. */
export class WebDriverError extends Error {
  constructor({ error, message }) {
    super(`${error}: ${message.split('\n')[0]}`)
    this.code = error
  }
}

/** A browser with one page. */
export class Browser {
  #driver
  #base

  /** A folder that goes with the browser: profile, downloads, log. */
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'aacorn-browser-'))
  /** Where downloads arrive. */
  downloads = path.join(this.folder, 'downloads')
  /** Messages of the console that have been fetched. */
  messages = []

  /**
   * Opens a browser. `microphone` is a WAV file that its microphone plays, again and again unless
   * `isLooping` is false; with `network` every request is logged.
   */
  static async open({ microphone, isLooping = true, network = false } = {}) {
    const browser = new Browser()
    try {
      await browser.#open(microphone && microphone + (isLooping ? '' : '%noloop'), network)
    } catch (error) {
      await browser.close()
      throw error
    }
    return browser
  }

  async #open(microphone, network) {
    fs.mkdirSync(this.downloads)
    const { folder } = this
    const command = ['chromedriver', '--port=0', '--allowed-ips=127.0.0.1']
    this.#driver = await KeptProgram.start(command, {
      log: path.join(folder, 'log'), folder,
      environment: {
        HOME: folder, PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C.UTF-8', TZ: 'UTC',
        XDG_RUNTIME_DIR: folder, TMPDIR: folder, DBUS_SESSION_BUS_ADDRESS: 'disabled:',
      },
    })
    const [, port] = await this.#driver.printed(/started successfully on port (\d+)/)
    this.#base = `http://127.0.0.1:${port}`
    const session = await this.#call('POST', '/session', {
      capabilities: { alwaysMatch: {
        browserName: 'chrome',
        'goog:loggingPrefs': { browser: 'ALL', ...(network && { performance: 'ALL' }) },
        'goog:chromeOptions': {
          ...(network && { perfLoggingPrefs: { enableNetwork: true, enablePage: false } }),
          args: [
            // Root may not have the sandbox, and the only pages are the test's own.
            '--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage',
            '--no-first-run', '--disable-background-networking', '--disable-component-update',
            '--disable-sync', '--disable-extensions', '--no-proxy-server', '--mute-audio',
            '--disable-breakpad', '--disable-crash-reporter', '--hide-scrollbars',
            '--autoplay-policy=no-user-gesture-required', `--user-data-dir=${folder}/profile`,
            '--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream',
            ...(microphone ? [`--use-file-for-fake-audio-capture=${microphone}`] : []),
          ],
        },
      } },
    })
    this.#base += `/session/${session.sessionId}`
    await this.#call('POST', '/timeouts', { script: 30000, pageLoad: 30000 })
    await this.devtools('Browser.setDownloadBehavior',
      { behavior: 'allow', downloadPath: this.downloads })
    await this.look({})
  }

  async #call(method, command, body) {
    const response = await fetch(this.#base + command, {
      method, body: body && JSON.stringify(body), signal: AbortSignal.timeout(60000),
    })
    const { value } = await response.json()
    if (!response.ok) throw new WebDriverError(value)
    return value
  }

  /** A command of Chromium's own protocol. */
  devtools(cmd, params = {}) { return this.#call('POST', '/goog/cdp/execute', { cmd, params }) }

  /** Sets the size of the page and its theme. */
  async look({ width = 1280, height = 900, isDark = false }) {
    this.shape = { width, height, isDark }
    await this.devtools('Emulation.setDeviceMetricsOverride',
      { width, height, deviceScaleFactor: 1, mobile: width < 600 })
    await this.devtools('Emulation.setEmulatedMedia',
      { features: [{ name: 'prefers-color-scheme', value: isDark ? 'dark' : 'light' }] })
  }

  go(url) { return this.#call('POST', '/url', { url }) }

  /** Runs a function in the page with values or elements, and returns what it returns. */
  async run(script, ...values) {
    const text = typeof script === 'function' ? `return (${script})(...arguments)` : script
    return this.#call('POST', '/execute/sync', { script: text, args: values })
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

  find(selector) {
    return this.#call('POST', '/element', { using: 'css selector', value: selector })
  }

  /** Clicks where a person would: fails if something else lies above. */
  async click(element) {
    const target = typeof element === 'string' ? await this.find(element) : element
    return this.#call('POST', `/element/${target[elementKey]}/click`, {})
  }

  /** Types text into an element; for an input of files, paths in lines. */
  async type(element, text) {
    const target = typeof element === 'string' ? await this.find(element) : element
    return this.#call('POST', `/element/${target[elementKey]}/value`, { text })
  }

  /** Puts text in place of what an element has. */
  async fill(element, text) {
    const target = typeof element === 'string' ? await this.find(element) : element
    await this.#call('POST', `/element/${target[elementKey]}/clear`, {})
    return this.type(target, text)
  }

  /** Presses keys by their names, one after the other, or with Shift held. */
  async press(...names) {
    const actions = names.flatMap((name) => {
      const parts = name.split('+').map((part) => keys[part] ?? part)
      return [
        ...parts.map((value) => ({ type: 'keyDown', value })),
        ...parts.toReversed().map((value) => ({ type: 'keyUp', value })),
      ]
    })
    await this.#call('POST', '/actions', { actions: [{ type: 'key', id: 'keyboard', actions }] })
  }

  /** What a screen reader calls an element. */
  nameOf(element) { return this.#call('GET', `/element/${element[elementKey]}/computedlabel`) }

  /** Takes a picture of the whole page. */
  async screenshot(file) {
    const { width, height } = this.shape
    const { cssContentSize } = await this.devtools('Page.getLayoutMetrics')
    const tall = Math.max(height, Math.min(6000, Math.ceil(cssContentSize.height)))
    await this.devtools('Emulation.setDeviceMetricsOverride',
      { width, height: tall, deviceScaleFactor: 1, mobile: width < 600 })
    // What is drawn follows the new size in the next frames.
    await wait(200)
    const { data } = await this.devtools('Page.captureScreenshot', { format: 'png' })
    await this.devtools('Emulation.setDeviceMetricsOverride',
      { width, height, deviceScaleFactor: 1, mobile: width < 600 })
    fs.mkdirSync(path.dirname(file), { recursive: true })
    fs.writeFileSync(file, Buffer.from(data, 'base64'))
  }

  /** Messages of the console since the last time: `level` and `message`. */
  async console() {
    const fresh = await this.#call('POST', '/se/log', { type: 'browser' })
    this.messages.push(...fresh)
    return fresh
  }

  /** What the network did since the last time: method and parameters of DevTools' events. */
  async network() {
    const entries = await this.#call('POST', '/se/log', { type: 'performance' })
    return entries.map((entry) => JSON.parse(entry.message).message)
  }

  /** Waits until a download is complete and returns its path. */
  async downloaded(pattern, seconds = 15) {
    const deadline = Date.now() + seconds * 1000
    while (Date.now() < deadline) {
      const names = fs.readdirSync(this.downloads)
      const name = names.find((name) => pattern.test(name) && !name.endsWith('.crdownload'))
      if (name && !names.includes(`${name}.crdownload`)) return path.join(this.downloads, name)
      await wait(50)
    }
    throw new Error(`no download ${pattern}, but: ${fs.readdirSync(this.downloads).join(', ')}`)
  }

  /** Opens a second page of the same browser, or returns to one: a handle. */
  async openPage(url) {
    const { handle } = await this.#call('POST', '/window/new', { type: 'tab' })
    await this.switchTo(handle)
    await this.look(this.shape)
    await this.go(url)
    return handle
  }

  get page() { return this.#call('GET', '/window') }
  switchTo(handle) { return this.#call('POST', '/window', { handle }) }

  /** Ends the browser and takes its folder away. */
  async close() {
    try {
      if (this.#base?.includes('/session/')) await this.#call('DELETE', '')
    } finally {
      await this.#driver?.end()
      fs.rmSync(this.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
    }
  }
}

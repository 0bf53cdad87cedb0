// Debian's Chromium, driven by its chromedriver.

import path from 'node:path'
import { KeptProgram } from './kept-program.mjs'
import { writeWAV } from './sound.mjs'
import { Browser, WebDriverError } from './webdriver.mjs'

const commands = {
  NewSession: ['POST', '/session'], DeleteSession: ['DELETE', ''],
  SetTimeouts: ['POST', '/timeouts'],
  Navigate: ['POST', '/url'], Back: ['POST', '/back'],
  ExecuteScript: ['POST', '/execute/sync'], FindElement: ['POST', '/element'],
  PerformActions: ['POST', '/actions'], ElementClick: ['POST', '/element/ID/click'],
  ElementSendKeys: ['POST', '/element/ID/value'], ElementClear: ['POST', '/element/ID/clear'],
  DeleteAllCookies: ['DELETE', '/cookie'], GetWindowHandles: ['GET', '/window/handles'],
  SwitchToWindow: ['POST', '/window'], CloseWindow: ['DELETE', '/window'],
  // Options of chromedriver only.
  DevTools: ['POST', '/goog/cdp/execute'], Log: ['POST', '/se/log'],
}

/** Chromium's names of message sources, where they differ from ours. */
const kinds = { javascript: 'exception', 'console-api': 'console' }

export class Chromium extends Browser {
  #driver
  #base

  async start({ microphone }) {
    const { folder, environment } = this
    this.#driver = await KeptProgram.start(['chromedriver', '--port=0', '--allowed-ips=127.0.0.1'],
      { log: path.join(folder, 'log'), folder, environment })
    const [, port] = await this.#driver.printed(/started successfully on port (\d+)/)
    this.#base = `http://127.0.0.1:${port}`
    const session = await this.command('NewSession', {
      capabilities: { alwaysMatch: {
        browserName: 'chrome',
        'goog:loggingPrefs': { browser: 'ALL' },
        'goog:chromeOptions': {
          args: [
            // Root cannot use the sandbox, and only the test's own pages are opened.
            '--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage',
            '--no-first-run', '--disable-background-networking', '--disable-component-update',
            '--disable-sync', '--disable-extensions', '--no-proxy-server', '--mute-audio',
            '--disable-breakpad', '--disable-crash-reporter', '--hide-scrollbars',
            '--autoplay-policy=no-user-gesture-required', `--user-data-dir=${folder}/profile`,
            '--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream',
            ...(microphone ? [`--use-file-for-fake-audio-capture=${
              writeWAV(path.join(folder, 'microphone.wav'), microphone)}`] : []),
          ],
        },
      } },
    })
    this.#base += `/session/${session.sessionId}`
    await this.#devtools('Browser.setDownloadBehavior',
      { behavior: 'allow', downloadPath: this.downloads })
  }

  async send(name, { id, ...parameters }) {
    const [method, place] = commands[name]
    const response = await fetch(this.#base + place.replace('ID', id), {
      method, ...(method === 'POST' && { body: JSON.stringify(parameters) }),
    })
    const { value } = await response.json()
    if (!response.ok) throw new WebDriverError(value)
    return value
  }

  /** Sends a command of Chromium's own protocol. */
  #devtools(cmd, params = {}) { return this.command('DevTools', { cmd, params }) }

  #resize({ width, height }) {
    return this.#devtools('Emulation.setDeviceMetricsOverride',
      { width, height, deviceScaleFactor: 1, mobile: width < 600 })
  }

  async look({ width = 1280, height = 900, isDark = false, isCalm = false }) {
    this.shape = { width, height, isDark }
    await this.#resize(this.shape)
    await this.#devtools('Emulation.setEmulatedMedia', { features: [
      { name: 'prefers-color-scheme', value: isDark ? 'dark' : 'light' },
      { name: 'prefers-reduced-motion', value: isCalm ? 'reduce' : 'no-preference' },
    ] })
  }

  async evaluate(source) {
    const { result, exceptionDetails: exception } = await this.#devtools('Runtime.evaluate',
      { expression: `(async () => { ${source} })()`, awaitPromise: true, returnByValue: true })
    if (exception) throw new Error(exception.exception?.description ?? exception.text)
    return result.value
  }

  async screenshot(file) {
    const { width, height } = this.shape
    const { cssContentSize } = await this.#devtools('Page.getLayoutMetrics')
    const tall = Math.max(height, Math.min(6000, Math.ceil(cssContentSize.height)))
    await this.#resize({ width, height: tall })
    await this.settle()
    const { data } = await this.#devtools('Page.captureScreenshot', { format: 'png' })
    await this.#resize(this.shape)
    this.keep(data, file)
  }

  async collect() {
    const entries = await this.command('Log', { type: 'browser' })
    this.messages.push(...entries.map(({ level, source, message }) =>
      ({ kind: kinds[source] ?? source, level, message })))
  }

  /** Chromium ends the scripts of a left page silently. */
  leave() {}

  async end() {
    try {
      if (this.#base?.includes('/session/') && !this.hung) await this.command('DeleteSession')
    } finally {
      await this.#driver?.end()
    }
  }
}

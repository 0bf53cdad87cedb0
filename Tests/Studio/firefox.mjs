// Debian's Firefox, driven over Marionette, its own form of WebDriver: messages of JSON on a
// connection, each with its length before it.

import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { KeptProgram } from './kept-program.mjs'
import { until } from './page.mjs'
import { PulseServer } from './pulse.mjs'
import { samplesOf } from './sound.mjs'
import { Browser, WebDriverError } from './webdriver.mjs'

/** What a person would have chosen, or clicked away. */
function preferences(downloads) {
  return {
    'marionette.port': 0,
    // What pages and their workers write on the console comes out of the program.
    'devtools.console.stdout.content': true,
    'media.navigator.permission.disabled': true,
    'media.autoplay.default': 0,
    'browser.download.dir': downloads,
    'browser.download.folderList': 2,
    'browser.download.alwaysOpenPanel': false,
    'widget.gtk.overlay-scrollbars.enabled': true,
    // Nothing shall leave this machine.
    'network.proxy.type': 0,
    'services.settings.server': 'data:,',
    'app.normandy.enabled': false,
    'datareporting.policy.dataSubmissionEnabled': false,
    'toolkit.telemetry.server': 'data:,',
    'browser.safebrowsing.downloads.enabled': false,
    'browser.safebrowsing.malware.enabled': false,
    'browser.safebrowsing.phishing.enabled': false,
    'extensions.update.enabled': false,
    'network.captive-portal-service.enabled': false,
    'network.connectivity-service.enabled': false,
  }
}

export class Firefox extends Browser {
  #program
  #pulse
  #marionette
  /** Characters of the program's output that have been read. */
  #read = 0

  async start({ microphone, network = false }) {
    // Its sound goes to a server of the test's own, and comes from there.
    this.#pulse = await PulseServer.start()
    await this.#pulse.control('load-module', 'module-null-sink', 'sink_name=speaker')
    if (microphone) {
      await this.#pulse.plug('microphone', 'Microphone')
      await this.#pulse.control('set-default-source', 'microphone')
      this.#pulse.feed('microphone', samplesOf(microphone))
    }
    const { folder } = this
    const profile = path.join(folder, 'profile')
    fs.mkdirSync(profile)
    fs.writeFileSync(path.join(profile, 'user.js'),
      Object.entries(preferences(this.downloads)).map(([name, value]) =>
        `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`).join(''))
    this.#program = await KeptProgram.start(
      ['firefox-esr', '--headless', '--marionette', '--remote-allow-system-access',
        '--no-remote', '--profile', profile],
      { log: path.join(folder, 'log'), folder,
        environment: { ...this.environment, ...this.#pulse.environment } })
    const file = path.join(profile, 'MarionetteActivePort')
    const port = await until(() => fs.existsSync(file) && fs.readFileSync(file, 'utf8'),
      'Marionette', 30)
    this.#marionette = await Marionette.connect(Number(port))
    await this.command('NewSession', { acceptInsecureCerts: false })
    await this.#inBrowser(prepare, network)
  }

  async command(name, parameters = {}) {
    const result = await this.#marionette.send(`WebDriver:${name}`, parameters)
    // Some answers are the value, others have it.
    return result !== null && 'value' in result ? result.value : result
  }

  /** Runs a function in the browser's own context, where its preferences and windows are. */
  async #inBrowser(script, ...args) {
    await this.#marionette.send('Marionette:SetContext', { value: 'chrome' })
    try {
      return await this.command('ExecuteScript',
        { script: `return (${script})(...arguments)`, args, sandbox: 'system', newSandbox: false })
    } finally {
      await this.#marionette.send('Marionette:SetContext', { value: 'content' })
    }
  }

  async look({ width = 1280, height = 900, isDark = false, isCalm = false }) {
    this.shape = { width, height, isDark }
    await this.#inBrowser(shape, this.shape, isCalm)
    await this.until((width, height, isDark) => innerWidth === width && innerHeight === height &&
      matchMedia('(prefers-color-scheme: dark)').matches === isDark,
    { values: [width, height, isDark], what: `a page of ${width} × ${height}` })
  }

  async evaluate(source) {
    const { value, error } = await this.command('ExecuteAsyncScript', {
      script: `const done = arguments[0]; (async () => { ${source} })().then(
        (value) => done({ value }), (error) => done({ error: String(error) }))`,
    })
    if (error) throw new Error(error)
    return value
  }

  async screenshot(file) {
    const tall = await this.run(() => document.documentElement.scrollHeight)
    await this.#inBrowser(shape, { ...this.shape, height: Math.max(this.shape.height, tall) })
    // What is drawn follows the new size in the next frames.
    await wait(200)
    this.keep(await this.command('TakeScreenshot', { full: true }), file)
    await this.#inBrowser(shape, this.shape)
  }

  async console() {
    this.messages.push(...await this.#inBrowser(consoleMessages))
    const fresh = this.#program.output.slice(this.#read)
    this.#read += fresh.length
    // The browser's own begin with a name, those of pages with a quotation mark or a bracket.
    const lines = fresh.matchAll(/^console\.(error|assert|warn): (?!\w+: )(.*)$/gm)
    for (const [, kind, message] of lines) {
      this.messages.push({ level: kind === 'warn' ? 'WARNING' : 'SEVERE', message })
    }
  }

  requests() { return this.#inBrowser(() => globalThis.aacornRequests.splice(0)) }

  async end() {
    this.#marionette?.close()
    try {
      await this.#program?.end()
    } finally {
      await this.#pulse?.close()
    }
  }
}

/** One connection, on which one command follows the other. */
class Marionette {
  #socket
  #text = Buffer.alloc(0)
  #waiting = new Map()
  #count = 0

  static async connect(port) {
    const marionette = new Marionette()
    const socket = net.connect(port, '127.0.0.1')
    marionette.#socket = socket
    socket.on('data', (data) => marionette.#receive(data))
    const fail = (error) => {
      for (const { reject } of marionette.#waiting.values()) reject(error)
      marionette.#waiting.clear()
    }
    socket.on('error', fail)
    socket.on('close', () => fail(new Error('Firefox has closed its connection')))
    return marionette
  }

  #receive(data) {
    this.#text = Buffer.concat([this.#text, data])
    for (;;) {
      const colon = this.#text.indexOf(':')
      if (colon < 0) return
      const end = colon + 1 + Number(this.#text.subarray(0, colon))
      if (this.#text.length < end) return
      const message = JSON.parse(this.#text.subarray(colon + 1, end))
      this.#text = this.#text.subarray(end)
      // The first one is a greeting.
      if (!Array.isArray(message)) continue
      const [, number, error, result] = message
      const { resolve, reject } = this.#waiting.get(number)
      this.#waiting.delete(number)
      error ? reject(new WebDriverError(error)) : resolve(result)
    }
  }

  send(name, parameters) {
    const number = ++this.#count
    const message = Buffer.from(JSON.stringify([0, number, name, parameters]))
    return new Promise((resolve, reject) => {
      if (this.#socket.destroyed) throw new Error('Firefox has closed its connection')
      this.#waiting.set(number, { resolve, reject })
      this.#socket.write(`${message.length}:`)
      this.#socket.write(message)
    })
  }

  close() { this.#socket.destroy() }
}

// What follows runs in the browser's own context.

/** Notes the pages' requests from now on, if that is wanted, and forgets old messages. */
function prepare(network) {
  globalThis.aacornRequests = []
  if (network) {
    const note = (subject) => {
      const channel = subject.QueryInterface(Ci.nsIHttpChannel)
      // Those of workers belong to no page, but to the page's origin.
      const { loadInfo } = channel
      if (!loadInfo.browsingContextID && !loadInfo.triggeringPrincipal?.isContentPrincipal) return
      let [status, type] = [0, '']
      try {
        status = channel.responseStatus
        type = channel.contentType
      } catch {
        // It was ended before an answer came.
      }
      const { requestMethod: method, URI: { spec: url } } = channel
      globalThis.aacornRequests.push({ url, method, status, type })
    }
    Services.obs.addObserver(note, 'http-on-stop-request')
  }
  Services.console.reset()
}

/** Gives the page a size, also one that no window may have, a theme, less motion, and the focus. */
function shape({ width, height, isDark }, isCalm) {
  const view = gBrowser.selectedBrowser
  for (const [name, length] of [['width', width], ['height', height]]) {
    view.style.setProperty(`min-${name}`, `${length}px`)
    view.style.setProperty(`max-${name}`, `${length}px`)
  }
  Services.prefs.setIntPref('layout.css.prefers-color-scheme.content-override', isDark ? 0 : 1)
  Services.prefs.setIntPref('ui.prefersReducedMotion', isCalm ? 1 : 0)
  view.focus()
}

/** What the browser has said of pages: exceptions that nobody caught, and what it does not like. */
function consoleMessages() {
  const isPage = (source) => /^https?:/.test(source)
  const messages = []
  for (const message of Services.console.getMessageArray()) {
    if (!(message instanceof Ci.nsIScriptError) || !isPage(message.sourceName)) continue
    const isWarning = message.flags & Ci.nsIScriptError.warningFlag
    messages.push({ level: isWarning ? 'WARNING' : 'SEVERE',
      message: `${message.sourceName}:${message.lineNumber} ${message.errorMessage}` })
  }
  Services.console.reset()
  return messages
}

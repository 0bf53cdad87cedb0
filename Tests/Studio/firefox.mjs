// Debian's Firefox, driven over Marionette, its own form of WebDriver.

import fs from 'node:fs'
import path from 'node:path'
import { listen, listenInPages, shape } from './firefox-inside.mjs'
import { KeptProgram } from './kept-program.mjs'
import { Marionette } from './marionette.mjs'
import { PulseServer } from './pulse.mjs'
import { until } from './waiting.mjs'
import { Browser } from './webdriver.mjs'

/** The settings that a user would choose, or the notices that a user would close. */
function preferences(downloads, scriptTimeout) {
  return {
    'marionette.port': 0,
    // Scripts that run longer are ended and reported, without a user's action.
    'dom.ipc.reportProcessHangs': true,
    'dom.max_script_run_time': scriptTimeout,
    'dom.max_script_run_time.require_critical_input': false,
    'media.navigator.permission.disabled': true,
    'media.autoplay.default': 0,
    // Playback does not time out on a busy machine.
    'media.cubeb_latency_mtg_frames': 8192,
    'browser.download.dir': downloads,
    'browser.download.folderList': 2,
    'browser.download.alwaysOpenPanel': false,
    'widget.gtk.overlay-scrollbars.enabled': true,
    // No request may leave this machine.
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
  /** Documents that the tests have left. */
  #left = new Set()
  /** The processes of these documents. */
  #leftProcesses = new Set()
  /** The left documents in which the browser has ended a script. */
  #broken = new Set()

  /** The messages that result from leaving a page, which are not faults. */
  setAside = []

  /** Firefox ends and reports a script that runs too long, after twice its limit at most. */
  get answerSeconds() { return 4 * this.scriptTimeout }

  async start({ microphone }) {
    // Audio output and input use a sound server of the test.
    this.#pulse = await PulseServer.start()
    await this.#pulse.control('load-module', 'module-null-sink', 'sink_name=speaker')
    if (microphone) {
      await this.#pulse.plug('microphone', 'Microphone')
      await this.#pulse.control('set-default-source', 'microphone')
      this.#pulse.feed('microphone', microphone)
    }
    const { folder } = this
    const profile = path.join(folder, 'profile')
    fs.mkdirSync(profile)
    fs.writeFileSync(path.join(profile, 'user.js'),
      Object.entries(preferences(this.downloads, this.scriptTimeout)).map(([name, value]) =>
        `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`).join(''))
    this.#program = await KeptProgram.start(
      ['firefox-esr', '--headless', '--marionette', '--remote-allow-system-access',
        '--no-remote', '--profile', profile],
      { log: path.join(folder, 'log'), folder,
        environment: { ...this.environment, ...this.#pulse.environment } })
    const file = path.join(profile, 'MarionetteActivePort')
    const port = await until(() => fs.existsSync(file) && fs.readFileSync(file, 'utf8'),
      'Marionette')
    this.#marionette = await Marionette.connect(Number(port))
    await this.command('NewSession', { acceptInsecureCerts: false })
    await this.#inBrowser(listen, String(listenInPages))
  }

  async send(name, parameters) {
    const command = name.includes(':') ? name : `WebDriver:${name}`
    const result = await this.#marionette.send(command, parameters)
    // Some responses are the value itself, others contain it as the member `value`.
    return result !== null && 'value' in result ? result.value : result
  }

  /** Runs a function in the browser's own context, with access to preferences and windows. */
  async #inBrowser(script, ...args) {
    await this.command('Marionette:SetContext', { value: 'chrome' })
    try {
      return await this.command('ExecuteScript',
        { script: `return (${script})(...arguments)`, args, sandbox: 'system', newSandbox: false })
    } finally {
      await this.command('Marionette:SetContext', { value: 'content' })
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
    await this.settle()
    this.keep(await this.command('TakeScreenshot', { full: true }), file)
    await this.#inBrowser(shape, this.shape)
  }

  async collect() {
    const { said, shown } = await this.#inBrowser(() => ({
      said: globalThis.aacornSaid.splice(0),
      shown: gBrowser.selectedBrowser.browsingContext.currentWindowGlobal.innerWindowId,
    }))
    // Going back may lead to the same document.
    this.#left.delete(shown)
    for (const message of said) {
      (this.#isOfLeaving(message) ? this.setAside : this.messages).push(message)
    }
  }

  /**
   * Returns whether a message results from leaving a page. The browser ends a running script, so later errors
   * of the page are not its own fault. If a worker is starting, the browser does not cancel all of its requests
   * before the page's process ends, and the remaining requests fail.
   */
  #isOfLeaving({ window, isBrokenOff, endedProcess }) {
    if (endedProcess) return this.#leftProcesses.has(endedProcess)
    if (!this.#left.has(window)) return false
    if (isBrokenOff) this.#broken.add(window)
    return this.#broken.has(window)
  }

  async leave() {
    const { window, process } = await this.#inBrowser(() => {
      const { innerWindowId, domProcess } =
        gBrowser.selectedBrowser.browsingContext.currentWindowGlobal
      return { window: innerWindowId, process: domProcess.childID }
    })
    this.#left.add(window)
    this.#leftProcesses.add(process)
  }

  async end() {
    this.#marionette?.close()
    try {
      await this.#program?.end()
    } finally {
      await this.#pulse?.close()
    }
  }
}

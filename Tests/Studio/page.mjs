// Actions of tests on the page: elements are found by role and name, as with a screen reader.

import fs from 'node:fs'
import path from 'node:path'
import { until } from './waiting.mjs'

const screenshots = path.resolve(process.env.SCREENSHOTS ?? '.build/studio/screenshots')

/** Returns a visible and enabled element by its role and name. Runs in the page. */
function search(role, pattern, scope) {
  const selectors = {
    button: 'button, [role=button], summary, input[type=submit]', link: 'a[href]',
    textbox: 'input:not([type]), input[type=text], input[type=search], input[type=url], textarea',
    combobox: 'select, [role=combobox]', slider: 'input[type=range], [role=slider]',
    checkbox: 'input[type=checkbox], [role=switch]', radio: 'input[type=radio], [role=radio]',
    file: 'input[type=file]', spinbutton: 'input[type=number]', progressbar: 'progress',
    heading: 'h1, h2, h3', row: 'tr, [role=row]', item: 'li, article, tr', status: '[role=status]',
    alert: '[role=alert]',
  }
  const root = scope ?? document.querySelector('dialog[open]') ?? document
  const text = (element) => element?.textContent.replace(/\s+/g, ' ').trim() ?? ''
  const name = (element) => {
    const ids = element.getAttribute('aria-labelledby')?.split(' ')
    if (ids) return ids.map((id) => text(document.getElementById(id))).join(' ')
    if (element.ariaLabel) return element.ariaLabel
    if (element.labels?.length) return [...element.labels].map(text).join(' ')
    return text(element) || element.title || element.placeholder || ''
  }
  const expression = new RegExp(pattern, 'i')
  for (const element of root.querySelectorAll(`${selectors[role] ?? role}`)) {
    // File inputs are often hidden and replaced by buttons.
    const seen = role === 'file' ? element.closest('main > section') : element
    const isVisible = seen.checkVisibility({ visibilityProperty: true })
    if (!isVisible || element.disabled || element.ariaDisabled === 'true') continue
    if (element.closest('[inert]')) continue
    if (expression.test(name(element))) return element
  }
  return null
}

/** A page of the studio in a browser. */
export class Page {
  #token
  #isLetIn = false

  /** The page at a studio's address. The token logs the browser in. */
  constructor(browser, url, token) {
    this.browser = browser
    this.url = url
    this.#token = token
  }

  /**
   * Returns the address of a view. The first address contains the token, for which the browser receives a
   * cookie, as with the address that the studio prints.
   */
  #address(view) {
    const address = new URL(`#${view}`, this.url)
    if (!this.#isLetIn) address.searchParams.set('token', this.#token)
    this.#isLetIn = true
    return address.href
  }

  /** Opens a view, by loading the page or by changing the fragment of its address. */
  async show(view) {
    if ((await this.browser.run(() => location.origin)) === new URL(this.url).origin) {
      await this.browser.run((view) => { location.hash = view }, view)
    } else {
      await this.browser.go(this.#address(view))
    }
    await this.browser.until((view) => {
      const section = document.querySelector(`#view-${view}`)
      return location.hash === `#${view}` && document.readyState === 'complete' &&
        section?.checkVisibility() && section.querySelector('button, input')
    }, { what: `the view ${view}`, values: [view] })
  }

  /** Waits for an element with a role whose name matches a pattern, ignoring case. */
  async element(role, pattern, { scope = null, seconds } = {}) {
    return this.browser.until(search, {
      seconds, what: `${role} “${pattern}”`, values: [role, source(pattern), scope],
    })
  }

  /** Returns whether such an element exists now. */
  async has(role, pattern, scope = null) {
    return (await this.browser.run(search, role, source(pattern), scope)) !== null
  }

  async click(role, pattern, options) {
    // Lists are rebuilt after changes, and elements move: a found element may be removed or covered a moment
    // later.
    const passing = ['stale element reference', 'element click intercepted',
      'element not interactable']
    let reason
    const isDone = async () => {
      try {
        const element = await this.element(role, pattern, options)
        // A label may be drawn above its control.
        const label = ['radio', 'checkbox'].includes(role) &&
          await this.browser.run((element) => element.labels?.[0] ?? null, element)
        await this.browser.run((element) => element.scrollIntoView({ block: 'center' }),
          label || element)
        await this.browser.click(label || element)
        return true
      } catch (error) {
        if (!passing.includes(error.code)) throw error
        reason = error
        return false
      }
    }
    try {
      await until(isDone, `a moment to click ${role} “${pattern}”`)
    } catch (error) {
      throw reason ? new Error(`${error.message}: ${reason.message}`) : error
    }
  }

  async fill(role, pattern, text, options) {
    return this.browser.fill(await this.element(role, pattern, options), text)
  }

  /** Selects the option of a list whose text matches a pattern. */
  async choose(name, option) {
    const list = await this.element('combobox', name)
    await this.browser.until((list, pattern) => {
      const expression = new RegExp(pattern, 'i')
      const found = [...list.options].find((option) => expression.test(option.text))
      if (!found) return false
      list.value = found.value
      list.dispatchEvent(new Event('input', { bubbles: true }))
      list.dispatchEvent(new Event('change', { bubbles: true }))
      return true
    }, { what: `the choice ${option} in ${name}`, values: [list, source(option)] })
  }

  /** Returns the text of the selected option of a list. */
  async chosen(name) {
    return this.browser.run((list) => list.selectedOptions[0].text, await this.element('combobox', name))
  }

  /** Waits until the visible text of the page matches a pattern. */
  async says(pattern, { seconds } = {}) {
    return this.browser.until((pattern) => {
      const match = new RegExp(pattern, 'i').exec(document.body.innerText)
      return match && match[0]
    }, { seconds, what: `the words “${pattern}”`, values: [source(pattern)] })
  }

  /** Triggers a message with these words and moves the focus to it, so that it stays. */
  async holdMessage(words, act) {
    await this.browser.run((words) => {
      window.goToMessage = () => {
        const message = [...document.querySelectorAll('.toast')]
          .find(({ textContent }) => textContent.includes(words))
        message?.querySelector('button').focus()
        return message?.contains(document.activeElement)
      }
      // Do this immediately: on a busy machine the message could be gone before it is found.
      new MutationObserver((_, observer) => window.goToMessage() && observer.disconnect())
        .observe(document.getElementById('toasts'), { childList: true })
    }, words)
    await act()
    await this.browser.until(() => window.goToMessage(), { what: `a message with “${words}”` })
  }

  /**
   * Presses Start, and waits until the view shows that it records: before that, its time may still be from
   * the previous recording.
   */
  async record() {
    await this.click('button', /^Start$/)
    await this.element('button', /^Stop$/)
  }

  /** Returns the elapsed seconds that the view shows. */
  recorded() {
    return this.browser.run(() => {
      const timer = [...document.querySelectorAll('[role=timer]')]
        .find((timer) => timer.checkVisibility())
      return timer.textContent.split(':').reduce((sum, part) => 60 * sum + Number(part), 0)
    })
  }

  /** Waits until the view shows at least `seconds`, and returns the shown value. */
  hasRecorded(seconds) {
    return until(async () => {
      const recorded = await this.recorded()
      return recorded >= seconds && recorded
    }, `second ${seconds} of the recording`)
  }

  /** Returns the pictures of the visible canvases, as texts that differ if the pictures differ. */
  pictures() {
    return this.browser.run(() => [...document.querySelectorAll('canvas')]
      .filter((canvas) => canvas.checkVisibility())
      .map((canvas) => ({ name: canvas.ariaLabel, data: canvas.toDataURL() })))
  }

  /** Returns the number of colors of a visible canvas that matches a selector. */
  colors(selector, scope = null) {
    return this.browser.run((selector, scope) => {
      const counts = [...(scope ?? document).querySelectorAll(selector)]
        .filter((canvas) => canvas.checkVisibility() && canvas.width > 0 && canvas.height > 0)
        .map((canvas) => {
          // Read from a copy: the browser would log a warning about reading from the page's own canvas.
          const copy = new OffscreenCanvas(canvas.width, canvas.height)
          const context = copy.getContext('2d', { willReadFrequently: true })
          context.drawImage(canvas, 0, 0)
          const { data } = context.getImageData(0, 0, copy.width, copy.height)
          return new Set(new Uint32Array(data.buffer)).size
        })
      return Math.max(0, ...counts)
    }, selector, scope)
  }

  /** Saves a screenshot for review. */
  async picture(name) {
    const { width, isDark } = this.browser.shape
    const file = `${name}-${width < 600 ? 'phone' : 'desktop'}-${isDark ? 'dark' : 'light'}.png`
    await this.browser.screenshot(path.join(screenshots, file))
  }

  /**
   * Fails if the page has reported a fault up to now: exceptions, errors and warnings on the console, failed
   * requests, violations of the content security policy, endless scripts. A test passes the faults that it
   * provokes: `expected` are objects with a `kind` and a `pattern`.
   */
  async checkConsole(...expected) {
    await this.browser.console()
    const { messages } = this.browser
    this.browser.messages = []
    const faults = messages.filter(({ kind, level, message }) =>
      (level === 'SEVERE' || level === 'WARNING') &&
      !expected.some((one) => one.kind === kind && one.pattern.test(message)))
    if (faults.length > 0) {
      throw new Error(`the page reported faults:\n${
        faults.map(({ kind, message }) => `${kind}: ${message}`).join('\n')}`)
    }
  }
}

/** Returns a pattern that matches exactly this text. */
export const literally = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

function source(pattern) { return pattern instanceof RegExp ? pattern.source : pattern }

/** Returns whether a process is running. */
export function isRunning(number) { return fs.existsSync(`/proc/${number}`) }

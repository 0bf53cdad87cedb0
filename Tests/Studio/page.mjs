// What tests do with the page: find by role and name, as a person with a screen reader does.

import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

const screenshots = path.resolve(process.env.SCREENSHOTS ?? '.build/studio/screenshots')

/** Finds an element that can be seen and used, by its role and name. Runs in the page. */
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
    // Inputs of files are often hidden behind buttons.
    const seen = role === 'file' ? element.closest('main > section') : element
    const isVisible = seen.checkVisibility({ visibilityProperty: true })
    if (!isVisible || element.disabled || element.ariaDisabled === 'true') continue
    if (element.closest('[inert]')) continue
    if (expression.test(name(element))) return element
  }
  return null
}

/** One page of the studio in a browser. */
export class Page {
  constructor(browser, url) {
    this.browser = browser
    this.url = url
  }

  /** Opens a view, by loading the page or by its address within. */
  async show(view) {
    const address = new URL(`#${view}`, this.url).href
    if ((await this.browser.run(() => location.origin)) === new URL(this.url).origin) {
      await this.browser.run((view) => { location.hash = view }, view)
    } else {
      await this.browser.go(address)
    }
    await this.browser.until((view) => {
      const heading = [...document.querySelectorAll('main h1, main h2, main section')]
        .find((element) => element.checkVisibility())
      return location.hash === `#${view}` && document.readyState === 'complete' && heading
    }, { what: `the view ${view}`, values: [view] })
  }

  /** Waits for an element of a role whose name has a pattern, without regard to case. */
  async element(role, pattern, { scope = null, seconds = 10 } = {}) {
    return this.browser.until(search, {
      seconds, what: `${role} “${pattern}”`, values: [role, source(pattern), scope],
    })
  }

  /** Whether there is such an element now. */
  async has(role, pattern, scope = null) {
    return (await this.browser.run(search, role, source(pattern), scope)) !== null
  }

  async click(role, pattern, options) {
    // Lists are made anew when something changes; what was found may be gone a moment later.
    for (let attempt = 0; ; attempt++) {
      try {
        const element = await this.element(role, pattern, options)
        // Boxes may be drawn by their labels, which lie above them.
        const label = ['radio', 'checkbox'].includes(role) &&
          await this.browser.run((element) => element.labels?.[0] ?? null, element)
        await this.browser.run((element) => element.scrollIntoView({ block: 'center' }),
          label || element)
        return await this.browser.click(label || element)
      } catch (error) {
        const isOld = ['stale element reference', 'element click intercepted',
          'element not interactable'].includes(error.code)
        if (!isOld || attempt === 20) throw error
        await wait(100)
      }
    }
  }

  async fill(role, pattern, text, options) {
    return this.browser.fill(await this.element(role, pattern, options), text)
  }

  /** Chooses the option of a list whose text has a pattern. */
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

  /** Waits until the visible text of the page has a pattern. */
  async says(pattern, { seconds = 10 } = {}) {
    return this.browser.until((pattern) => {
      const match = new RegExp(pattern, 'i').exec(document.body.innerText)
      return match && match[0]
    }, { seconds, what: `the words “${pattern}”`, values: [source(pattern)] })
  }

  /** What the page's connection has told it last. */
  async text() { return this.browser.run(() => document.body.innerText) }

  /** How much of a canvas is not of its most frequent colour, from 0 to 1. */
  async coverage(selector) {
    return this.browser.run((selector) => {
      const canvas = [...document.querySelectorAll(selector)].find((each) => each.checkVisibility())
      if (!canvas) return null
      const copy = new OffscreenCanvas(canvas.width, canvas.height)
      const context = copy.getContext('2d')
      context.drawImage(canvas, 0, 0)
      const { data } = context.getImageData(0, 0, copy.width, copy.height)
      const counts = new Map()
      const pixels = new Uint32Array(data.buffer)
      for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1)
      return 1 - Math.max(...counts.values()) / pixels.length
    }, selector)
  }

  /** Takes a picture for people to look at. */
  async picture(name) {
    const { width, isDark } = this.browser.shape
    const file = `${name}-${width < 600 ? 'phone' : 'desktop'}-${isDark ? 'dark' : 'light'}.png`
    await this.browser.screenshot(path.join(screenshots, file))
  }

  /** Fails if the console has had errors, except those of the patterns. */
  async checkConsole(...expected) {
    await this.browser.console()
    // Chromium advises those who read canvases, which only tests do.
    const patterns = [...expected, /willReadFrequently/]
    const errors = this.browser.messages.filter(({ level, message }) =>
      (level === 'SEVERE' || level === 'WARNING') &&
      !patterns.some((pattern) => pattern.test(message)))
    this.browser.messages = []
    if (errors.length > 0) {
      throw new Error(`on the console: ${errors.map(({ message }) => message).join('\n')}`)
    }
  }
}

function source(pattern) { return pattern instanceof RegExp ? pattern.source : pattern }

/** Waits for something outside of the page. */
export async function until(condition, what, seconds = 10) {
  const deadline = Date.now() + seconds * 1000
  for (;;) {
    const value = await condition()
    if (value) return value
    if (Date.now() > deadline) throw new Error(`${what} did not come within ${seconds} s`)
    await wait(50)
  }
}

/** Whether a process runs. */
export function isRunning(number) { return fs.existsSync(`/proc/${number}`) }

// Accessibility: the rules of axe, and rules that this version of axe lacks.

import fs from 'node:fs'

// Scripts/setup --tests fetches axe. Version 4.4.3 is from 2022: it supports WCAG 2.1 but not 2.2, so the
// target sizes are checked below.
const source = process.env.AXE ?? '.build/tools/axe/axe_core_python/axe.min.js'
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice']

/** Returns the violations that axe finds in the page, one line for each element. */
export async function axe(browser) {
  if (await browser.evaluate('return typeof window.axe') === 'undefined') {
    await browser.evaluate(fs.readFileSync(source, 'utf8'))
  }
  const found = await browser.evaluate(`return window.axe.run(document, {
    runOnly: ${JSON.stringify(tags)}, resultTypes: ['violations'] }).then((result) => ({
    rules: result.passes.length, violations: result.violations.flatMap(({ id, help, nodes }) => nodes.map((node) =>
      id + ': ' + help + ': ' + node.target.join(' ') + ': ' + (node.any[0] ?? node.all[0]
        ?? node.none[0])?.message)) }))`)
  if (found.rules < 15) throw new Error(`axe found only ${found.rules} rules to apply`)
  return found.violations
}

/** Returns the faults of elements that axe does not check, as messages. Runs in the page. */
function findFaults(least) {
  const faults = []
  const name = (element) => `${element.localName}${element.id && `#${element.id}`}` +
    `${[...element.classList].map((name) => `.${name}`).join('')}` +
    ` “${(element.ariaLabel ?? element.innerText ?? '').trim().slice(0, 30)}”`
  const isVisible = (element) => element.checkVisibility({ visibilityProperty: true }) &&
    element.getBoundingClientRect().width > 0 && !element.closest('[inert]')
  const ids = new Set()
  for (const { id } of document.querySelectorAll('[id]')) {
    if (ids.has(id)) faults.push(`the id ${id} occurs twice`)
    ids.add(id)
  }
  for (const element of document.querySelectorAll('[tabindex]')) {
    if (element.tabIndex > 0) faults.push(`${name(element)} has a positive tabindex`)
  }
  for (const attribute of ['aria-labelledby', 'aria-describedby', 'aria-controls', 'for']) {
    for (const element of document.querySelectorAll(`[${attribute}]`)) {
      for (const id of element.getAttribute(attribute).split(' ')) {
        if (!document.getElementById(id)) faults.push(`${name(element)}: no ${attribute} ${id}`)
      }
    }
  }
  const controls = 'button, a[href], input:not([type=hidden]), select, textarea, summary, ' +
    '[role=button], [role=slider], [role=tab], [role=switch], [role=radio], [role=option]'
  for (const element of document.querySelectorAll(controls)) {
    if (!isVisible(element)) continue
    // A label of a control is part of its target; links within sentences are excepted.
    const boxes = [element, ...(element.labels ?? [])].map((part) => part.getBoundingClientRect())
    const isHidden = getComputedStyle(element).opacity === '0' ||
      element.closest('.visually-hidden') !== null || boxes[0].width < 2
    const isInline = element.localName === 'a' && getComputedStyle(element).display === 'inline'
    if (isHidden && boxes.length === 1) continue
    if (isInline || boxes.some(({ width, height }) => width >= least && height >= least)) continue
    const { width, height } = boxes[0]
    faults.push(`${name(element)} is ${width.toFixed(0)} × ${height.toFixed(0)} in size`)
  }
  for (const canvas of document.querySelectorAll('canvas')) {
    if (!isVisible(canvas) || canvas.closest('[aria-hidden=true]')) continue
    if (canvas.role !== 'img' && !canvas.ariaLabel) faults.push(`${name(canvas)} says nothing`)
  }
  const root = document.documentElement
  if (root.scrollWidth > innerWidth) {
    const wide = [...document.body.querySelectorAll('*')].filter((element) =>
      isVisible(element) && element.getBoundingClientRect().right > innerWidth + 1)
    faults.push(`the page is ${root.scrollWidth} wide, the window ${innerWidth}: ` +
      wide.slice(0, 4).map(name).join(', '))
  }
  return faults
}

/** Returns the faults of the page's elements that axe does not check. */
export function faults(browser, least = 24) { return browser.run(findFaults, least) }

/** Returns the faults of the shown page in these shapes, and saves a picture of each. */
export async function faultsInShapes(page, shapes, name) {
  const { browser } = page
  const found = []
  for (const shape of shapes) {
    await browser.look(shape)
    await browser.settle()
    await page.picture(name)
    const label = `${shape.width}, ${shape.isDark ? 'dark' : 'light'}`
    found.push(...[...await axe(browser), ...await faults(browser)].map((fault) => `${label}: ${fault}`))
  }
  return found
}

/** Moves the focus to the top of the page, wherever the last click was. */
export function focusTop(browser) {
  return browser.run(() => {
    document.activeElement?.blur()
    scrollTo(0, 0)
    document.body.tabIndex = -1
    document.body.focus()
    document.body.removeAttribute('tabindex')
  })
}

/** Steps through the page with the Tab key, to at least `least` elements; returns the faults found. */
export async function focusFaults(browser, least = 5) {
  const found = []
  const seen = []
  await focusTop(browser)
  for (let step = 0; step < 150; step++) {
    await browser.press('Tab')
    const target = await browser.run(() => {
      const element = document.activeElement
      // After the last element the focus moves to the browser.
      if (!element || element === document.body || !document.hasFocus()) return null
      window.focusNumbers ??= new WeakMap()
      window.focusCount ??= 0
      const numbers = window.focusNumbers
      if (!numbers.has(element)) numbers.set(element, window.focusCount++)
      // The focus ring may be drawn by the parent element or by a label after the element.
      const appearance = (part) => {
        if (!part) return ''
        const style = getComputedStyle(part)
        return [style.outlineStyle, style.outlineWidth, style.outlineColor, style.boxShadow,
          style.backgroundColor, style.borderColor].join(' ')
      }
      const parts = [element, element.parentElement, element.nextElementSibling]
      const focused = parts.map(appearance).join()
      const isRing = element.matches(':focus-visible')
      const box = element.getBoundingClientRect()
      // An element with a fixed position must not cover the focused element (WCAG 2.2, 2.4.11). Messages
      // close by themselves.
      const isCovered = (element, { left, right, top, bottom }) => {
        const there = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
        const other = there?.closest('header, .banner')
        return Boolean(other) && !other.contains(element) && box.width > 2
      }
      element.blur()
      const blurred = parts.map(appearance).join()
      element.focus({ focusVisible: true, preventScroll: true })
      return {
        number: numbers.get(element), isRing, isMarked: focused !== blurred,
        name: `${element.localName} “${(element.ariaLabel ?? element.innerText).trim()
          .slice(0, 30)}”`,
        isSeen: box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth,
        isCovered: isCovered(element, box),
      }
    })
    if (!target) break
    if (seen.includes(target.number)) {
      if (target.number !== seen[0]) found.push(`Tab returns to ${target.name}`)
      break
    }
    seen.push(target.number)
    if (!target.isMarked) found.push(`${target.name} shows no focus`)
    if (target.isCovered) found.push(`${target.name} is covered while it has the focus`)
    if (!target.isSeen) found.push(`${target.name} is outside the window while it has the focus`)
  }
  if (seen.length < least) found.push(`Tab reaches only ${seen.length} elements`)
  return { found, count: seen.length }
}

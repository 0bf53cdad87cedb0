// Accessibility: the rules of axe, and those that its version lacks.

import fs from 'node:fs'

// Scripts/setup --tests fetches it. Version 4.4.3 is of 2022: it knows WCAG 2.1, and nothing of 2.2, hence
// the sizes of targets below.
const source = process.env.AXE ?? '.build/tools/axe/axe_core_python/axe.min.js'
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice']

/** What axe finds in the page: one line for each element. */
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

/** What is wrong with elements, beside what axe knows: sentences. Runs in the page. */
function findFaults(least) {
  const faults = []
  const name = (element) => `${element.localName}${element.id && `#${element.id}`}` +
    `${[...element.classList].map((name) => `.${name}`).join('')}` +
    ` “${(element.ariaLabel ?? element.innerText ?? '').trim().slice(0, 30)}”`
  const isVisible = (element) => element.checkVisibility({ visibilityProperty: true }) &&
    element.getBoundingClientRect().width > 0 && !element.closest('[inert]')
  const ids = new Set()
  for (const { id } of document.querySelectorAll('[id]')) {
    if (ids.has(id)) faults.push(`the id ${id} is there twice`)
    ids.add(id)
  }
  for (const element of document.querySelectorAll('[tabindex]')) {
    if (element.tabIndex > 0) faults.push(`${name(element)} has a tabindex of its own`)
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
    // A label that belongs to a box is part of its target; links within sentences are excepted.
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

/** What is wrong with the page's elements, beside what axe knows. */
export function faults(browser, least = 24) { return browser.run(findFaults, least) }

/** Lets focus begin at the top, wherever something was clicked. */
export function focusTop(browser) {
  return browser.run(() => {
    document.activeElement?.blur()
    scrollTo(0, 0)
    document.body.tabIndex = -1
    document.body.focus()
    document.body.removeAttribute('tabindex')
  })
}

/** Goes through the page with the Tab key, to `least` elements; what is wrong on the way. */
export async function focusFaults(browser, least = 5) {
  const found = []
  const seen = []
  await focusTop(browser)
  for (let step = 0; step < 150; step++) {
    await browser.press('Tab')
    const place = await browser.run(() => {
      const element = document.activeElement
      // After the last one the focus is the browser's.
      if (!element || element === document.body || !document.hasFocus()) return null
      window.focusNumbers ??= new WeakMap()
      window.focusCount ??= 0
      const numbers = window.focusNumbers
      if (!numbers.has(element)) numbers.set(element, window.focusCount++)
      // The ring may be drawn by what surrounds the element, or by a label after it.
      const looks = (part) => {
        if (!part) return ''
        const style = getComputedStyle(part)
        return [style.outlineStyle, style.outlineWidth, style.outlineColor, style.boxShadow,
          style.backgroundColor, style.borderColor].join(' ')
      }
      const parts = [element, element.parentElement, element.nextElementSibling]
      const focused = parts.map(looks).join()
      const isRing = element.matches(':focus-visible')
      const box = element.getBoundingClientRect()
      // What stays at its place when the page is scrolled must not hide it (WCAG 2.2, 2.4.11);
      // messages go by themselves.
      const isCovered = (element, { left, right, top, bottom }) => {
        const there = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
        const other = there?.closest('header, .banner')
        return Boolean(other) && !other.contains(element) && box.width > 2
      }
      element.blur()
      const blurred = parts.map(looks).join()
      element.focus({ focusVisible: true, preventScroll: true })
      return {
        number: numbers.get(element), isRing, isMarked: focused !== blurred,
        name: `${element.localName} “${(element.ariaLabel ?? element.innerText).trim()
          .slice(0, 30)}”`,
        isSeen: box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth,
        isCovered: isCovered(element, box),
      }
    })
    if (!place) break
    if (seen.includes(place.number)) {
      if (place.number !== seen[0]) found.push(`Tab comes back to ${place.name}`)
      break
    }
    seen.push(place.number)
    if (!place.isMarked) found.push(`one cannot see that ${place.name} has the focus`)
    if (place.isCovered) found.push(`${place.name} has the focus under something else`)
    if (!place.isSeen) found.push(`${place.name} has the focus outside of the window`)
  }
  if (seen.length < least) found.push(`Tab reaches only ${seen.length} elements`)
  return { found, count: seen.length }
}

// Tests of the checks that the other tests make of a page: every fault is reported, but not the faults that
// the browser causes when the page is left.

import assert from 'node:assert/strict'
import http from 'node:http'
import { after, afterEach, test } from 'node:test'
import { openBrowser } from './browsers.mjs'
import { Page } from './page.mjs'
import { until } from './waiting.mjs'

/** Pages by name: the script of each, restricted by a content security policy. */
const scripts = {
  behaves: `console.log('All is well.')
    const request = new AbortController()
    fetch('/endless', { signal: request.signal }).catch(() => { document.title = 'ended' })
    request.abort()
    new EventSource('/endless')`,
  throws: `setTimeout(() => { throw new Error('planted') })`,
  rejects: `Promise.reject(new Error('planted'))`,
  complains: `console.error('planted', 1)`,
  warns: `console.warn('planted', 1)`,
  forbidden: `const script = document.createElement('script')
    script.textContent = 'planted()'
    document.body.append(script)`,
  foreign: `new Image().src = 'http://127.0.0.1:1/planted.png'`,
  absent: `fetch('/planted').then((answer) => answer.text())`,
  cut: `fetch('/closed').catch(() => {})`,
  worker: `new Worker('/throws.js')`,
  talkative: `new Worker('/complains.js')`,
  incomplete: `const worker = new Worker('/needsAbsent.js', { type: 'module' })
    worker.onerror = () => { document.title = 'failed' }`,
  needsAbsent: `import '/planted.js'`,
  interrupted: `const worker = new Worker('/needsCut.js', { type: 'module' })
    worker.onerror = () => { document.title = 'failed' }`,
  needsCut: `import '/closed.js'`,
  clicked: `addEventListener('click', () => { throw new Error('planted') })`,
  loops: `fetch('/go').then(() => {
    fetch('/begun')
    for (;;) performance.now()
  })`,
}

/** `begin` starts the loop of a page that waits for that; `hasBegun` is whether the loop has started. */
let begin, hasBegun

const server = http.createServer((request, response) => {
  const [, name, isScript] = /^\/(\w+)(\.js)?$/.exec(request.url) ?? []
  if (name === 'closed') return response.destroy()
  if (name === 'endless') {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' })
    return response.write(': nothing yet\n\n')
  }
  if (name === 'go') {
    begin = () => response.writeHead(204).end()
    return null
  }
  if (name === 'begun') {
    hasBegun = true
    return response.writeHead(204).end()
  }
  if (!(name in scripts)) return response.writeHead(404).end()
  response.writeHead(200, {
    'Content-Type': isScript ? 'text/javascript' : 'text/html',
    'Content-Security-Policy': "default-src 'self'; img-src 'self' data:",
  })
  return response.end(isScript ? scripts[name]
    : `<!doctype html><html lang="en"><title>${name}</title><link rel="icon" href="data:,">` +
      `<body><script src="/${name}.js"></script>`)
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const origin = `http://127.0.0.1:${server.address().port}`

const browser = await openBrowser()
const page = new Page(browser, origin)
after(async () => {
  await browser.close()
  server.closeAllConnections()
  server.close()
}, { timeout: 120000 })
afterEach(() => { browser.messages = [] })

const open = (name) => browser.go(`${origin}/${name}`)

/** Waits until a message about the page is reported. */
const untilReported = () => until(async () => {
  await browser.console()
  return browser.messages.length > 0
}, 'a message about the page')

/** Returns whether an error names the kind of fault, if browsers agree on it, and its location. */
const hasKind = (kind) => ({ message }) => new RegExp(`${kind}.*: ${origin}/`).test(message)

test('every fault of a page is reported', async () => {
  for (const [name, kind] of Object.entries({
    throws: 'exception', rejects: 'exception', complains: 'console', warns: 'console',
    forbidden: 'security', foreign: 'security', absent: 'network', cut: 'network',
    worker: '', talkative: '',
  })) {
    await open(name)
    await untilReported()
    await assert.rejects(page.checkConsole(), hasKind(kind), name)
  }
  for (const [name, module] of [['incomplete', 'planted'], ['interrupted', 'closed']]) {
    await open(name)
    await browser.until(() => document.title === 'failed', { what: 'the failure of the worker' })
    // Chromium reports nothing about the requests of workers.
    if (!browser.setAside) continue
    await assert.rejects(page.checkConsole(), ({ message }) =>
      message.includes(`network: ${origin}/${module}.js failed`))
  }
  // A fault just before the page is left counts, too.
  await open('clicked')
  await browser.run(() => document.body.click())
  await browser.go('about:blank')
  await assert.rejects(page.checkConsole(), hasKind('exception'))
})

test('a test may expect one fault, but other faults are reported', async () => {
  const expected = { kind: 'console', pattern: /planted/ }
  for (const other of [{ ...expected, kind: 'exception' }, { ...expected, pattern: /other/ }]) {
    await open('complains')
    await untilReported()
    await assert.rejects(page.checkConsole(other), hasKind('console'))
  }
  await open('complains')
  await untilReported()
  await page.checkConsole(expected)
})

test('permitted actions of a page are not reported', async () => {
  await open('behaves')
  await browser.until(() => document.title === 'ended', { what: 'a canceled request' })
  await page.checkConsole()
  await browser.go('about:blank')
  await page.checkConsole()
})

test('an endless script is reported, before and after the page is queried', async () => {
  for (const isLater of [false, true]) {
    const own = await openBrowser({ scriptTimeout: 4 })
    const page = new Page(own, origin)
    try {
      [begin, hasBegun] = [null, false]
      await own.go(`${origin}/loops`)
      await until(() => begin, 'the page that asks whether to begin')
      const loop = async () => {
        begin()
        await until(() => hasBegun, 'the endless script')
      }
      if (isLater) {
        own.collect = async () => {
          delete own.collect
          await loop()
          await own.collect()
        }
      } else {
        await loop()
      }
      // Firefox may report the script a moment after it has ended it.
      const check = async () => {
        await page.checkConsole()
        return false
      }
      await assert.rejects(until(check, 'the fault'), /runs for more than|\/loops\.js/)
    } finally {
      await own.close()
    }
  }
})

// What the other tests hear of a page: everything that is wrong with it, and nothing that the
// browser does because the page is left.

import assert from 'node:assert/strict'
import http from 'node:http'
import { after, afterEach, test } from 'node:test'
import { openBrowser } from './browsers.mjs'
import { Page } from './page.mjs'
import { until } from './waiting.mjs'

/** Pages by name: the script of each, which is not allowed to do everything. */
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
    worker.onerror = () => { document.title = 'told' }`,
  needsAbsent: `import '/planted.js'`,
  interrupted: `const worker = new Worker('/needsCut.js', { type: 'module' })
    worker.onerror = () => { document.title = 'told' }`,
  needsCut: `import '/closed.js'`,
  clicked: `addEventListener('click', () => { throw new Error('planted') })`,
  loops: `fetch('/go').then(() => {
    fetch('/begun')
    for (;;) performance.now()
  })`,
  // Hardly ever is it left between two scripts.
  works: `const work = () => {
      const end = performance.now() + 100
      while (performance.now() < end) continue
      setTimeout(work)
    }
    addEventListener('load', work)
    new EventSource('/endless')`,
  ends: `const worker = new Worker('/needsHeld.js', { type: 'module' })
    addEventListener('click', () => {
      worker.terminate()
      document.title = 'ended'
    })`,
  needsHeld: `import '/held.js'`,
  // Once it is clicked, it almost always has a worker that is starting; the one of the click stays. There
  // are not many: on a busy machine Chromium takes longer to end one than the page to start the next, and
  // a page with too many of them no longer answers. Firefox fails requests only while some of them end, so
  // the page does not wait for one to end before it starts the next.
  begins: `const start = () => new Worker('/needsHeld.js', { type: 'module' })
    let count = 0
    const begin = () => {
      const worker = start()
      setTimeout(() => {
        worker.terminate()
        if (++count < 50) begin()
      }, 10)
    }
    addEventListener('click', () => {
      start()
      begin()
    })`,
  // It cannot end what it does last, and then finds it half done.
  lingers: `let isWhole = true
    addEventListener('pagehide', () => {
      isWhole = false
      for (;;) performance.now()
    })
    document.addEventListener('visibilitychange', () => {
      if (!isWhole) throw new Error('planted')
    })`,
}

/** Lets the page that loops begin with it, and whether it has. */
let begin, hasBegun

/** Whether requests for a module get no answer for now, and those that have none. */
let isHolding = false
const held = []

/** Answers them, and what comes later: too many without an answer would keep others waiting. */
function answer() {
  isHolding = false
  for (const response of held.splice(0)) {
    response.writeHead(200, { 'Content-Type': 'text/javascript' }).end('0')
  }
}

const server = http.createServer((request, response) => {
  const [, name, isScript] = /^\/(\w+)(\.js)?$/.exec(request.url) ?? []
  if (name === 'closed') return response.destroy()
  if (name === 'endless') {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' })
    return response.write(': nothing yet\n\n')
  }
  if (name === 'held') {
    held.push(response)
    return isHolding || answer()
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

/** Waits until something is said of the page. */
const untilHeard = () => until(async () => {
  await browser.console()
  return browser.messages.length > 0
}, 'a word about the page')

/** Whether an error names what kind of fault there was, if browsers agree on that, and where. */
const tells = (kind) => ({ message }) => new RegExp(`${kind}.*: ${origin}/`).test(message)

for (const [name, kind] of Object.entries({
  throws: 'exception', rejects: 'exception', complains: 'console', warns: 'console',
  forbidden: 'security', foreign: 'security', absent: 'network', cut: 'network',
  worker: '', talkative: '',
})) {
  test(`it is heard when a page has the fault “${name}”`, async () => {
    await open(name)
    await untilHeard()
    await assert.rejects(page.checkConsole(), tells(kind))
  })
}

for (const [name, module] of Object.entries({ incomplete: 'planted', interrupted: 'closed' })) {
  test(`it is heard when a page has a worker that is “${name}”, or the page is told`, async () => {
    await open(name)
    await browser.until(() => document.title === 'told', { what: 'the failure of the worker' })
    // Chromium says nothing of what workers ask for.
    if (!browser.setAside) return
    await assert.rejects(page.checkConsole(), ({ message }) =>
      message.includes(`network: ${origin}/${module}.js failed`))
  })
}

test('a test may expect a fault, and no other', async () => {
  const expected = { kind: 'console', pattern: /planted/ }
  for (const other of [{ ...expected, kind: 'exception' }, { ...expected, pattern: /other/ }]) {
    await open('complains')
    await untilHeard()
    await assert.rejects(page.checkConsole(other), tells('console'))
  }
  await open('complains')
  await untilHeard()
  await page.checkConsole(expected)
})

test('nothing is heard of a page that does what pages may do', async () => {
  await open('behaves')
  await browser.until(() => document.title === 'ended', { what: 'a request that is given up' })
  await page.checkConsole()
  await browser.go('about:blank')
  await page.checkConsole()
})

test('what a page says before it is left is heard', async () => {
  await open('clicked')
  await browser.run(() => document.body.click())
  await browser.go('about:blank')
  await assert.rejects(page.checkConsole(), tells('exception'))
})

test('nothing is heard of a page that is left while it works', async () => {
  // Firefox says it when it has ended a script, which it does whenever it happens to run.
  const isBrokenOff = () => browser.setAside?.some(({ message }) => message.includes('/works.js'))
  for (let visit = 0; visit < 3 || (browser.setAside && !isBrokenOff()); visit++) {
    assert.ok(visit < 100, 'the browser ends scripts of a page that is left')
    await open('works')
    await browser.go('about:blank')
    await browser.console()
  }
  await page.checkConsole()
})

test('nothing is heard of a worker that is ended before it has its modules', async () => {
  isHolding = true
  await open('ends')
  await until(() => held.length > 0, 'the request for a module')
  const [response] = held
  await browser.run(() => document.body.click())
  await browser.until(() => document.title === 'ended', { what: 'the end of the worker' })
  // Chromium gives the request up, Firefox does not.
  answer()
  await until(() => response.closed, 'the end of the request')
  await page.checkConsole()
  await browser.go('about:blank')
  await page.checkConsole()
})

test('nothing is heard of a page that is left while its workers begin', async () => {
  // Firefox gives up most of what they ask for, and fails what its process no longer takes.
  const isSetAside = () => browser.setAside?.some(({ kind }) => kind === 'network')
  for (let visit = 0; visit < 3 || (browser.setAside && !isSetAside()); visit++) {
    assert.ok(visit < 100, 'the browser fails what workers ask for whose page is left')
    await open('begins')
    isHolding = true
    await browser.run(() => document.body.click())
    await until(() => held.length > 0, 'the request for a module')
    await browser.go('about:blank')
    answer()
    await browser.console()
  }
  await page.checkConsole()
})

test('nothing is heard of a script without an end whose page is left', async () => {
  const own = await openBrowser({ patience: 4 })
  const page = new Page(own, origin)
  try {
    await own.go(`${origin}/lingers`)
    await own.go('about:blank')
    // Chromium ends it without a word.
    if (own.setAside) {
      await until(async () => {
        await own.console()
        return own.setAside.some(({ message }) => message.includes('/lingers.js'))
      }, 'the end of the script')
    }
    await page.checkConsole()
  } finally {
    await own.close()
  }
})

for (const moment of ['before the page is asked', 'when the page has answered']) {
  test(`a script without an end is heard that begins ${moment}`, async () => {
    const own = await openBrowser({ patience: 4 })
    const page = new Page(own, origin)
    try {
      [begin, hasBegun] = [null, false]
      await own.go(`${origin}/loops`)
      await until(() => begin, 'the page that asks whether to begin')
      const loop = async () => {
        begin()
        await until(() => hasBegun, 'the script without an end')
      }
      if (moment.startsWith('before')) {
        await loop()
      } else {
        own.collect = async () => {
          delete own.collect
          await loop()
          await own.collect()
        }
      }
      // Firefox may tell of the script a moment after it has ended it.
      const check = async () => {
        await page.checkConsole()
        return false
      }
      await assert.rejects(until(check, 'the fault'), /runs for more than|\/loops\.js/)
    } finally {
      await own.close()
    }
  })
}

// The life cycle of the program and its pages: several pages, the end of the program and its restart.

import assert from 'node:assert/strict'
import fs from 'node:fs'
import { test } from 'node:test'
import { focusTop } from './axe.mjs'
import { openBrowser } from './browsers.mjs'
import { useStudio } from './fixture.mjs'
import { isRunning, Page } from './page.mjs'
import { decode } from './sound.mjs'
import { until } from './waiting.mjs'

const fixture = await useStudio({ browser: { network: true } })
const state = () => fixture.studio.ask('/api/state')
const phase = (wanted) => until(async () => {
  const now = await state()
  return now.phase === wanted && now
}, `the phase ${wanted}`)

async function start(page, device = 'Struck notes') {
  await page.choose(/^Record from/, device)
  await page.record()
  return (await phase('recording')).recording.name
}

test('the page is usable once the program is started', async () => {
  const { page, browser, studio } = fixture
  const begin = performance.now()
  await page.show('record')
  await page.element('button', /^Start$/)
  await browser.until(() => /connected/i.test(document.body.innerText) &&
    [...document.querySelectorAll('select')].some((list) => list.options.length > 2),
  { what: 'the devices' })
  const milliseconds = performance.now() - begin
  const [paint] = await browser.run(() => performance.getEntriesByName('first-contentful-paint')
    .map(({ startTime }) => startTime))
  console.log(`the program answers after ${studio.startMilliseconds.toFixed(0)} ms; ` +
    `the page can be used ${milliseconds.toFixed(0)} ms later, and is first painted after ` +
    `${paint?.toFixed(0)} ms`)
})

test('nothing leaves the origin, and the rules for scripts are strict', async () => {
  const { page, browser, studio } = fixture
  for (const view of ['record', 'library', 'inspect', 'browser']) await page.show(view)
  await browser.settle()
  const requests = (await browser.requests()).map(({ url }) => url)
    // Exclude the browser's initial page, and URLs that the page itself creates.
    .filter((url) => !/^(chrome|data|blob):/.test(url))
  assert.ok(requests.length > 10, `${requests.length} requests`)
  const origin = new URL(studio.url).origin
  assert.deepEqual(requests.filter((url) => new URL(url).origin !== origin), [])
  const response = await studio.request('/')
  const policy = response.headers.get('content-security-policy')
  for (const rule of ["default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'",
    "frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'"]) {
    assert.ok(policy.includes(rule), policy)
  }
  assert.doesNotMatch(policy, /unsafe-inline|'unsafe-eval'|https?:|\*/)
  assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
  await response.text()
})

test('requests of foreign pages are rejected', async () => {
  const { studio } = fixture
  const { host } = new URL(studio.url)
  for (const headers of [
    { Origin: 'https://example.org' }, { Origin: 'null' }, { 'X-Aacorn': '' },
    { 'Sec-Fetch-Site': 'cross-site' },
  ]) {
    const response = await studio.request('/api/record',
      { fields: { device: 'tone' }, headers })
    assert.ok(response.status === 403 || response.status === 400,
      `${JSON.stringify(headers)}: ${response.status}`)
    assert.match((await response.json()).error, /\.$/)
  }
  assert.ok(host)
  assert.equal((await state()).phase, 'idle')
})

test('two pages show the same state, whichever of them acts', async () => {
  const { page, studio } = fixture
  await page.show('record')
  const other = await openBrowser()
  try {
    const second = new Page(other, studio.url, studio.token)
    await second.show('record')
    const name = await start(page)
    await second.element('button', /^Stop$/)
    await second.says(name.replaceAll('.', '\\.'))
    // Each query takes some time, so the page that is queried later shows a later time.
    await until(async () => {
      const [one, next, again] = [await page.recorded(), await second.recorded(),
        await page.recorded()]
      return one >= 1 && one - 1 <= next && next <= again + 1
    }, 'the same time on both clocks')
    await second.click('button', /^Pause$/)
    await page.element('button', /^Resume$/)
    await second.click('button', /^Stop$/)
    await phase('idle')
    await page.element('button', /^Start$/)
    await page.show('library')
    await page.element('item', name)
    await second.checkConsole()
  } finally {
    await other.close()
  }
})

test('closing a page does not end the recording', async () => {
  const { page, browser, studio } = fixture
  await page.show('record')
  const name = await start(page)
  await browser.go('about:blank')
  const size = () => fs.statSync(studio.file(name)).size
  const before = size()
  await until(() => size() > before + 20000, 'more of the recording')
  assert.equal((await state()).phase, 'recording')
  await page.show('record')
  await page.hasRecorded(1.2)
  await page.click('button', /^Stop$/)
  const { last } = await phase('idle')
  assert.equal(last.name, name)
  assert.ok(decode(studio.file(name)).length > 48000)
})

test('a page that is often left and restored leaks no connections', async () => {
  const { page, browser, studio } = fixture
  for (let visit = 0; visit < 8; visit++) {
    await browser.go('about:blank')
    await page.show('record')
    await page.element('button', /^Start$/)
  }
  // Going back may restore the page from the cache, with everything it had loaded.
  await browser.go('about:blank')
  await browser.back()
  await page.element('button', /^Start$/)
  await studio.ask('/api/record', { fields: {
    device: 'speech', format: 'm4a', mode: 'cbr', bitrate: '128000', sampleRate: '48000',
    channels: '2', effort: 'balanced',
  } })
  await page.element('button', /^Stop$/)
  // A recording stopped before audio arrives is discarded.
  await page.hasRecorded(0.1)
  await studio.ask('/api/stop', { fields: {} })
  await page.element('button', /^Start$/)
})

test('recording works by keyboard alone', async () => {
  const { page, browser, studio } = fixture
  const count = async () => (await studio.ask('/api/recordings')).recordings.length
  const before = await count()
  await browser.go('about:blank')
  await page.show('record')
  await page.choose(/^Record from/, 'Struck notes')
  // Letters typed into a field start and stop nothing.
  await page.click('button', /^More$/)
  const field = await page.element('textbox', '')
  await browser.type(field, 'rrr')
  await browser.until((field) => field.value === 'rrr', { values: [field], what: 'the letters' })
  await browser.fill(field, '')

  await browser.run(() => document.activeElement.blur())
  await browser.press('r')
  await page.element('button', /^Stop$/)
  await phase('recording')
  await page.hasRecorded(0.1)
  await browser.press('p')
  await page.element('button', /^Resume$/)
  await phase('paused')
  await browser.press('p')
  await page.element('button', /^Pause$/)
  await browser.press('r')
  await phase('idle')
  await page.element('button', /^Start$/)
  // Start and stop a recording with only Tab and Enter.
  await focusTop(browser)
  for (let step = 0; ; step++) {
    assert.ok(step < 60, 'Tab reaches the button')
    await browser.press('Tab')
    const name = await browser.run(() =>
      document.activeElement.ariaLabel ?? document.activeElement.innerText)
    if (/^Start$/.test(name.trim())) break
  }
  await browser.press('Enter')
  await page.element('button', /^Stop$/)
  await phase('recording')
  await page.hasRecorded(0.1)
  await browser.until(() => document.activeElement.innerText?.trim() === 'Stop',
    { what: 'the focus, which stays where it was' })
  await browser.press('Enter')
  await phase('idle')
  await page.element('button', /^Start$/)
  assert.equal(await count(), before + 2)
})

test('a terminated program saves its recording, and the page reconnects', async () => {
  const { page, studio, browser } = fixture
  await page.show('record')
  const name = await start(page)
  await page.hasRecorded(2)
  const number = studio.number
  // Requests of the page while the program is stopped.
  fixture.expected = [{ kind: 'network', pattern: /\/api\// }]
  const status = await studio.stop('SIGTERM')
  assert.ok(status === 0 || status === 143, `status ${status}: ${studio.output.slice(-500)}`)
  assert.ok(!isRunning(number))
  const sound = decode(studio.file(name))
  assert.ok(sound.length / 48000 > 1.7, `${sound.length / 48000} s remain`)
  const left = fs.readdirSync(studio.recordings).filter((name) => !name.startsWith('.'))
  assert.ok(!left.some((name) => /temp|part|journal/.test(name)), left.join())

  await page.says(/connection to the studio is lost/)
  await page.picture('record-unreachable')
  await studio.start()
  await browser.until(() => !document.querySelector('#banner').checkVisibility(),
    { what: 'the connection' })
  const again = await start(page)
  assert.notEqual(again, name)
  await page.hasRecorded(0.1)
  await page.click('button', /^Stop$/)
  await phase('idle')
})

test('a recording sent in pieces arrives complete', async () => {
  const { studio } = fixture
  const bytes = fs.readFileSync(studio.file(
    fs.readdirSync(studio.recordings).find((name) => name.endsWith('.m4a'))))
  const { id } = await studio.ask('/api/uploads', { fields: { name: 'sent.m4a' } })
  const send = (from, to) => studio.ask(`/api/uploads/${id}?at=${from}`,
    { method: 'PUT', body: bytes.subarray(from, to) })
  await send(0, 1000)
  await send(1000, bytes.length)
  // The page may replace bytes that it has sent, for example the tables in front of the audio.
  const { bytes: count } = await send(500, 700)
  assert.equal(count, bytes.length)
  const hole = await studio.request(`/api/uploads/${id}?at=${bytes.length + 1}`,
    { method: 'PUT', body: 'x' })
  assert.ok(hole.status >= 400)
  await hole.arrayBuffer()
  const { name } = await studio.ask(`/api/uploads/${id}/finish`, { fields: {} })
  assert.deepEqual(fs.readFileSync(studio.file(name)), bytes)
  const { id: other } = await studio.ask('/api/uploads', { fields: { name: '../../x.m4a' } })
    .catch(() => ({}))
  if (other) await studio.ask(`/api/uploads/${other}`, { method: 'DELETE' })
  assert.ok(!fs.existsSync(`${studio.folder}/x.m4a`))
})

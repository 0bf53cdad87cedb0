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

const fixture = await useStudio()
const { page, browser, studio } = fixture

async function start() {
  await page.choose(/^Record from/, 'Struck notes')
  await page.record()
  return (await studio.phase('recording')).recording.name
}

test('two pages show the same state, and a recording continues without a page', async () => {
  await page.show('record')
  const other = await openBrowser()
  try {
    const second = new Page(other, studio.url, studio.token)
    await second.show('record')
    const name = await start()
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
    await page.click('button', /^Resume$/)
    await second.element('button', /^Pause$/)
    await second.checkConsole()
  } finally {
    await other.close()
  }
  // A page that is often left and restored must not leak connections.
  for (let visit = 0; visit < 8; visit++) {
    await browser.go('about:blank')
    await page.show('record')
    await page.element('button', /^Stop$/)
  }
  await browser.go('about:blank')
  await browser.back()
  await page.click('button', /^Stop$/)
  const { last: { name } } = await studio.phase('idle')
  await page.show('library')
  await page.element('item', name)
})

test('recording works by keyboard alone', async () => {
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
  for (const [key, button, wanted] of [['r', 'Stop', 'recording'], ['p', 'Resume', 'paused'],
    ['p', 'Pause', 'recording'], ['r', 'Start', 'idle']]) {
    await browser.press(key)
    await page.element('button', `^${button}$`)
    await studio.phase(wanted)
    // No key stops a recording within a second of its start.
    if (wanted === 'recording') await page.hasRecorded(1.5)
  }
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
  await studio.phase('recording')
  await browser.until(() => document.activeElement.innerText?.trim() === 'Stop',
    { what: 'the focus, which stays where it was' })
  // The space bar pauses, on the button and elsewhere.
  await browser.press(' ')
  await studio.phase('paused')
  await page.element('button', /^Resume$/)
  await browser.run(() => document.activeElement.blur())
  await browser.press(' ')
  await studio.phase('recording')
  assert.equal(await browser.run(() => scrollY), 0)
  await page.hasRecorded(1.5)
  const stop = await page.element('button', /^Stop$/)
  await browser.run((stop) => stop.focus(), stop)
  await browser.press('Enter')
  await studio.phase('idle')
  await page.element('button', /^Start$/)
  assert.equal(await count(), before + 2)
})

test('a terminated program saves its recording, and the page reconnects', async () => {
  await page.show('record')
  const name = await start()
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
  assert.notEqual(await start(), name)
  await page.hasRecorded(1)
  await page.click('button', /^Stop$/)
  await studio.phase('idle')
})

// Access: a browser logs in with a one-time address or with the token. Also tests what an unauthenticated
// browser sees.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { axe, faults, focusFaults } from './axe.mjs'
import { useStudio } from './fixture.mjs'
import { Page } from './page.mjs'
import { Studio } from './studio-process.mjs'
import { until } from './waiting.mjs'

const fixture = await useStudio()
const { browser, studio } = fixture

const shapes = [
  { width: 1280, height: 900, isDark: false }, { width: 390, height: 844, isDark: true },
  { width: 360, height: 640, isDark: false },
]
/** A rejected request is reported as a failed request. */
const rejectedRequest = { kind: 'network', pattern: /\b401\b/ }

/** Deletes the browser's cookies, so that the studio does not recognize it. */
const forget = () => browser.command('DeleteAllCookies')

/** Waits for a view of the studio's page, as opposed to the login page. */
const isIn = () => browser.until(() =>
  document.querySelector('#connection')?.dataset.state === 'connected' &&
    document.querySelector('main > section:not([hidden]) button'),
{ what: 'the page of the studio' })

/** Waits for the login page with a reason. */
const isOut = (reason) => browser.until((reason) =>
  document.querySelector('#token') && document.querySelector('.reason').innerText.includes(reason),
{ values: [reason], what: `a page that says “${reason}”` })

async function enter(token) {
  await browser.fill('#token', token)
  await browser.press('Enter')
}

/** Returns every fault of the shown page, wide, narrow, light and dark. */
async function everything(page, name) {
  const wrong = []
  for (const shape of shapes) {
    await browser.look(shape)
    await browser.settle()
    await page.picture(name)
    for (const fault of [...await axe(browser), ...await faults(browser)]) {
      wrong.push(`${shape.width}: ${fault}`)
    }
  }
  await browser.look({})
  const { found } = await focusFaults(browser, 2)
  return [...wrong, ...found]
}

test('the printed address logs one browser in, once', async () => {
  const own = await Studio.start({ token: null })
  try {
    assert.match(own.printedURL, /\/\?code=\w{20,}$/)
    await browser.go(own.printedURL)
    await isIn()
    assert.equal(await browser.run(() => location.search), '')
    // A logged-in browser may open the address again, as a restored tab does.
    await browser.go(own.printedURL)
    await isIn()
    await browser.go(own.url)
    await isIn()
    await forget()
    fixture.expected = [rejectedRequest]
    await browser.go(own.printedURL)
    await isOut('has been used')
    await browser.go(own.url)
    await isOut('This browser is not logged in')
  } finally {
    await browser.go('about:blank')
    await own.close()
  }
})

test('an unauthenticated browser gets instructions and logs in with the token', async () => {
  const page = new Page(browser, studio.url, studio.token)
  await forget()
  fixture.expected = [rejectedRequest]
  await browser.go(`${studio.url}#inspect`)
  await isOut('This browser is not logged in.')
  for (const words of ['Log in with an address', 'Log in with a token', 'aacorn studio',
    'prints a new address']) {
    await page.says(words)
  }
  assert.deepEqual(await everything(page, 'login'), [])

  await enter('not the token')
  await page.says('That is not the token')
  assert.deepEqual([...await axe(browser), ...await faults(browser)], [])
  await enter(studio.token)
  await isIn()
  // The requested view is shown.
  await browser.until(() => document.querySelector('#view-inspect').checkVisibility(),
    { what: 'the requested view' })
  await browser.go('about:blank')
  await page.show('record')
  await isIn()
})

test('the token in the address logs in and is removed from the address', async () => {
  await forget()
  fixture.expected = [rejectedRequest]
  const page = new Page(browser, studio.url, 'another')
  await browser.go(new URL('?token=another', studio.url).href)
  await isOut('That is not the token of this studio.')
  await browser.go(new URL(`?token=${studio.token}#library`, studio.url).href)
  await isIn()
  assert.equal(await browser.run(() => location.href), new URL('/#library', studio.url).href)
  await page.show('library')
})

test('programs authenticate with the token only', async () => {
  for (const path of ['/api/state', '/api/recordings', '/api/devices']) {
    const response = await studio.request(path, { headers: { Authorization: 'Bearer another' } })
    assert.equal(response.status, 401)
    assert.equal(response.headers.get('www-authenticate'), 'Bearer')
    assert.match((await response.json()).error, /^This browser is not logged in\..*token\.$/)
    await studio.ask(path)
  }
})

test('an open page reports a changed token and works again after a login', async () => {
  const page = new Page(browser, studio.url, studio.token)
  await page.show('record')
  await isIn()
  fixture.expected = [{ kind: 'network', pattern: /\/api\/|\b401\b/ }]
  await studio.stop()
  await page.says('connection to the studio is lost')
  studio.token = 'another token of this test'
  await studio.start()
  await page.says('restarted with another token')
  for (const shape of [shapes[2], shapes[0]]) {
    await browser.look(shape)
    await browser.settle()
    await page.picture('record-unknown')
    assert.deepEqual([...await axe(browser), ...await faults(browser)], [])
  }

  // The window that the link opens asks for the token.
  const [first] = await browser.command('GetWindowHandles')
  await page.click('link', 'Log in again')
  const second = await until(async () => (await browser.command('GetWindowHandles'))
    .find((handle) => handle !== first), 'another window')
  await browser.command('SwitchToWindow', { handle: second })
  await isOut('restarted with another token')
  await enter(studio.token)
  await isIn()
  await browser.console()
  await browser.command('CloseWindow')
  await browser.command('SwitchToWindow', { handle: first })
  await isIn()
  assert.equal(await page.has('alert', 'token'), false)
})

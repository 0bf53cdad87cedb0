// Access: a browser logs in with a one-time address or with the token. Also tests what an unauthenticated
// browser sees.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { axe, faults, faultsInShapes, focusFaults } from './axe.mjs'
import { useStudio } from './fixture.mjs'
import { Studio } from './studio-process.mjs'
import { until } from './waiting.mjs'

const fixture = await useStudio()
const { browser, page, studio } = fixture

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

/** Checks that the shown page has no fault, wide, narrow, light and dark. */
async function checkPicture(name) {
  assert.deepEqual(await faultsInShapes(page, shapes, name), [])
  await browser.look({})
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
  await forget()
  fixture.expected = [rejectedRequest]
  await browser.go(`${studio.url}#inspect`)
  await isOut('This browser is not logged in.')
  for (const words of ['Log in with an address', 'Log in with a token', 'aacorn studio',
    'prints a new address']) {
    await page.says(words)
  }
  await checkPicture('login')
  assert.deepEqual((await focusFaults(browser, 2)).found, [])

  await enter('not the token')
  await page.says('That is not the token')
  assert.deepEqual([...await axe(browser), ...await faults(browser)], [])
  await enter(studio.token)
  await isIn()
  // The requested view is shown.
  await browser.until(() => document.querySelector('#view-inspect').checkVisibility(),
    { what: 'the requested view' })

  // The token in the address logs in, too, and is removed from the address.
  await forget()
  await browser.go(new URL('?token=another', studio.url).href)
  await isOut('That is not the token of this studio.')
  await browser.go(new URL(`?token=${studio.token}#library`, studio.url).href)
  await isIn()
  assert.equal(await browser.run(() => location.href), new URL('/#library', studio.url).href)
})

test('an open page reports a changed token and works again after a login', async () => {
  await page.show('record')
  await isIn()
  fixture.expected = [{ kind: 'network', pattern: /\/api\/|\b401\b/ }]
  await studio.stop()
  await page.says('connection to the studio is lost')
  studio.token = 'another token of this test'
  await studio.start()
  await page.says('restarted with another token')
  await checkPicture('record-unknown')

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

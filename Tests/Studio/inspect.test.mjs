// Inspect: files are looked into by the page itself, and it says what the native command says.

import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { useStudio } from './fixture.mjs'
import { bursts, writeWAV } from './sound.mjs'
import { runAacorn } from './studio-process.mjs'

const rate = 48000
const fixture = await useStudio({ isWatched: true })
const { folder } = fixture.studio
const source = writeWAV(path.join(folder, 'source.wav'), bursts(30, { rate }), { rate })
runAacorn('encode', '-q', '-b', '96k', source, '-o', path.join(folder, 'fine.aac'))
runAacorn('encode', '-q', '--vbr', '4', '--title', 'Waves', source, '-o',
  path.join(folder, 'fine.m4a'))
fs.writeFileSync(path.join(folder, 'cut.m4a'),
  fs.readFileSync(path.join(folder, 'fine.m4a')).subarray(0, -5000))
const damaged = fs.readFileSync(path.join(folder, 'fine.aac'))
const middle = Math.floor(damaged.length / 2)
for (let i = 0; i < 500; i++) damaged[middle + i] = i * 37 & 255
fs.writeFileSync(path.join(folder, 'damaged.aac'), damaged)

/** What the native command says of a file. */
function nativeReport(name) {
  try {
    return JSON.parse(runAacorn('inspect', '--json', path.join(folder, name)))
  } catch (error) {
    // Its status tells of faults.
    return JSON.parse(error.stdout)
  }
}

/** Puts files into the page as if they were chosen; a view that has some begins anew. */
async function open(...names) {
  const { page, browser } = fixture
  await browser.go('about:blank')
  await page.show('inspect')
  for (const name of names) {
    // Chosen one after the other, in the way that the page offers for a second one.
    const input = await page.element('file', '')
    await browser.type(input, path.join(folder, name))
    await page.says(name.replaceAll('.', '\\.'))
  }
}

const number = (value) => String(value).replace(/\B(?=(\d{3})+$)/g, '[\\s,.’\u202f]?')

/** A place in a file as it may be written. */
const offsetPattern = (offset) => `0x0*${offset.toString(16)}\\b|\\b${number(offset)}\\b`

/** Rows in the tables of frames: how many they tell of, and how many are there for the screen. */
function tables() {
  return fixture.browser.run(() => [...document.querySelectorAll('[role=grid]')]
    .filter((grid) => grid.checkVisibility())
    .map((grid) => ({
      told: Number(grid.ariaRowCount) - 1, shown: grid.querySelectorAll('[role=row]').length,
      text: grid.innerText,
    })))
}

async function tableWith(count) {
  await fixture.browser.until((count) => [...document.querySelectorAll('[role=grid]')]
    .some((grid) => Number(grid.ariaRowCount) - 1 === count),
  { values: [count], what: `a table of ${count} frames` })
}

test('a sound file is told in full, with every frame in its table', async () => {
  const { page, browser } = fixture
  const native = nativeReport('fine.m4a')
  await open('fine.m4a')
  await tableWith(native.frames)
  const [{ shown }] = await tables()
  assert.ok(shown < 200, `${shown} rows are in the document at once`)
  for (const pattern of ['Waves', '48\\skHz', 'stereo', number(native.frames),
    number(native.priming), number(native.remainder), number(native.largestFrame), 'No faults']) {
    await page.says(pattern)
  }
  const grid = await page.element('[role=grid]', '')
  await browser.run((grid) => grid.focus(), grid)
  await browser.press('Control+End')
  await browser.until((grid, pattern) => new RegExp(pattern).test(grid.innerText),
    { values: [grid, `\\b${number(native.frames - 1)}\\b`], what: 'the last frame' })
  await page.picture('inspect')
})

test('damage is shown with its offset in the file, as by the native command', async () => {
  const { page } = fixture
  const native = nativeReport('damaged.aac')
  assert.ok(native.faults.length > 0 && native.errors > 0)
  await open('damaged.aac')
  await tableWith(native.frames)
  for (const { offset, message } of native.faults) {
    await page.says(offsetPattern(offset))
    await page.says(message.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  }
  await page.says(`${native.errors} errors?`)
  await page.picture('inspect-damaged')
})

test('a file without its end is told as what it is', async () => {
  const { page } = fixture
  const native = nativeReport('cut.m4a')
  await open('cut.m4a')
  const fault = native.faults.find(({ severity }) => severity === 'error')
  assert.ok(fault)
  await page.says(fault.message.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
})

test('no frame is chosen until somebody goes to one', async () => {
  const { page, browser } = fixture
  await open('fine.m4a')
  await tableWith(nativeReport('fine.m4a').frames)
  const chosen = () => browser.run(() => [...document.querySelectorAll('[aria-selected=true]')]
    .map((row) => row.getAttribute('aria-rowindex')))
  assert.deepEqual(await chosen(), [])
  const button = await page.element('button', /^Go$/)
  await browser.run((button) => button.focus(), button)
  await browser.press('Tab')
  assert.deepEqual(await chosen(), ['2'])
  await browser.press('ArrowDown')
  assert.deepEqual(await chosen(), ['3'])
})

test('two files stand side by side', async () => {
  const { page } = fixture
  await open('fine.m4a', 'damaged.aac')
  await tableWith(nativeReport('damaged.aac').frames)
  await page.says('fine\\.m4a')
  await page.says('damaged\\.aac')
  for (const name of ['fine.m4a', 'damaged.aac']) {
    await page.says(number(nativeReport(name).largestFrame))
  }
  await page.picture('inspect-two')
})

test('what is no sound is refused in a sentence', async () => {
  const { page, browser } = fixture
  fs.writeFileSync(path.join(folder, 'letter.txt'), 'Dear reader, this is not sound. '.repeat(99))
  await open('letter.txt')
  await browser.until(() => /letter\.txt[^]*(no|not|cannot)[^]*\./.test(
    document.querySelector('main').innerText), { what: 'a sentence' })
})

test('nothing of a file leaves the page', () => {
  const { requests } = fixture.witness
  // Also what its workers ask for: the module is one such thing.
  assert.ok(requests.some(({ url }) => url.endsWith('aacorn-inspector.wasm')), 'the worker is seen')
  assert.deepEqual(requests.filter(({ method }) => method !== 'GET'), [])
})

// Accessibility of every view: the rules, both themes, a wide screen and a phone.

import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { axe, faults, faultsInShapes, focusFaults } from './axe.mjs'
import { useStudio } from './fixture.mjs'
import { literally } from './page.mjs'
import { bursts, writeWAV } from './sound.mjs'
import { runAacorn } from './studio-process.mjs'

const shapes = [
  { width: 1280, height: 900, isDark: false }, { width: 1280, height: 900, isDark: true },
  { width: 390, height: 844, isDark: false }, { width: 390, height: 844, isDark: true },
]
// The tests in Chromium cover every shape; for Firefox, two are enough.
const testedShapes = process.env.BROWSER === 'firefox' ? [shapes[0], shapes[3]] : shapes
const views = ['record', 'library', 'inspect', 'browser']

const own = fs.mkdtempSync(path.join(os.tmpdir(), 'aacorn-views-'))
const source = writeWAV(path.join(own, 'Rain on the roof.wav'), bursts(20, { rate: 44100 }),
  { rate: 44100 })
after(() => fs.rmSync(own, { recursive: true }))

const fixture = await useStudio({
  prepare(folder) {
    fs.copyFileSync(source, path.join(folder, 'Rain on the roof.wav'))
    for (const name of ['Interview', `A rather ${'very '.repeat(25)}long name`,
      `Without_a_space_${'x'.repeat(80)}`]) {
      runAacorn('encode', '-q', source, '-o', path.join(folder, `${name}.m4a`))
    }
    const damaged = path.join(folder, 'Damaged.aac')
    runAacorn('encode', '-q', source, '-o', damaged)
    const bytes = fs.readFileSync(damaged)
    bytes.fill(0x55, 100000, 100600)
    fs.writeFileSync(damaged, bytes)
  },
})

const { page, browser, studio } = fixture

/** Checks that the shown page has no fault. */
async function checkPicture(name, least) {
  const wrong = await faultsInShapes(page, testedShapes, `view-${name}`)
  await browser.look({ width: 360, height: 640 })
  await browser.settle()
  for (const fault of await faults(browser)) wrong.push(`360: ${fault}`)
  await browser.look(shapes[0])
  await browser.settle()
  const { found, count } = await focusFaults(browser, least)
  wrong.push(...found.map((fault) => `keyboard: ${fault}`))
  console.log(`${name}: Tab reaches ${count} elements`)
  assert.deepEqual(wrong, [])
}

await page.show('library')
// The report takes a moment.
await page.element('button', 'Repair')

test('the rules find planted faults', async () => {
  await page.show('record')
  await browser.run(() => {
    const make = (name, properties, style = {}) => {
      const element = Object.assign(document.createElement(name), properties)
      for (const [key, value] of Object.entries(style)) {
        element.style.setProperty(key, value, 'important')
      }
      return element
    }
    const plant = make('div', { id: 'planted' })
    plant.append(make('img', { src: 'icon.svg' }),
      make('p', { textContent: 'Gray on gray' }, { color: '#888', background: '#999' }),
      make('button', { id: 'planted', tabIndex: 3 }, { width: '8px', height: '8px',
        'min-width': '8px', 'min-height': '8px', padding: '8px', border: 'none' }),
      make('div', { textContent: 'Wide' }, { width: '3000px' }))
    document.querySelector('main section:not([hidden])').append(plant)
  })
  const found = [...await axe(browser), ...await faults(browser)].join('\n')
  await browser.run(() => document.querySelector('#planted').remove())
  for (const pattern of [/image-alt/, /color-contrast/, /button-name/, /planted occurs twice/,
    /positive tabindex/, /in size/, /3\d\d\d wide/]) {
    assert.match(found, pattern)
  }
})

test('no view has a fault, at rest and during recording', async () => {
  for (const view of views) {
    await page.show(view)
    await checkPicture(view)
  }
  await page.show('record')
  await studio.ask('/api/record', { fields: {
    device: 'speech', format: 'm4a', mode: 'cbr', bitrate: '128000', sampleRate: '48000',
    channels: '2', effort: 'balanced',
  } })
  await page.element('button', /^Stop$/)
  await page.hasRecorded(3)
  try {
    await checkPicture('record-recording')
    await page.show('library')
    await checkPicture('library-recording')
  } finally {
    await studio.ask('/api/stop', { fields: {} })
  }
})

test('reports, messages, deleted files, a dialog and converted files have no fault', async () => {
  await page.show('inspect')
  await browser.type(await page.element('file', ''), studio.file('Damaged.aac'))
  await browser.until(() => document.querySelector('[role=grid]')?.ariaRowCount > 100,
    { what: 'the table' })
  await browser.until(() => document.querySelector('.wave-stage[data-ready]'),
    { what: 'the sound' })
  await checkPicture('inspect-damaged')

  await page.show('library')
  const name = await browser.until(() => [...document.querySelectorAll('button')]
    .find((button) => button.checkVisibility() && !button.disabled &&
      /^Delete /.test(button.ariaLabel))?.ariaLabel, { what: 'a recording that can be deleted' })
  await page.holdMessage('was deleted',
    () => page.click('button', `^${literally(name)}$`))
  // A click would close the message.
  await browser.run((button) => button.click(), await page.element('button', /^Deleted \(/))
  await browser.look(shapes[2])
  const room = await browser.run(() => {
    scrollTo(0, document.documentElement.scrollHeight)
    const bottoms = [...document.querySelectorAll('main > :not([hidden]) *')]
      .map((element) => element.getBoundingClientRect().bottom)
    return document.querySelector('.toast').getBoundingClientRect().top - Math.max(...bottoms)
  })
  assert.ok(room >= 0, `the message hides ${-room} pixels of the end`)
  assert.deepEqual([...await axe(browser), ...await faults(browser)], [])
  await checkPicture('library-deleted')

  await page.show('inspect')
  await page.click('button', 'From the library')
  await browser.until(() => document.querySelector('dialog[open]'), { what: 'the dialog' })
  await checkPicture('inspect-dialog', 2)
  await browser.press('Escape')

  await page.show('browser')
  await browser.type(await page.element('file', ''), source)
  await page.element('button', /^Download .*\.m4a$/)
  await checkPicture('browser-converted')
})

test('texts are large enough and lines of text do not leave their boxes', async () => {
  const wrong = []
  for (const view of views) {
    await page.show(view)
    for (const shape of [shapes[0], shapes[2]]) {
      await browser.look(shape)
      await browser.settle()
      wrong.push(...(await browser.run(() => {
        const found = []
        const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
        while (walker.nextNode()) {
          const element = walker.currentNode.parentElement
          if (!walker.currentNode.data.trim() || !element.checkVisibility()) continue
          if (element.closest('.visually-hidden, script, option')) continue
          const style = getComputedStyle(element)
          const text = walker.currentNode.data.trim().slice(0, 30)
          if (parseFloat(style.fontSize) < 11) found.push(`“${text}” has ${style.fontSize}`)
          const cuts = style.overflowX === 'hidden' && style.textOverflow !== 'ellipsis'
          if (cuts && element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 1) {
            found.push(`“${text}” is cut off`)
          }
        }
        return found
      })).map((fault) => `${view}, ${shape.width}: ${fault}`))
    }
  }
  assert.deepEqual([...new Set(wrong)], [])
})

test('the theme follows the system or the choice, also in drawings', async () => {
  const shows = (theme) => browser.until((theme) => {
    const canvas = document.querySelector('#view-record .plot canvas')
    if (!canvas?.width) return false
    const copy = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })
    copy.drawImage(canvas, -3, -3)
    const [drawn] = copy.getImageData(0, 0, 1, 1).data
    const [shown] = getComputedStyle(document.body).backgroundColor.match(/\d+/g)
    return [drawn, Number(shown)].every((red) => (theme === 'dark' ? red < 64 : red > 192))
  }, { what: `the ${theme} theme`, values: [theme] })
  await page.show('record')
  for (const shape of [shapes[1], shapes[0]]) {
    await browser.look(shape)
    await shows(shape.isDark ? 'dark' : 'light')
  }
  for (const theme of ['light', 'dark']) {
    await page.click('button', /^Theme: /)
    await shows(theme)
  }
  await browser.go('about:blank')
  await page.show('record')
  await shows('dark')
  await page.click('button', /^Theme: dark/)
  await shows('light')
})

test('reduced motion is respected', async () => {
  await browser.look({ isCalm: true })
  await page.show('library')
  await page.show('record')
  await browser.settle()
  const moving = await browser.run(() => document.getAnimations()
    .filter((animation) => animation.playState === 'running' &&
      animation.effect.getComputedTiming().duration > 20)
    .map((animation) => animation.animationName ?? animation.transitionProperty))
  assert.deepEqual(moving, [])
})

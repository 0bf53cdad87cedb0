// The page of Examples/browser, with the package in place of its link: it converts a file and records.

import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import { openBrowser } from '../Studio/browsers.mjs'
import { serveFolder } from './folder-server.mjs'
import { bursts, decode, writeWAV } from '../Studio/sound.mjs'
import { install, root, temporaryFolder } from './installed.mjs'

const rate = 48000
const folder = temporaryFolder()
for (const name of fs.readdirSync(path.join(root, 'Examples/browser'))) {
  if (name === 'aacorn') continue
  fs.copyFileSync(path.join(root, 'Examples/browser', name), path.join(folder, name))
}
fs.cpSync(path.join(install(), 'node_modules/aacorn'), path.join(folder, 'aacorn'), { recursive: true })
const origin = await serveFolder(folder, () => null)
const browser = await openBrowser({ microphone: bursts(5, { rate }) })
after(() => browser.close(), { timeout: 120000 })

/** Waits for a file of the page, and returns its decoded samples. */
async function decoded(name) {
  await browser.until((name) => {
    const error = document.querySelector('#error').textContent
    if (error) throw new Error(error)
    return [...document.querySelectorAll('#done a')].some((link) => link.download === name)
  }, { what: name, values: [name] })
  await browser.run((name) => document.querySelector(`#done a[download="${name}"]`).click(), name)
  return decode(await browser.downloaded(new RegExp(`^${name}$`)), rate)
}

test('the example converts a file and records the microphone', async () => {
  await browser.go(`${origin}/index.html`)
  const source = writeWAV(path.join(folder, 'talk.wav'), bursts(3, { rate }), { rate })
  await browser.type('#file', source)
  // ffmpeg may decode the last frame completely.
  const { length } = await decoded('talk.m4a')
  assert.ok(length >= 3 * rate && length < 3 * rate + 1024, `${length} samples`)

  await browser.click('#record')
  await browser.until(() => parseFloat(document.querySelector('#time').value) > 1.5, { what: 'a second and a half' })
  await browser.click('#record')
  const samples = await decoded('recording.m4a')
  assert.ok(samples.length > rate && samples.length < 20 * rate, `${samples.length} samples`)
  assert.ok(samples.some((sample) => Math.abs(sample) > 0.01), 'The recording is silent.')
})

// Convert: files with AAC are decoded by our own decoder, whatever formats the browser supports.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { axe, faults } from './axe.mjs'
import { choose, convert } from './convert.mjs'
import { useStudio } from './fixture.mjs'
import { latm } from './latm.mjs'
import { bursts, decode, firstChannel, locate, writeWAV } from './sound.mjs'
import { runAacorn } from './studio-process.mjs'

const rate = 44100
const samples = bursts(9, { rate })
const fixture = await useStudio()
const { folder } = fixture.studio
const pathOf = (name) => path.join(folder, name)
const source = writeWAV(pathOf('source.wav'), samples, { rate })
runAacorn('encode', '-q', '-b', '96k', source, '-o', pathOf('fine.aac'))
runAacorn('encode', '-q', '-b', '96k', source, '-o', pathOf('fine.m4a'))

function ffmpeg(input, name, ...options) {
  execFileSync('ffmpeg', ['-nostdin', '-v', 'error', '-i', pathOf(input), ...options, pathOf(name)])
}

/** Returns a copy of a file with modified bytes. */
function changed(input, name, change) {
  const bytes = fs.readFileSync(pathOf(input))
  change(bytes)
  fs.writeFileSync(pathOf(name), bytes)
}

await fixture.page.show('browser')

/** Returns the text below the name of the most recently chosen file. */
const row = () => fixture.browser.run(() => [...document.querySelectorAll('.files > li')].at(-1)
  .innerText)

const secondLoss = /The source is already compressed\. Encoding it again reduces the quality/

/** Returns the number of samples per channel in a file. */
const length = (file) => JSON.parse(runAacorn('inspect', '--json', file)).samples

/** Checks that the audio matches the original source. */
function checkLikeness(file) {
  const sound = decode(file, rate)
  const whole = firstChannel(samples)
  for (const second of [1, 4, 7]) {
    const { correlation } = locate(sound.subarray(second * rate, (second + 1) * rate), whole)
    assert.ok(correlation > 0.9, `second ${second}: ${correlation}`)
  }
}

ffmpeg('source.wav', 'main.aac', '-c:a', 'aac', '-profile:a', 'aac_main', '-b:a', '128k')
fs.writeFileSync(pathOf('radio.latm'), latm(fs.readFileSync(pathOf('fine.aac')), 5))
ffmpeg('fine.aac', 'television.ts', '-c', 'copy')

for (const [kind, name] of [
  ['AAC Main', 'main.aac'], ['LATM', 'radio.latm'], ['a transport stream', 'television.ts'],
  ['a movie file', 'fine.m4a'],
]) {
  test(`${kind} is decoded in the page as by the native command`, async () => {
    const made = await convert(fixture, pathOf(name))
    const native = pathOf('native.m4a')
    runAacorn('encode', '-q', '-f', '-b', '128k', pathOf(name), '-o', native)
    assert.equal(length(made), length(native))
    if (name === 'fine.m4a') assert.equal(length(made), 9 * rate)
    assert.match(await row(), secondLoss)
    assert.doesNotMatch(await row(), /concealed/)
    checkLikeness(made)
  })
}

test('damage is concealed and reported, and the length stays the same', async () => {
  const { page, browser } = fixture
  changed('fine.m4a', 'damaged.m4a', (bytes) => {
    const middle = bytes.length >> 1
    for (let index = 0; index < 600; index++) bytes[middle + index] = index * 37 & 255
  })
  const made = await convert(fixture, pathOf('damaged.m4a'))
  assert.equal(length(made), 9 * rate)
  const pattern = /(\d) frames were damaged or missing and concealed, the first at 0:04\.\d\./
  const [, count] = pattern.exec(await row()) ?? assert.fail(await row())
  assert.ok(count >= 2 && count <= 4, `${count} frames`)
  await page.picture('browser-damaged')
  assert.deepEqual([...await axe(browser), ...await faults(browser)], [])
})

test('audio other than AAC in a movie file is decoded by the browser', async () => {
  ffmpeg('source.wav', 'lossless.mp4', '-c:a', 'flac', '-strict', '-2')
  checkLikeness(await convert(fixture, pathOf('lossless.mp4')))
  assert.doesNotMatch(await row(), secondLoss)
})

test('an unsupported AAC type is named', async () => {
  const { page } = fixture
  // Object type 3 is scalable sampling rate. A LATM stream, because browsers decode AAC in MP4 files whatever
  // its declared type.
  fs.writeFileSync(pathOf('scalable.latm'), latm(fs.readFileSync(pathOf('fine.aac')), 5, 3))
  await choose(fixture, pathOf('scalable.latm'))
  await page.says('“scalable\\.latm” cannot be converted.*AAC of the type SSR.*not decoded')
})

test('a lossless source causes no message about losses', async () => {
  await convert(fixture, source)
  assert.doesNotMatch(await row(), secondLoss)
})

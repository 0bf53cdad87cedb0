// This browser: files with AAC are read by our own decoder, whatever the browser plays.

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
const place = (name) => path.join(folder, name)
const source = writeWAV(place('source.wav'), samples, { rate })
runAacorn('encode', '-q', '-b', '96k', source, '-o', place('fine.aac'))
runAacorn('encode', '-q', '-b', '96k', source, '-o', place('fine.m4a'))

function ffmpeg(input, name, ...options) {
  execFileSync('ffmpeg', ['-nostdin', '-v', 'error', '-i', place(input), ...options, place(name)])
}

/** A copy of a file in which bytes are others. */
function changed(input, name, change) {
  const bytes = fs.readFileSync(place(input))
  change(bytes)
  fs.writeFileSync(place(name), bytes)
}

await fixture.page.show('browser')

/** The words below the name of the file that was chosen last. */
const row = () => fixture.browser.run(() => [...document.querySelectorAll('.files > li')].at(-1)
  .innerText)

const secondLoss = /The source is already compressed\. Encoding it again reduces the quality/

/** The samples of a channel in a file. */
const length = (file) => JSON.parse(runAacorn('inspect', '--json', file)).samples

/** Checks that a sound is what was encoded first. */
function checkLikeness(file) {
  const sound = decode(file, rate)
  const whole = firstChannel(samples)
  for (const second of [1, 4, 7]) {
    const { correlation } = locate(sound.subarray(second * rate, (second + 1) * rate), whole)
    assert.ok(correlation > 0.9, `second ${second}: ${correlation}`)
  }
}

ffmpeg('source.wav', 'main.aac', '-c:a', 'aac', '-profile:a', 'aac_main', '-b:a', '128k')
fs.writeFileSync(place('radio.latm'), latm(fs.readFileSync(place('fine.aac')), 5))
ffmpeg('fine.aac', 'television.ts', '-c', 'copy')

for (const [kind, name] of [
  ['AAC Main', 'main.aac'], ['LATM', 'radio.latm'], ['a transport stream', 'television.ts'],
  ['a movie file', 'fine.m4a'],
]) {
  test(`${kind} is decoded in the page as by the native command`, async () => {
    const made = await convert(fixture, place(name))
    const native = place('native.m4a')
    runAacorn('encode', '-q', '-f', '-b', '128k', place(name), '-o', native)
    assert.equal(length(made), length(native))
    if (name === 'fine.m4a') assert.equal(length(made), 9 * rate)
    assert.match(await row(), secondLoss)
    assert.doesNotMatch(await row(), /concealed/)
    checkLikeness(made)
  })
}

test('what is damaged is concealed, told, and no shorter', async () => {
  const { page, browser } = fixture
  changed('fine.m4a', 'damaged.m4a', (bytes) => {
    const middle = bytes.length >> 1
    for (let index = 0; index < 600; index++) bytes[middle + index] = index * 37 & 255
  })
  const made = await convert(fixture, place('damaged.m4a'))
  assert.equal(length(made), 9 * rate)
  const sentence = /(\d) frames were damaged or missing and concealed, the first at 0:04\.\d\./
  const [, count] = sentence.exec(await row()) ?? assert.fail(await row())
  assert.ok(count >= 2 && count <= 4, `${count} frames`)
  await page.picture('browser-damaged')
  assert.deepEqual([...await axe(browser), ...await faults(browser)], [])
})

test('sound in a movie file that is not AAC is decoded by the browser', async () => {
  ffmpeg('source.wav', 'lossless.mp4', '-c:a', 'flac', '-strict', '-2')
  checkLikeness(await convert(fixture, place('lossless.mp4')))
  assert.doesNotMatch(await row(), secondLoss)
})

test('a type of AAC that nothing here decodes is named', async () => {
  const { page } = fixture
  // Scalable sampling rate; browsers decode what is in movie files, whatever that says it is.
  fs.writeFileSync(place('scalable.latm'), latm(fs.readFileSync(place('fine.aac')), 5, 3))
  await choose(fixture, place('scalable.latm'))
  await page.says('“scalable\\.latm” cannot be converted.*AAC of the type SSR.*not decoded')
})

test('where nothing was lost before, nothing is said of it', async () => {
  await convert(fixture, source)
  assert.doesNotMatch(await row(), secondLoss)
})

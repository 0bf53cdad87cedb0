// Convert: the browser's microphone, and files that the browser decodes, encoded in the page.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { choose, convert, emptyDownloads } from './convert.mjs'
import { useStudio } from './fixture.mjs'
import { checkNothingIsLost, tap } from './microphone-tap.mjs'
import { bursts, decode, firstChannel, floatsOf, locate, repeated, writeWAV } from './sound.mjs'
import { aacorn, runAacorn } from './studio-process.mjs'
import { until } from './waiting.mjs'

const rate = 48000
const samples = bursts(10)
const reference = repeated(firstChannel(samples), 2)
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'aacorn-files-'))
const microphone = writeWAV(path.join(folder, 'microphone.wav'), samples)
const fixture = await useStudio({ browser: { microphone } })

await fixture.page.show('browser')
await tap(fixture)
after(() => fs.rmSync(folder, { recursive: true }))

/** Records with the page's button for some seconds; returns the maximum possible duration. */
async function record(seconds) {
  const { page } = fixture
  const before = performance.now()
  await page.record()
  await page.hasRecorded(seconds)
  await page.picture('browser-busy')
  await page.click('button', /^Stop$/)
  // The recording appears when it is complete.
  await page.element('button', /^Start$/)
  return (performance.now() - before) / 1000
}

/** Downloads the samples of the newest recording, which the page stores with it. */
async function downloadSamples() {
  const { page, browser } = fixture
  await page.click('button', /^Download the samples/)
  return browser.downloaded(/\.wav$/)
}

/**
 * Checks that the samples of the recording `name` are all samples that the microphone delivered. Where the
 * browser delivered none, silence is allowed, as long as the page reports.
 */
async function checkRecording(name, wav, seconds) {
  const sound = floatsOf(wav, rate)
  const { filled, mayBeFilled } = await checkNothingIsLost(fixture, sound)
  const reported = await fixture.browser.run((name) => {
    const row = [...document.querySelectorAll('li.file')]
      .find((row) => row.querySelector('.file-name').textContent === name)
    return /([\d.]+) s of silence inserted/.exec(row.textContent)?.[1] ?? null
  }, name)
  const [least, most] = [filled, filled + mayBeFilled].map((frames) => (frames / rate).toFixed(2))
  const isReported = reported === null ? filled === 0
    : Number(least) <= Number(reported) && Number(reported) <= Number(most)
  assert.ok(isReported, `${filled} frames of silence, and perhaps ${mayBeFilled} more; ${reported} s reported`)
  // Very late blocks may have silence before them, too.
  const length = sound.samples.length / sound.channels / rate
  assert.ok(length < seconds + 1, `${length} s, ${filled} frames of them silence, in ${seconds} s`)
  checkIsRecorded(decode(wav, rate))
}

/** Returns the correlation of each piece of `sound` with the original at the best match. */
function likenesses(sound, length) {
  return Array.from({ length: Math.floor(sound.length / length) }, (_, piece) =>
    locate(sound.subarray(piece * length, (piece + 1) * length), reference).correlation)
}

/**
 * Checks that at least a second of the microphone's signal was recorded. Browsers adapt the microphone's
 * clock to the output clock, with seams of some milliseconds, more of them on a busy machine. The short
 * pieces between the seams still match the original. `checkNothingIsLost` checks that the page loses nothing
 * that the browser delivers.
 */
function checkIsRecorded(sound) {
  const all = likenesses(sound, rate / 20)
  const { length: like } = all.filter((likeness) => likeness > 0.9)
  console.log(`${like} of ${all.length} pieces match the played signal`)
  assert.ok(like >= 20, `pieces: ${all.join(', ')}`)
}

/** Checks that every second of a converted file matches the original. */
function checkLikeness(sound) {
  const all = likenesses(sound, rate)
  assert.ok(all.length >= 2 && all.every((likeness) => likeness > 0.9), `pieces: ${all.join(', ')}`)
}

test('a recording contains the signal of the microphone', async () => {
  const { page, browser, studio } = fixture
  emptyDownloads(fixture)
  await page.picture('browser')
  await page.click('button', /^More$/)
  await page.click('checkbox', /samples/)
  const seconds = await record(4)
  await page.click('button', /^Download (?!the samples).*\.m4a$/)
  const file = await browser.downloaded(/\.m4a$/)
  const sound = decode(file, rate)
  assert.ok(sound.length / rate > 3.5, `${sound.length / rate} s`)
  await page.picture('browser-done')

  // The native command encodes the same samples to the same bytes.
  const wav = await downloadSamples()
  await checkRecording(path.basename(file), wav, seconds)
  checkBytes(file, wav, { isLive: true })

  await page.click('button', /^Send .* to the library/)
  await page.says('In the library as')
  const { recordings: [{ name }] } = await studio.ask('/api/recordings')
  assert.deepEqual(fs.readFileSync(studio.file(name)), fs.readFileSync(file))
})

test('a recording uploaded while it grows arrives complete', async () => {
  const { page, browser, studio } = fixture
  emptyDownloads(fixture)
  await page.click('checkbox', /^Send to the library while recording/)
  const inLibrary = async () => (await studio.ask('/api/recordings')).recordings
    .filter(({ status }) => status !== 'uploading')
  const { length: before } = await inLibrary()
  const seconds = await record(3)
  // The page may still show this for the previous recording.
  const [{ name }] = await until(async () => {
    const recordings = await inLibrary()
    return recordings.length > before && recordings
  }, 'the recording in the library')
  await page.says(`In the library as “${name}”`)
  await page.click('button', `^Download ${name}$`)
  const file = await browser.downloaded(/\.m4a$/)
  assert.deepEqual(fs.readFileSync(studio.file(name)), fs.readFileSync(file))
  const wav = await downloadSamples()
  await checkRecording(path.basename(file), wav, seconds)
  checkBytes(file, wav, { isLive: true })
  await page.click('checkbox', /^Send to the library while recording/)
})

/** Compares a file made by the page with the native command's result for the same audio. */
function checkBytes(made, source, { isLive = false, coding = ['-b', '128k'] } = {}) {
  // Names and dates depend on the page, so the command gets the tags of the page's file. All bytes must be
  // equal.
  const { tags } = JSON.parse(runAacorn('inspect', '--json', made))
  const options = ['title', 'artist', 'album', 'date', 'comment']
    .flatMap((name) => (tags[name] ? [`--${name}`, tags[name]] : []))
  const native = `${made}.native${path.extname(made)}`
  const command = ['encode', '-q', '-f', ...coding, ...options, '-o', native]
  if (isLive) {
    // Audio of unknown length, as from a pipe.
    const { channels, samples } = floatsOf(source, rate)
    execFileSync(aacorn, [...command, '--raw-format', 'f32le', '--raw-rate', String(rate),
      '--raw-channels', String(channels), '-'], { input: new Uint8Array(samples.buffer) })
  } else {
    runAacorn(...command, source)
  }
  const [one, other] = [made, native].map((file) => fs.readFileSync(file))
  fs.rmSync(native)
  const offset = one.findIndex((byte, index) => byte !== other[index])
  assert.ok(one.equals(other), `${path.basename(made)}, ${one.length} bytes, differs from the ` +
    `command's, ${other.length} bytes, from byte ${offset} on`)
}

test('a WAV file converts to the same bytes as with the native command', async () => {
  const { page } = fixture
  for (const [name, options, seconds] of [
    ['stereo', { rate: 44100 }, 20], ['mono', { rate: 48000, channels: 1 }, 7],
  ]) {
    const source = writeWAV(path.join(folder, `${name}.wav`), bursts(seconds, options), options)
    checkBytes(await convert(fixture, source), source)
  }
  await page.says('\\d× real time')
  await page.picture('browser-converted')
  await page.click('radio', /^AAC/)
  const source = path.join(folder, 'stereo.wav')
  checkBytes(await convert(fixture, source, 'aac'), source)
  await page.click('radio', /^M4A/)
})

test('another profile converts to the same bytes as with the command', async () => {
  const { page } = fixture
  // Every result has a separate name.
  const file = (name, channels) => writeWAV(path.join(folder, `${name}-${channels}.wav`),
    bursts(7, { rate, channels }), { rate, channels })
  await page.choose(/^Bitrate$/, /^32 kb/)
  for (const [name, profile, channels] of [
    ['HE-AAC v2', 'he2', 2], ['HE-AAC', 'he', 2], ['Automatic', 'auto', 2],
    ['Automatic', 'auto', 1],
  ]) {
    await page.choose(/^Profile$/, `^${name}$`)
    const source = file(profile, channels)
    const coding = ['-b', '32k', '--profile', profile]
    checkBytes(await convert(fixture, source), source, { coding })
  }
  await page.choose(/^Profile$/, /^HE-AAC v2$/)
  await choose(fixture, file('he2', 1))
  await page.says('HE-AAC v2 is for 2 channels')
  await page.choose(/^Profile$/, /^AAC-LC$/)
  await page.choose(/^Bitrate$/, /^128 kb/)
})

test('a preset sets the encoding and the processing of the microphone', async () => {
  const { page, browser } = fixture
  const chosen = async (name) => browser.run(
    (list) => list.selectedOptions[0].text, await page.element('combobox', `^${name}$`))
  const values = async () => {
    const values = []
    for (const name of ['Profile', 'Bitrate', 'Sampling rate']) values.push(await chosen(name))
    const mono = await page.element('radio', /^Mono$/)
    return [...values, await browser.run(({ checked }) => checked, mono)]
  }
  await page.choose(/^Preset$/, /^Speech$/)
  assert.deepEqual(await values(), ['AAC-LC', '32 kb/s', '24 kHz', true])
  await page.choose(/^Preset$/, /^Radio$/)
  assert.deepEqual(await values(), ['HE-AAC', '48 kb/s', '48 kHz', false])
  await page.choose(/^Profile$/, /^AAC-LC$/)
  assert.equal(await chosen('Preset'), 'Custom')
  await page.choose(/^Preset$/, /^Fine music$/)
  assert.deepEqual(await values(), ['AAC-LC', '128 kb/s', '48 kHz', false])
  await page.click('radio', /^Mono$/)
})

test('a FLAC file decoded by the browser converts to matching audio', async () => {
  const flac = path.join(folder, 'flac.flac')
  execFileSync('ffmpeg', ['-v', 'error', '-i', microphone, flac])
  const sound = decode(await convert(fixture, flac), rate)
  assert.ok(Math.abs(sound.length / rate - 10) < 0.05, `${sound.length / rate} s`)
  checkLikeness(sound)
})

test('a file without audio is rejected with a message', async () => {
  const { page, browser } = fixture
  const letter = path.join(folder, 'letter.wav')
  fs.writeFileSync(letter, 'Dear reader, this is not audio. '.repeat(99))
  await choose(fixture, letter)
  await browser.until(() => [...document.querySelectorAll('.file .problem')].some(
    (problem) => /^“letter\.wav” cannot be converted\.[^]*\.$/.test(problem.innerText)),
  { what: 'a message' })
})

test('a long file is converted faster than it plays, with its progress shown', async () => {
  const { page, browser } = fixture
  const options = { rate: 44100 }
  const source = writeWAV(path.join(folder, 'long.wav'), bursts(420, options), options)
  emptyDownloads(fixture)
  // Make the page record its displayed values, because polling misses some of them on a busy machine.
  await browser.run(() => {
    window.shownShares = []
    const isMeant = element => element.getAttribute('aria-label') === 'Progress of long.wav'
    new MutationObserver(changes => {
      for (const { target } of changes) if (isMeant(target)) window.shownShares.push(target.value)
    }).observe(document, { subtree: true, attributes: true, attributeFilter: ['value'] })
  })
  await choose(fixture, source)
  const begin = performance.now()
  await until(async () => browser.run(
    () => document.querySelector('button[aria-label="Download long.m4a"]') !== null),
  'the converted long.m4a', 420)
  const seconds = (performance.now() - begin) / 1000
  console.log(`420 s were converted in the page in ${seconds.toFixed(1)} s: ` +
    `${(420 / seconds).toFixed(0)} times as fast as they play`)
  const shares = (await browser.run(() => window.shownShares)).filter(share => share > 0)
  assert.ok(new Set(shares).size >= 3, `progress was ${shares.join()}`)
  assert.deepEqual(shares, shares.toSorted((one, other) => one - other))
})

test('in one column, the settings are folded and summarize the choice', async () => {
  const { page, browser } = fixture
  await browser.look({ width: 390, height: 844 })
  await page.says('microphone · (mono|stereo) · 4[48]')
  assert.equal(await page.has('combobox', /^Record from/), false)
  await page.click('button', /^Input/)
  await page.element('combobox', /^Record from/)
  await page.click('button', /^Input/)
  await browser.look({})
  await page.element('combobox', /^Record from/)
})

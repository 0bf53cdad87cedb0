// Convert: the browser's microphone, and files, encoded in the page.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { axe, faults } from './axe.mjs'
import { useStudio } from './fixture.mjs'
import { literally } from './page.mjs'
import { bursts, decode, firstChannel, floatsOf, locate, repeated, writeWAV } from './sound.mjs'
import { aacorn, runAacorn } from './studio-process.mjs'
import { until } from './waiting.mjs'

const rate = 48000
const samples = bursts(10)
const reference = repeated(firstChannel(samples), 2)
const fixture = await useStudio({ browser: { microphone: samples } })
const { page, browser, studio } = fixture
const pathOf = (name) => path.join(studio.folder, name)

/** Writes a WAV file and returns its path. */
const wavOf = (name, seconds, options) => (
  writeWAV(pathOf(`${name}.wav`), bursts(seconds, options), options))

function ffmpeg(input, name, ...options) {
  execFileSync('ffmpeg', ['-nostdin', '-v', 'error', '-i', pathOf(input), ...options, pathOf(name)])
  return pathOf(name)
}

/** Returns the number of pieces of `length` samples, and the number of those that match the original. */
function likeness(sound, length) {
  const pieces = Array.from({ length: Math.floor(sound.length / length) }, (_, piece) =>
    locate(sound.subarray(piece * length, (piece + 1) * length), reference).correlation)
  return [pieces.length, pieces.filter((correlation) => correlation > 0.9).length]
}

/** Compares a file made by the page with the native command's result for the same audio. */
function checkBytes(made, source, { isLive = false, coding = [] } = {}) {
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

function emptyDownloads() {
  for (const name of fs.readdirSync(browser.downloads)) fs.rmSync(path.join(browser.downloads, name))
}

/** Passes a file to the page for conversion. */
const choose = async (file) => browser.type(await page.element('file', ''), file)

/** Converts a file in the page, and returns the path of the result. */
async function convert(file, suffix = 'm4a') {
  emptyDownloads()
  await choose(file)
  const name = `${path.basename(file, path.extname(file))}.${suffix}`
  await page.click('button', `^Download ${name}$`)
  return browser.downloaded(new RegExp(`^${name}$`))
}

/**
 * Records for some seconds; returns the paths of the recording and of its samples, and the duration of the
 * recording at most.
 */
async function record(seconds) {
  emptyDownloads()
  const begin = performance.now()
  await page.record()
  await page.hasRecorded(seconds)
  await page.picture('browser-busy')
  await page.click('button', /^Stop$/)
  // The recording appears when it is complete.
  await page.element('button', /^Start$/)
  const most = (performance.now() - begin) / 1000
  await page.click('button', /^Download (?!the samples).*\.m4a$/)
  const file = await browser.downloaded(/\.m4a$/)
  await page.click('button', /^Download the samples/)
  return [file, await browser.downloaded(/\.wav$/), most]
}

/** Returns the seconds of silence that the page reports to have inserted into a recording. */
async function reportedSilence(name) {
  const text = await browser.run((name) => [...document.querySelectorAll('li.file')]
    .find((row) => row.querySelector('.file-name').textContent === name).textContent, name)
  return Number(/([\d.]+) s of silence inserted/.exec(text)?.[1] ?? 0)
}

test('a microphone is recorded, and sent to the library at the end or while it grows', async () => {
  await page.show('browser')
  await page.picture('browser')
  await page.click('button', /^More$/)
  await page.choose(/^Preset$/, /^Speech$/)
  const mono = await page.element('radio', /^Mono$/)
  assert.deepEqual([await page.chosen(/^Profile$/), await page.chosen(/^Bitrate per channel$/),
    await page.chosen(/^Sampling rate$/), await browser.run(({ checked }) => checked, mono)],
  ['AAC-LC', '32 kb/s', '24 kHz', true])
  await page.choose(/^Preset$/, /^Fine music$/)
  assert.equal(await page.chosen(/^Preset$/), 'Fine music')
  await page.click('radio', /^Mono$/)
  await page.click('checkbox', /samples/)
  const inLibrary = () => until(async () => {
    const { recordings: [newest] } = await studio.ask('/api/recordings')
    return newest && newest.status !== 'uploading' && newest.name
  }, 'the recording in the library')
  let last = null
  for (const isMeanwhile of [false, true]) {
    if (isMeanwhile) await page.click('checkbox', /^Send to the library while recording/)
    const [file, wav, most] = await record(4)
    await page.picture('browser-done')
    // Browsers adapt the microphone's clock, with seams of some milliseconds: many short pieces match.
    const sound = decode(wav, rate)
    const seconds = sound.length / rate
    // Very late blocks may have silence before them.
    assert.ok(seconds > 3.5 && seconds < most + 1, `${seconds} s, recorded in ${most} s`)
    const silence = sound.reduce((count, sample) => count + (sample === 0), 0) / rate
    const reported = await reportedSilence(path.basename(file))
    assert.ok(reported <= silence + 0.05, `${silence} s are silent, ${reported} s are reported`)
    const [all, like] = likeness(sound, rate / 20)
    assert.ok(like >= 20, `${like} of ${all} pieces match the played signal`)
    // The native command encodes the same samples to the same bytes.
    checkBytes(file, wav, { isLive: true })
    if (!isMeanwhile) await page.click('button', /^Send .* to the library/)
    await page.says(`In the library as “${literally(path.basename(file))}”`)
    const name = await until(async () => {
      const name = await inLibrary()
      return name !== last && name
    }, 'another recording')
    last = name
    assert.deepEqual(fs.readFileSync(studio.file(name)), fs.readFileSync(file))
  }
  await page.click('checkbox', /^Send to the library while recording/)

  // In one column, the settings are folded and summarize the choice.
  await browser.look({ width: 390, height: 844 })
  await page.says('microphone · (mono|stereo) · 4[48]')
  assert.equal(await page.has('combobox', /^Record from/), false)
  await page.click('button', /^Input/)
  await page.element('combobox', /^Record from/)
  await page.click('button', /^Input/)
  await browser.look({})
  await page.element('combobox', /^Record from/)
})

/** Returns the text below the name of the most recently chosen file. */
const row = () => browser.run(() => (
  [...document.querySelectorAll('[aria-labelledby=browser-convert] > li')].at(-1).innerText))

const secondLoss = /The source is already compressed\. Encoding it again reduces the quality/

/** Returns the number of samples per channel in a file. */
const length = (file) => JSON.parse(runAacorn('inspect', '--json', file)).samples

/** Checks that every second of a file matches the original. */
function checkLikeness(file) {
  const [all, like] = likeness(decode(file, rate), rate)
  assert.ok(all >= 8 && like === all, `${like} of ${all} seconds match the original`)
}

test('files with samples convert to the same bytes as with the native command', async () => {
  await page.show('browser')
  const stereo = wavOf('stereo', 20, { rate: 44100 })
  checkBytes(await convert(stereo), stereo)
  assert.doesNotMatch(await row(), secondLoss)
  await page.says('\\d× real time')
  await page.picture('browser-converted')
  await page.click('radio', /^AAC/)
  checkBytes(await convert(stereo, 'aac'), stereo)
  await page.click('radio', /^M4A/)
  await page.choose(/^Bitrate per channel$/, /^Automatic$/)
  for (const [channels, rate] of [[8, 48000], [1, 44100], [1, 8000]]) {
    const source = wavOf(`default-${channels}-${rate}`, 3, { rate, channels })
    checkBytes(await convert(source), source)
  }
  await page.choose(/^Bitrate per channel$/, /^16 kb/)
  for (const [name, profile, channels] of [
    ['HE-AAC v2', 'he2', 2], ['HE-AAC', 'he', 2], ['Automatic', 'auto', 2], ['Automatic', 'auto', 1],
  ]) {
    await page.choose(/^Profile$/, `^${name}$`)
    const source = wavOf(`${profile}-${channels}`, 7, { rate, channels })
    checkBytes(await convert(source), source,
      { coding: ['-b', `${16 * channels}k`, '--profile', profile] })
  }
  await page.choose(/^Profile$/, /^HE-AAC v2$/)
  await choose(wavOf('mono', 7, { rate, channels: 1 }))
  await page.says('HE-AAC v2 is for 2 channels')
  await page.choose(/^Profile$/, /^AAC-LC$/)
  await page.choose(/^Bitrate per channel$/, /^64 kb/)

  // Make the page record the progress that it shows, because polling misses some of it on a busy machine.
  await browser.run(() => {
    window.shownShares = []
    const isMeant = element => element.getAttribute('aria-label') === 'Progress of long.wav'
    new MutationObserver(changes => {
      for (const { target } of changes) if (isMeant(target)) window.shownShares.push(target.value)
    }).observe(document, { subtree: true, attributes: true, attributeFilter: ['value'] })
  })
  await convert(wavOf('long', 240, { rate: 44100 }))
  const shares = (await browser.run(() => window.shownShares)).filter(share => share > 0)
  assert.ok(new Set(shares).size >= 3, `progress was ${shares.join()}`)
  assert.deepEqual(shares, shares.toSorted((one, other) => one - other))
})

test('compressed files are decoded by our own decoder or by the browser', async () => {
  await page.show('browser')
  const source = writeWAV(pathOf('source.wav'), samples, { rate })
  runAacorn('encode', '-q', '-b', '96k', source, '-o', pathOf('fine.aac'))
  runAacorn('encode', '-q', '-b', '96k', source, '-o', pathOf('fine.m4a'))
  fs.writeFileSync(pathOf('chapters.txt'), `;FFMETADATA1
title=Two parts
${[0, 4].map((start) => `[CHAPTER]\nTIMEBASE=1/1\nSTART=${start}\nEND=${start + 4}\ntitle=From ${start}`).join('\n')}
`)
  ffmpeg('fine.m4a', 'chapters.m4a', '-f', 'ffmetadata', '-i', pathOf('chapters.txt'), '-map_metadata', '1',
    '-c', 'copy')
  ffmpeg('source.wav', 'main.aac', '-c:a', 'aac', '-profile:a', 'aac_main', '-b:a', '128k')
  for (const file of [
    pathOf('main.aac'), ffmpeg('fine.aac', 'radio.latm', '-c', 'copy', '-smc-interval', '5'),
    ffmpeg('fine.aac', 'television.ts', '-c', 'copy'), pathOf('fine.m4a'),
  ]) {
    const made = await convert(file)
    runAacorn('encode', '-q', '-f', '-b', '128k', file, '-o', pathOf('native.m4a'))
    assert.equal(length(made), length(pathOf('native.m4a')))
    assert.match(await row(), secondLoss)
    assert.doesNotMatch(await row(), /concealed/)
    checkLikeness(made)
  }
  // Tags and chapters are kept, as by the command.
  checkBytes(await convert(pathOf('chapters.m4a')), pathOf('chapters.m4a'))
  const list = JSON.parse(execFileSync('ffprobe', ['-v', 'error', '-show_chapters', '-of', 'json',
    await convert(pathOf('chapters.m4a'))]))
  assert.deepEqual(list.chapters.map(({ tags, start_time: start }) => [tags.title, Number(start)]),
    [['From 0', 0], ['From 4', 4]])
  for (const [name, ...options] of [['flac.flac'],
    ['lossless.mp4', '-c:a', 'flac', '-strict', '-2']]) {
    checkLikeness(await convert(ffmpeg('source.wav', name, ...options)))
    assert.doesNotMatch(await row(), secondLoss)
  }

  // Damage is concealed and reported, and the length stays the same.
  const damaged = fs.readFileSync(pathOf('fine.m4a'))
  for (let index = 0; index < 600; index++) damaged[(damaged.length >> 1) + index] = index * 37 & 255
  fs.writeFileSync(pathOf('damaged.m4a'), damaged)
  assert.equal(length(await convert(pathOf('damaged.m4a'))), 10 * rate)
  const pattern = /(\d) frames were damaged or missing and concealed, the first at 0:0[45]\.\d\./
  const [, count] = pattern.exec(await row()) ?? assert.fail(await row())
  assert.ok(count >= 2 && count <= 4, `${count} frames`)
  await page.picture('browser-damaged')
  assert.deepEqual([...await axe(browser), ...await faults(browser)], [])

  // Scalable sampling rate, as LATM because browsers decode AAC in other files whatever its declared type.
  const scalable = fs.readFileSync(pathOf('fine.aac'))
  for (let at = 0; at < scalable.length;) {
    scalable[at + 2] = scalable[at + 2] & 0x3f | 0x80
    at += (scalable[at + 3] & 3) << 11 | scalable[at + 4] << 3 | scalable[at + 5] >> 5
  }
  fs.writeFileSync(pathOf('scalable.aac'), scalable)
  await choose(ffmpeg('scalable.aac', 'scalable.latm', '-c', 'copy'))
  await page.says('“scalable\\.latm” cannot be converted.*AAC of the type SSR.*not decoded')
  fs.writeFileSync(pathOf('letter.wav'), 'Dear reader, this is not audio. '.repeat(99))
  await choose(pathOf('letter.wav'))
  await browser.until(() => [...document.querySelectorAll('.file .problem')].some(
    (problem) => /^“letter\.wav” cannot be converted\.[^]*\.$/.test(problem.innerText)),
  { what: 'a message' })
})

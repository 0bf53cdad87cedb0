// Inspect: the page analyzes files itself and shows the same results as the native command.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { axe, faults } from './axe.mjs'
import { useStudio } from './fixture.mjs'
import { literally } from './page.mjs'
import { bursts, writeWAV } from './sound.mjs'
import { runAacorn } from './studio-process.mjs'

const rate = 48000
const fixture = await useStudio({ isWatched: true })
const { page, browser, studio, witness } = fixture
const pathOf = (name) => path.join(studio.folder, name)
const source = writeWAV(pathOf('source.wav'), bursts(30, { rate }), { rate })
runAacorn('encode', '-q', '-b', '96k', source, '-o', pathOf('fine.aac'))
runAacorn('encode', '-q', '--vbr', '4', '--title', 'Waves', source, '-o', pathOf('fine.m4a'))
const cover = new URL('../../Documentation/Studio/record.png', import.meta.url).pathname
runAacorn('encode', '-q', '--cover', cover, source, '-o', pathOf('covered.m4a'))
const fine = fs.readFileSync(pathOf('fine.m4a'))
fs.writeFileSync(pathOf('cut.m4a'), fine.subarray(0, -5000))
const damaged = fs.readFileSync(pathOf('fine.aac'))
for (let i = 0; i < 500; i++) damaged[(damaged.length >> 1) + i] = i * 37 & 255
fs.writeFileSync(pathOf('damaged.aac'), damaged)
// The first five bits of the configuration are the profile: scalable sampling rate, which is not decoded.
const scalable = Buffer.from(fine)
const offset = scalable.indexOf(Buffer.from([0x11, 0x90]))
scalable[offset] = 3 << 3 | scalable[offset] & 7
fs.writeFileSync(pathOf('scalable.m4a'), scalable)
fs.writeFileSync(pathOf('letter.txt'), 'Dear reader, this is not audio. '.repeat(99))

const toneFrequency = 6000
const tone = Int16Array.from({ length: 2 * 20 * rate }, (_, index) => (
  index % 2 === 0 ? 12000 * Math.sin(2 * Math.PI * toneFrequency * (index >> 1) / rate) : 0))
runAacorn('encode', '-q', writeWAV(pathOf('tone.wav'), tone, { rate }), '-o', pathOf('tone.m4a'))
// A profile that browsers do not support.
execFileSync('ffmpeg', ['-nostdin', '-v', 'error', '-i', source, '-c:a', 'aac', '-profile:a',
  'aac_main', '-b:a', '96k', pathOf('main.aac')])

/** Returns the native command's report about a file. */
function nativeReport(name) {
  try {
    return JSON.parse(runAacorn('inspect', '--json', pathOf(name)))
  } catch (error) {
    // Its status reports faults.
    return JSON.parse(error.stdout)
  }
}

/** Passes files to the page as if the user chose them; a view with files is reloaded. */
async function open(...names) {
  await browser.go('about:blank')
  await page.show('inspect')
  for (const name of names) {
    // Files chosen one after the other, with the page's button for a second file.
    await browser.type(await page.element('file', ''), pathOf(name))
    await page.says(literally(name))
  }
}

const number = (value) => String(value).replace(/\B(?=(\d{3})+$)/g, '[\\s,.’\u202f]?')

/** Returns a pattern of an offset in a file, as it may be written. */
const offsetPattern = (offset) => `0x0*${offset.toString(16)}\\b|\\b${number(offset)}\\b`

function tableWith(count) {
  return browser.until((count) => [...document.querySelectorAll('[role=grid]')]
    .some((grid) => Number(grid.ariaRowCount) - 1 === count),
  { values: [count], what: `a table of ${count} frames` })
}

/** Waits until the audio of all files is completely decoded. */
async function untilDecoded(count = 1) {
  await browser.until((count) => document.querySelectorAll('.wave-stage[data-ready]').length === count,
    { values: [count], what: 'the complete audio' })
  await browser.settle()
}

/** Moves the focus to an element. */
async function focus(role, pattern) {
  await browser.run((element) => element.focus(), await page.element(role, pattern))
}

test('files are reported with every frame and fault, as by the native command', async () => {
  const native = nativeReport('fine.m4a')
  await open('fine.m4a')
  await tableWith(native.frames)
  const rowCount = await browser.run(() => document.querySelectorAll('[role=row]').length)
  assert.ok(rowCount < 200, `${rowCount} rows are in the document at the same time`)
  for (const pattern of ['Waves', '48\\skHz', 'stereo', number(native.frames),
    number(native.priming), number(native.remainder), number(native.largestFrame), 'No faults']) {
    await page.says(pattern)
  }
  // No frame is selected until the user selects one.
  const chosen = () => browser.run(() => [...document.querySelectorAll('[aria-selected=true]')]
    .map((row) => row.getAttribute('aria-rowindex')))
  assert.deepEqual(await chosen(), [])
  await focus('button', /^Go$/)
  await browser.press('Tab')
  assert.deepEqual(await chosen(), ['2'])
  await browser.press('ArrowDown')
  assert.deepEqual(await chosen(), ['3'])
  const grid = await page.element('[role=grid]', '')
  await browser.press('Control+End')
  await browser.until((grid, pattern) => new RegExp(pattern).test(grid.innerText),
    { values: [grid, `\\b${number(native.frames - 1)}\\b`], what: 'the last frame' })
  await page.picture('inspect')

  for (const name of ['damaged.aac', 'cut.m4a']) {
    const native = nativeReport(name)
    assert.ok(native.errors > 0)
    await open(name)
    if (name === 'damaged.aac') await tableWith(native.frames)
    for (const { offset, message, severity } of native.faults) {
      if (name === 'damaged.aac') await page.says(offsetPattern(offset))
      if (name === 'damaged.aac' || severity === 'error') await page.says(literally(message))
    }
    await page.says(`${native.errors} errors?`)
  }
  await open('fine.m4a', 'damaged.aac')
  for (const name of ['fine.m4a', 'damaged.aac']) {
    await page.says(number(nativeReport(name).largestFrame))
  }
  await page.picture('inspect-two')

  await open('covered.m4a')
  await page.says(`Cover\\s+PNG, 1280 × 720 pixels, ${Math.round(fs.statSync(cover).size / 1000)} kB`)

  await open('letter.txt')
  await browser.until(() => /letter\.txt[^]*\b(no|not|cannot)\b[^]*\.$/.test(
    document.querySelector('.side-problem').innerText), { what: 'a message' })
  await open('scalable.m4a')
  await page.says('The sound cannot be decoded: This .+\\.')
  await open('source.wav')
  await untilDecoded()
  await page.says('is WAV, not AAC')
  assert.ok(await page.colors('.spectrum-stage canvas') > 10)
})

/** Returns the frequency of the darkest row of the spectrogram in the middle column. */
const loudest = () => browser.run((rate) => {
  const canvas = document.querySelector('.spectrum-stage canvas')
  const copy = new OffscreenCanvas(canvas.width, canvas.height)
  const context = copy.getContext('2d', { willReadFrequently: true })
  context.drawImage(canvas, 0, 0)
  const [top, bottom] = [8, canvas.clientHeight - 22]
  let best = { light: Infinity, frequency: 0 }
  for (let y = top; y < bottom; y++) {
    const [red, green, blue] = context.getImageData(canvas.width >> 1, y, 1, 1).data
    const light = red + green + blue
    if (light < best.light) {
      best = { light, frequency: (bottom - y - 0.5) / (bottom - top) * rate / 2 }
    }
  }
  return best.frequency
}, rate)

/** Makes the page store the maximum sample of its output. */
function listenToOutput() {
  return browser.run(() => {
    const { connect } = AudioNode.prototype
    window.outputPeak = 0
    AudioNode.prototype.connect = function (target, ...rest) {
      if (target === this.context.destination) {
        const analyser = this.context.createAnalyser()
        connect.call(this, analyser)
        const samples = new Float32Array(analyser.fftSize)
        setInterval(() => {
          analyser.getFloatTimeDomainData(samples)
          window.outputPeak = samples.reduce(
            (peak, sample) => Math.max(peak, Math.abs(sample)), window.outputPeak)
        }, 20)
      }
      return connect.call(this, target, ...rest)
    }
  })
}

/** Waits until the shown time of the playback is at least `seconds`. */
const hasPlayed = (seconds) => browser.until((seconds) => Number.parseFloat(
  document.querySelector('.sound-time').innerText.slice(2)) >= seconds,
{ values: [seconds], what: `${seconds} s of playback` })

/** Returns the position of the playhead and its maximum. */
const head = () => browser.run(() => {
  const { ariaValueNow, ariaValueMax } = document.querySelector('.wave-stage')
  return [Number(ariaValueNow), Number(ariaValueMax)]
})

test('audio is drawn, zoomed and played', async () => {
  await open('tone.m4a')
  await untilDecoded()
  await browser.until(() => document.querySelector('.wave-stage canvas').surface
    .source.picture?.isExact, { what: 'the picture' })
  await browser.settle()
  assert.ok(await page.colors('.wave-stage canvas') > 3, 'the waveform is drawn')
  assert.ok(await page.colors('.spectrum-stage canvas') > 10, 'the spectrogram is drawn')
  const frequency = await loudest()
  assert.ok(Math.abs(frequency - toneFrequency) < 300, `the tone is at ${frequency} Hz`)
  // Pointing at the tone shows the same frequency.
  const words = await browser.run((part) => {
    const stage = document.querySelector('.spectrum-stage')
    const { left, top, width, height } = stage.getBoundingClientRect()
    stage.dispatchEvent(new PointerEvent('pointermove', {
      clientX: left + width / 2, clientY: top + 8 + (height - 2 - 30) * (1 - part),
    }))
    return stage.closest('.sound-box').querySelector('output').innerText
  }, toneFrequency / (rate / 2))
  const [, kilohertz, level] = /·\s+([\d.]+) kHz\s+·\s+[−-](\d+) dB/.exec(words)
  assert.ok(Math.abs(kilohertz * 1000 - toneFrequency) < 300, words)
  // One channel of two at 12000 of 32768: 3 dB less than −8.7, and up to 1.4 dB between two bins.
  assert.ok(level >= 10 && level <= 14, words)
  assert.deepEqual([...await axe(browser), ...await faults(browser)], [])

  await open('fine.aac')
  await untilDecoded()
  const view = () => browser.run(() => ['.wave-stage', '.spectrum-stage'].map((name) => (
    { ...document.querySelector(`${name} canvas`).surface.source.view })))
  const [whole] = await view()
  assert.ok(Math.abs(whole.count - 30) < 0.1, `${whole.count} s are in view`)
  const before = await page.pictures()
  await page.click('button', /^Zoom in on the sound/)
  await focus('slider', /^Position in/)
  await browser.press('=')
  const [closer, same] = await view()
  assert.ok(Math.abs(closer.count - whole.count / 4) < 0.1, `${closer.count} s are in view`)
  assert.deepEqual(closer, same)
  // The picture shows the part in view, exact to the sample.
  await browser.until(() => {
    const { picture, view, rate } = document.querySelector('.wave-stage canvas').surface.source
    return picture?.isExact && Math.abs(picture.end - picture.start - view.count * rate) < 2
  }, { what: 'the picture of the part in view' })
  await browser.settle()
  const after = await page.pictures()
  before.forEach(({ data }, index) => assert.notEqual(data, after[index].data))
  await page.click('button', /^Zoom out of the bitrate/)
  assert.ok(Math.abs((await view())[0].count - whole.count / 2) < 0.1)
  await page.click('button', /^All: show the whole sound/)
  assert.deepEqual((await view())[0], whole)

  // A playback problem is shown until playback works.
  await browser.run(() => {
    window.kept = window.AudioContext
    window.AudioContext = class {
      constructor() { throw new Error('No output.') }
    }
  })
  await page.click('button', /^Play fine/)
  await browser.until(() => {
    const problem = document.querySelector('.sound-box .problem')
    return problem.checkVisibility() && /played here: No output/.test(problem.innerText)
  }, { what: 'the problem' })
  await browser.run(() => { window.AudioContext = window.kept })
  await page.click('button', /^Play fine/)
  await page.element('button', /^Pause fine/)
  await browser.until(() => document.querySelector('.sound-box .problem').hidden,
    { what: 'the end of the problem' })

  for (const name of ['tone.m4a', 'main.aac', 'damaged.aac']) {
    await open(name)
    await untilDecoded()
    await listenToOutput()
    await focus('slider', /^Position in/)
    await browser.press('Space')
    await browser.until(() => window.outputPeak > 0.1, { what: 'audio at the output' })
    await hasPlayed(1)
    await page.picture(`inspect-playing-${name}`)
    await browser.press('Space')
    await page.element('button', /^Play /)
    await browser.press('ArrowRight')
    const [now] = await head()
    assert.ok(now >= 6 && now < 25, `the playhead is at ${now} s`)
    await browser.press('End')
    const [end, last] = await head()
    assert.equal(end, last)
    await browser.press('Home')
    assert.equal((await head())[0], 0)
  }
  // A click on a concealed range moves the playhead there.
  await page.says('Concealed\\s*\\d+ place')
  await page.click('button', /concealed by the decoder/)
  const [now] = await head()
  assert.ok(now >= 14 && now <= 16, `the playhead is at ${now} s`)
  const selected = await browser.run(() => document.querySelectorAll('[aria-selected=true]').length)
  assert.equal(selected, 1)

  fs.copyFileSync(pathOf('tone.m4a'), studio.file('Kept.m4a'))
  await open()
  await browser.run(() => { location.hash = 'inspect/Kept.m4a' })
  await page.says('Kept\\.m4a')
  await untilDecoded()
  await page.click('button', /^Play Kept/)
  await hasPlayed(0.2)
})

test('two files move together, and play one at a time', async () => {
  await open('tone.m4a', 'fine.aac')
  await untilDecoded(2)
  await page.click('checkbox', /^Move together/)
  await page.click('button', /^Zoom in on the sound/)
  const views = await browser.run(() => [...document.querySelectorAll('.wave-stage canvas')]
    .map((canvas) => canvas.surface.source.view))
  assert.ok(Math.abs(views[0].count - 10) < 0.1, `${views[0].count} s are in view`)
  assert.ok(Math.abs(views[0].count - views[1].count) < 0.05)
  assert.ok(Math.abs(views[0].first - views[1].first) < 0.05)
  await page.click('button', /^Play tone/)
  await page.element('button', /^Pause tone/)
  await page.click('button', /^Play fine/)
  await page.element('button', /^Pause fine/)
  await page.element('button', /^Play tone/)
  // The playback must not disturb another view.
  await page.show('library')
  await page.show('inspect')
  await page.element('button', /^Play fine/)
  // No data of a file leaves the page. This includes requests of workers, for example for the module.
  assert.ok(witness.requests.some(({ url }) => url.endsWith('aacorn-inspector.wasm')))
  assert.deepEqual(witness.requests.filter(({ method }) => method !== 'GET'), [])
})

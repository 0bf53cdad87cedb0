// Inspect: the page analyzes files itself and shows the same results as the native command.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { axe, faults } from './axe.mjs'
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

const toneFrequency = 6000
const tone = Int16Array.from({ length: 2 * 20 * rate }, (_, index) => (
  index % 2 === 0 ? 12000 * Math.sin(2 * Math.PI * toneFrequency * (index >> 1) / rate) : 0))
runAacorn('encode', '-q', writeWAV(path.join(folder, 'tone.wav'), tone, { rate }), '-o',
  path.join(folder, 'tone.m4a'))
// A profile that browsers do not support.
execFileSync('ffmpeg', ['-nostdin', '-v', 'error', '-i', source, '-c:a', 'aac', '-profile:a',
  'aac_main', '-b:a', '96k', path.join(folder, 'main.aac')])

/** Returns the native command's report about a file. */
function nativeReport(name) {
  try {
    return JSON.parse(runAacorn('inspect', '--json', path.join(folder, name)))
  } catch (error) {
    // Its status reports faults.
    return JSON.parse(error.stdout)
  }
}

/** Passes files to the page as if the user chose them; a view with files is reloaded. */
async function open(...names) {
  const { page, browser } = fixture
  await browser.go('about:blank')
  await page.show('inspect')
  for (const name of names) {
    // Files chosen one after the other, with the page's button for a second file.
    const input = await page.element('file', '')
    await browser.type(input, path.join(folder, name))
    await page.says(name.replaceAll('.', '\\.'))
  }
}

const number = (value) => String(value).replace(/\B(?=(\d{3})+$)/g, '[\\s,.’\u202f]?')

/** Returns a pattern of an offset in a file, as it may be written. */
const offsetPattern = (offset) => `0x0*${offset.toString(16)}\\b|\\b${number(offset)}\\b`

/** Returns the tables of frames: the number of rows they report, and of rows in the document. */
function tables() {
  return fixture.browser.run(() => [...document.querySelectorAll('[role=grid]')]
    .filter((grid) => grid.checkVisibility())
    .map((grid) => ({
      reportedCount: Number(grid.ariaRowCount) - 1, shown: grid.querySelectorAll('[role=row]').length,
      text: grid.innerText,
    })))
}

async function tableWith(count) {
  await fixture.browser.until((count) => [...document.querySelectorAll('[role=grid]')]
    .some((grid) => Number(grid.ariaRowCount) - 1 === count),
  { values: [count], what: `a table of ${count} frames` })
}

test('a file is reported completely, with every frame in its table', async () => {
  const { page, browser } = fixture
  const native = nativeReport('fine.m4a')
  await open('fine.m4a')
  await tableWith(native.frames)
  const [{ shown }] = await tables()
  assert.ok(shown < 200, `${shown} rows are in the document at the same time`)
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

test('a truncated file is reported as truncated', async () => {
  const { page } = fixture
  const native = nativeReport('cut.m4a')
  await open('cut.m4a')
  const fault = native.faults.find(({ severity }) => severity === 'error')
  assert.ok(fault)
  await page.says(fault.message.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
})

test('no frame is selected until the user selects one', async () => {
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

test('two files are shown side by side', async () => {
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

test('a file without audio is rejected with a message', async () => {
  const { page, browser } = fixture
  fs.writeFileSync(path.join(folder, 'letter.txt'), 'Dear reader, this is not audio. '.repeat(99))
  await open('letter.txt')
  await browser.until(() => /letter\.txt[^]*\b(no|not|cannot)\b[^]*\.$/.test(
    document.querySelector('.side-problem').innerText), { what: 'a message' })
})

/** Waits until a file's audio is completely decoded. */
async function untilDecoded() {
  await fixture.browser.until(() => document.querySelector('.wave-stage[data-ready]')
    ?.checkVisibility(), { what: 'the complete audio' })
  await fixture.browser.settle()
}

/** The slider of the playhead. */
const head = () => fixture.browser.run(() => {
  const stage = document.querySelector('.wave-stage')
  return { now: Number(stage.ariaValueNow), max: Number(stage.ariaValueMax),
    text: stage.ariaValueText, time: document.querySelector('.sound-time').innerText }
})

/** Returns the frequency of the darkest row of the spectrogram in the middle column. */
const loudest = () => fixture.browser.run((rate) => {
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

test('the audio of a file is drawn, with a tone at its frequency', async () => {
  const { page, browser } = fixture
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
})

test('zooming shows less time in all plots, and All shows all again', async () => {
  const { page, browser } = fixture
  await open('fine.aac')
  await untilDecoded()
  const view = () => browser.run(() => ['.wave-stage', '.spectrum-stage'].map((name) => (
    { ...document.querySelector(`${name} canvas`).surface.source.view })))
  const [whole] = await view()
  assert.ok(Math.abs(whole.count - 30) < 0.1, `${whole.count} s are in view`)
  const before = await page.pictures()
  await page.click('button', /^Zoom in on the sound/)
  const slider = await page.element('slider', /^Position in/)
  await browser.run((slider) => slider.focus(), slider)
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
})

/** Makes the page store the maximum sample of its output. */
function listenToOutput() {
  return fixture.browser.run(() => {
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

for (const name of ['tone.m4a', 'main.aac', 'damaged.aac']) {
  test(`${name} is played, and the playhead moves`, async () => {
    const { page, browser } = fixture
    await open(name)
    await untilDecoded()
    await listenToOutput()
    const slider = await page.element('slider', /^Position in/)
    await browser.run((slider) => slider.focus(), slider)
    await browser.press('Space')
    await browser.until(() => window.outputPeak > 0.1, { what: 'audio at the output' })
    await browser.until(() => Number.parseFloat(
      document.querySelector('.sound-time').innerText.slice(2)) >= 1, { what: 'a second' })
    await page.picture(`inspect-playing-${name}`)
    await browser.press('Space')
    await page.element('button', /^Play /)
    await browser.press('ArrowRight')
    const { now } = await head()
    assert.ok(now >= 6 && now < 25, `the playhead is at ${now} s`)
    await browser.press('End')
    assert.equal((await head()).now, (await head()).max)
    await browser.press('Home')
    assert.equal((await head()).now, 0)
  })
}

test('a playback problem is shown until playback works', async () => {
  const { page, browser } = fixture
  await open('tone.m4a')
  await untilDecoded()
  await browser.run(() => {
    window.kept = window.AudioContext
    window.AudioContext = class {
      constructor() { throw new Error('No output.') }
    }
  })
  await page.click('button', /^Play tone/)
  await browser.until(() => {
    const problem = document.querySelector('.sound-box .problem')
    return problem.checkVisibility() && /played here: No output/.test(problem.innerText)
  }, { what: 'the problem' })
  await browser.run(() => { window.AudioContext = window.kept })
  await page.click('button', /^Play tone/)
  await page.element('button', /^Pause tone/)
  await browser.until(() => document.querySelector('.sound-box .problem').hidden,
    { what: 'the end of the problem' })
})

test('concealed ranges are listed, and a click moves the playhead there', async () => {
  const { page } = fixture
  await open('damaged.aac')
  await untilDecoded()
  await page.says('Concealed\\s*\\d+ place')
  await page.click('button', /concealed by the decoder/)
  const { now } = await head()
  assert.ok(now >= 14 && now <= 16, `the playhead is at ${now} s`)
  const grid = await page.element('[role=grid]', '')
  assert.equal(await fixture.browser.run(
    (grid) => grid.querySelectorAll('[aria-selected=true]').length, grid), 1)
})

test('two files are played one at a time', async () => {
  const { page, browser } = fixture
  await open('tone.m4a', 'fine.aac')
  await browser.until(() => document.querySelectorAll('.wave-stage[data-ready]').length === 2,
    { what: 'both sounds' })
  await page.click('button', /^Play tone/)
  await page.element('button', /^Pause tone/)
  await page.click('button', /^Play fine/)
  await page.element('button', /^Pause fine/)
  await page.element('button', /^Play tone/)
  await page.picture('inspect-two-playing')
  // The playback must not disturb another view.
  await page.show('library')
  await page.show('inspect')
  await page.element('button', /^Play fine/)
})

test('two files that move together show the same time', async () => {
  const { page, browser } = fixture
  await open('tone.m4a', 'fine.aac')
  await browser.until(() => document.querySelectorAll('.wave-stage[data-ready]').length === 2,
    { what: 'both sounds' })
  await page.click('checkbox', /^Move together/)
  await page.click('button', /^Zoom in on the sound/)
  const views = await browser.run(() => [...document.querySelectorAll('.wave-stage canvas')]
    .map((canvas) => canvas.surface.source.view))
  assert.ok(Math.abs(views[0].count - 10) < 0.1, `${views[0].count} s are in view`)
  assert.ok(Math.abs(views[0].count - views[1].count) < 0.05)
  assert.ok(Math.abs(views[0].first - views[1].first) < 0.05)
})

test('a recording of the library is played', async () => {
  const { browser, page } = fixture
  fs.copyFileSync(path.join(folder, 'tone.m4a'),
    path.join(fixture.studio.recordings, 'Kept.m4a'))
  await open()
  await browser.run(() => { location.hash = 'inspect/Kept.m4a' })
  await page.says('Kept\\.m4a')
  await untilDecoded()
  await page.click('button', /^Play Kept/)
  await browser.until(() => Number.parseFloat(
    document.querySelector('.sound-time').innerText.slice(2)) > 0.2, { what: 'sound' })
})

test('audio that is not AAC is drawn, and its format is named', async () => {
  const { page } = fixture
  await open('source.wav')
  await untilDecoded()
  await page.says('is WAV, not AAC')
  assert.ok(await fixture.page.colors('.spectrum-stage canvas') > 10)
})

test('an unsupported profile is rejected with the message of the module', async () => {
  const { page } = fixture
  // The first five bits of the configuration are the profile: scalable sampling rate.
  const bytes = fs.readFileSync(path.join(folder, 'fine.m4a'))
  const offset = bytes.indexOf(Buffer.from([0x11, 0x90]))
  assert.ok(offset > 0)
  bytes[offset] = 3 << 3 | bytes[offset] & 7
  fs.writeFileSync(path.join(folder, 'scalable.m4a'), bytes)
  await open('scalable.m4a')
  await page.says('The sound cannot be decoded: This .+\\.')
})

test('no data of a file leaves the page', () => {
  const { requests } = fixture.witness
  // This includes the requests of workers, for example for the module.
  assert.ok(requests.some(({ url }) => url.endsWith('aacorn-inspector.wasm')), 'the worker is recorded')
  assert.deepEqual(requests.filter(({ method }) => method !== 'GET'), [])
})

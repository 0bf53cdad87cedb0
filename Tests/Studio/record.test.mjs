// Recording at the server, from the page: what a person sees and what is in the file.

import assert from 'node:assert/strict'
import fs from 'node:fs'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { useStudio } from './fixture.mjs'
import { until } from './page.mjs'
import { bursts, decode, firstChannel, locate, repeated } from './sound.mjs'

const rate = 48000
const samples = bursts(8)
const reference = repeated(firstChannel(samples), 2)
let module
let feed

const fixture = await useStudio({
  async pulse(pulse) {
    await pulse.plug('spare', 'Spare microphone')
    module = await pulse.plug('test', 'Test microphone')
    await pulse.control('set-default-source', 'test')
    feed = pulse.feed('test', samples)
  },
})

const state = () => fixture.studio.ask('/api/state')
const phase = (wanted, seconds) => until(async () => {
  const now = await state()
  return now.phase === wanted && now
}, `the phase ${wanted}`, seconds)

/** Starts a recording with the button and returns its name. */
async function start() {
  await fixture.page.click('button', /^Start$/)
  return (await phase('recording')).recording.name
}

async function stop() {
  await fixture.page.click('button', /^Stop$/)
  return (await phase('idle')).last
}

/** How like a second of a recording is to what was played. */
function likeness(sound, second) {
  return locate(sound.subarray(second * rate, (second + 1) * rate), reference).correlation
}

test('devices are listed by name, the default one first chosen', async () => {
  const { page } = fixture
  await page.show('record')
  const list = await page.element('combobox', /^Record from/)
  const options = await until(async () => {
    const options = await fixture.browser.run(
      (list) => [...list.options].map(({ text }) => text), list)
    return options.some((text) => text.includes('Test microphone')) && options
  }, 'the microphone in the list')
  assert.ok(options.some((text) => text.includes('Spare microphone')), options.join())
  assert.ok(options.some((text) => /voice/i.test(text)), options.join())
  await page.picture('record-idle')
})

test('a recording of a microphone holds what the microphone heard', async () => {
  const { page, browser, studio } = fixture
  await page.show('record')
  const name = await start()
  const clocks = []
  for (let i = 0; i < 3; i++) {
    clocks.push(await page.says(/\b\d+:\d\d(\.\d)?\b/))
    await wait(1100)
  }
  assert.equal(new Set(clocks).size, 3, `the clock showed ${clocks.join()}`)
  // Every picture on the page moves: meter, waveform, spectrogram, frames.
  const canvases = await browser.run(() => [...document.querySelectorAll('canvas')]
    .filter((canvas) => canvas.checkVisibility()).map((canvas) => canvas.ariaLabel))
  assert.ok(canvases.length >= 3, `${canvases.length} pictures: ${canvases.join()}`)
  await page.says(/\bk(bit\/s|b\/s)/)
  const first = await browser.run(() => [...document.querySelectorAll('canvas')]
    .filter((canvas) => canvas.checkVisibility()).map((canvas) => canvas.toDataURL()))
  await wait(400)
  const second = await browser.run(() => [...document.querySelectorAll('canvas')]
    .filter((canvas) => canvas.checkVisibility()).map((canvas) => canvas.toDataURL()))
  first.forEach((picture, index) => assert.notEqual(picture, second[index],
    `the picture ${canvases[index] ?? index} stands still`))
  await browser.until(() => {
    const copy = document.createElement('canvas')
    return [...document.querySelectorAll('canvas')].filter((canvas) => canvas.checkVisibility())
      .some((canvas) => {
        copy.width = canvas.width
        copy.height = canvas.height
        const context = copy.getContext('2d')
        context.drawImage(canvas, 0, 0)
        const { data } = context.getImageData(0, 0, copy.width, copy.height)
        // A spectrogram of noise has many shades.
        return new Set(new Uint32Array(data.buffer)).size > 100
      })
  }, { what: 'a spectrogram' })
  await page.picture('record-busy')
  const last = await stop()
  assert.equal(last.name, name)

  const sound = decode(studio.file(name), rate)
  assert.ok(Math.abs(sound.length / rate - last.seconds) < 0.1,
    `${sound.length / rate} s, told as ${last.seconds}`)
  assert.equal(fs.statSync(studio.file(name)).size, last.bytes)
  assert.equal(last.gapCount, 0)
  for (const second of [1, 2]) {
    assert.ok(likeness(sound, second) > 0.95, `second ${second}: ${likeness(sound, second)}`)
  }
  await page.says(name.replaceAll('.', '\\.'))
})

test('a pause leaves out, a mute silences', async () => {
  const { page, studio } = fixture
  await page.show('record')
  const name = await start()
  await wait(1500)
  await page.click('button', /^Pause$/)
  await phase('paused')
  await page.picture('record-paused')
  await wait(2000)
  await page.click('button', /^Resume$/)
  await phase('recording')
  await wait(1000)
  await page.click('button', /^Mute$/)
  await until(async () => (await state()).isMuted, 'the mute')
  await wait(1500)
  await page.click('button', /^Mute$/)
  await until(async () => !(await state()).isMuted, 'the end of the mute')
  await wait(1000)
  const last = await stop()
  assert.ok(last.seconds > 4.5 && last.seconds < 7.5, `${last.seconds} s`)
  const sound = decode(studio.file(name), rate)
  const silent = []
  for (let at = 0; at + 4800 <= sound.length; at += 4800) {
    silent.push(sound.subarray(at, at + 4800).every((sample) => Math.abs(sample) < 0.001))
  }
  const tenths = silent.filter(Boolean).length
  assert.ok(tenths >= 11 && tenths <= 19, `${tenths} tenths of a second are silent`)
})

test('a microphone that is unplugged is told in words, and the recording goes on', async () => {
  const { page, studio, pulse, browser } = fixture
  await page.show('record')
  await page.choose(/^Record from/, /^Test microphone/)
  const name = await start()
  await wait(1500)
  await pulse.unplug(module)
  feed.stop()
  await page.says('The device is gone')
  const list = await page.element('combobox', /^Record from/)
  await browser.until((list) => [...list.options]
    .some(({ text }) => /Test microphone.*not connected/.test(text)),
  { values: [list], what: 'the loss in the list' })
  await page.picture('record-unplugged')
  await until(async () => {
    const { devices } = await studio.ask('/api/devices')
    return !devices.some(({ id }) => id === 'test')
  }, 'its end in the list')
  await wait(1000)
  module = await pulse.plug('test', 'Test microphone')
  feed = pulse.feed('test', samples)
  await until(async () => (await state()).recording?.isDeviceLost === false, 'its return', 20)
  await wait(2500)
  const last = await stop()
  assert.ok(last.gapCount >= 1, 'a gap is told')
  const sound = decode(studio.file(name), rate)
  assert.ok(locate(sound.subarray(rate / 2, rate), reference).correlation > 0.95, 'before')
  // A source that has just come is still finding its pace: half a second without a seam is enough.
  const pieces = [4, 3, 2].map((halves) => {
    const start = sound.length - halves * rate / 2
    return locate(sound.subarray(start, start + rate / 2), reference).correlation
  })
  assert.ok(Math.max(...pieces) > 0.95, `after: ${pieces}`)
})

test('new and default devices appear in the open list', async () => {
  const { page, pulse, browser } = fixture
  await page.show('record')
  const list = await page.element('combobox', /^Record from/)
  const has = (name) => browser.run((list, name) =>
    [...list.options].some(({ text }) => text.includes(name)), list, name)
  const number = await pulse.plug('third', 'Third microphone')
  await until(() => has('Third microphone'), 'the new microphone')
  await pulse.unplug(number)
  await until(async () => !(await has('Third microphone')), 'its end')
})

test('every format and mode of the form records', async () => {
  const { page, studio } = fixture
  await page.show('record')
  for (const [format, codec] of [['AAC', 'aac'], ['WAV', 'wav'], ['CAF', 'caf'],
    ['M4A', 'm4a']]) {
    await page.click('radio', `^${format}`)
    const name = await start()
    assert.match(name, new RegExp(`\\.${codec}$`))
    await wait(2500)
    await stop()
    const sound = decode(studio.file(name), rate)
    // The first moments are what waited in the pipe while nobody recorded.
    assert.ok(likeness(sound, 1) > 0.95, `${format}: ${likeness(sound, 1)}`)
  }
})

test('what is impossible is refused in a sentence', async () => {
  const { studio } = fixture
  for (const fields of [
    { format: 'm4a', mode: 'cbr', bitrate: '12', device: 'tone' },
    { format: 'ogg', device: 'tone' }, { device: 'no-such-device' },
    { device: 'tone', sampleRate: '1', channels: '2' },
  ]) {
    const response = await studio.request('/api/record', { fields })
    assert.ok(response.status === 400 || response.status === 503,
      `${JSON.stringify(fields)}: ${response.status}`)
    assert.match((await response.json()).error, /^[A-Z0-9“].*[.!]$/s)
  }
  assert.equal((await state()).phase, 'idle')
})

test('listening moves the meters and records nothing', async () => {
  const { page, studio, browser } = fixture
  await page.show('record')
  const before = fs.readdirSync(studio.recordings).length
  await page.click('button', /^Check level/)
  await phase('listening')
  const look = () => browser.run(() => [...document.querySelectorAll('canvas')]
    .filter((canvas) => canvas.checkVisibility()).map((canvas) => canvas.toDataURL()).join())
  const first = await look()
  await wait(500)
  assert.notEqual(await look(), first)
  await page.click('button', /^Check level/)
  await phase('idle')
  assert.equal(fs.readdirSync(studio.recordings).length, before)
})

// Recording at the server, controlled by the page: the displayed state and the content of the file.

import assert from 'node:assert/strict'
import fs from 'node:fs'
import { test } from 'node:test'
import { useStudio } from './fixture.mjs'
import { bursts, decode, firstChannel, locate, repeated } from './sound.mjs'
import { pass, until } from './waiting.mjs'

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
const phase = (wanted) => until(async () => {
  const now = await state()
  return now.phase === wanted && now
}, `the phase ${wanted}`)

/** Starts a recording with the button and returns its name. */
async function start() {
  await fixture.page.record()
  return (await phase('recording')).recording.name
}

async function stop() {
  await fixture.page.click('button', /^Stop$/)
  return (await phase('idle')).last
}

/**
 * Returns the time of the clock now, by pausing and resuming. During recording, a page on a busy machine may
 * lag far behind the studio. In a pause, the displayed time is current.
 */
async function clock() {
  const { page } = fixture
  await page.click('button', /^Pause$/)
  await page.element('button', /^Resume$/)
  const recorded = await page.recorded()
  await page.click('button', /^Resume$/)
  await page.element('button', /^Pause$/)
  return recorded
}

/** Returns the correlation of a part of a recording, from one second to another, with the played signal. */
function likeness(sound, from, to) {
  return locate(sound.subarray(from * rate, to * rate), reference).correlation
}

/** Waits until `count` of the visible pictures differ from their current state. */
async function picturesMove(count) {
  const before = await fixture.page.pictures()
  await until(async () => {
    const now = await fixture.page.pictures()
    return now.filter(({ data }, index) => data !== before[index]?.data).length >= count
  }, `movement in ${count} of ${before.map(({ name }) => name).join(', ')}`)
}

test('devices are listed by name, and the default device is selected', async () => {
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

test('a recording contains the signal of the microphone', async () => {
  const { page, studio } = fixture
  await page.show('record')
  const name = await start()
  const clocks = new Set()
  await until(async () => clocks.add(await page.says(/\b\d+:\d\d/)).size >= 4,
    'four times on the clock')
  await page.hasRecorded(3.1)
  // All pictures on the page move: meter, waveform, spectrogram, frames.
  await picturesMove(4)
  await page.browser.until(() => /\bkb\/s/.test(document.querySelector('.transport-facts').innerText),
    { what: 'the bitrate of the file' })
  // A spectrogram of noise has many shades.
  await until(async () => (await page.colors('canvas')) > 100, 'a spectrogram')
  await page.picture('record-busy')
  const { recording: { gaps } } = await state()
  const last = await stop()
  assert.equal(last.name, name)

  const sound = decode(studio.file(name), rate)
  assert.ok(Math.abs(sound.length / rate - last.seconds) < 0.1,
    `${sound.length / rate} s, reported as ${last.seconds}`)
  assert.equal(fs.statSync(studio.file(name)).size, last.bytes)
  // On a busy machine a simulated microphone is late, which is reported as a gap. A gap damages the quarters of
  // a second that contain it; the others remain intact.
  const spoiled = gaps.reduce((sum, { length }) => sum + Math.ceil(length / 0.25) + 1, 0)
  const likenesses = Array.from({ length: 10 }, (_, quarter) =>
    likeness(sound, 0.5 + quarter / 4, 0.75 + quarter / 4))
  const like = likenesses.filter((likeness) => likeness > 0.95)
  assert.ok(like.length >= Math.max(4, 10 - spoiled),
    `quarters of seconds: ${likenesses.join(', ')}; gaps: ${JSON.stringify(gaps)}`)
  await page.says(`${name.replaceAll('.', '\\.')} is saved: `)
})

test('a pause skips audio, a mute silences it', async () => {
  const { page, studio } = fixture
  await page.show('record')
  const name = await start()
  await page.hasRecorded(1.5)
  await page.click('button', /^Pause$/)
  await phase('paused')
  await page.element('button', /^Resume$/)
  await page.picture('record-paused')
  const recorded = await page.recorded()
  await pass(2)
  const still = await page.recorded()
  assert.ok(still - recorded < 0.5, `the clock continues from ${recorded} to ${still}`)
  await page.click('button', /^Resume$/)
  await phase('recording')
  await page.hasRecorded(recorded + 1)

  const before = await clock()
  await page.click('button', /^Mute$/)
  await until(async () => (await state()).isMuted, 'the mute')
  const first = await clock()
  const last = await page.hasRecorded(first + 1.5)
  await page.click('button', /^Mute$/)
  await until(async () => !(await state()).isMuted, 'the end of the mute')
  const after = await clock()
  const shownSeconds = await page.hasRecorded(after + 1)
  const stopping = performance.now()
  const file = await stop()
  // The displayed time may be a moment old.
  const most = shownSeconds + (performance.now() - stopping) / 1000 + 1
  assert.ok(file.seconds >= shownSeconds - 0.1 && file.seconds <= most,
    `${file.seconds} s, shown as ${shownSeconds} s and ${most} s at most`)
  const sound = decode(studio.file(name), rate)
  const silent = []
  for (let at = 0; at + 4800 <= sound.length; at += 4800) {
    silent.push(sound.subarray(at, at + 4800).every((sample) => Math.abs(sample) < 0.001))
  }
  const silence = silent.filter(Boolean).length / 10
  assert.ok(silence >= last - first - 0.5 && silence <= after - before + 0.5,
    `${silence} s are silent, muted from ${before} or ${first} to ${last} or ${after}`)
})

test('an unplugged microphone is reported, and the recording continues', async () => {
  const { page, studio, pulse, browser } = fixture
  await page.show('record')
  await page.choose(/^Record from/, /^Test microphone/)
  const name = await start()
  await page.hasRecorded(1.5)
  await pulse.unplug(module)
  feed.stop()
  await page.says('The device was disconnected')
  const list = await page.element('combobox', /^Record from/)
  await browser.until((list) => [...list.options]
    .some(({ text }) => /Test microphone.*not connected/.test(text)),
  { values: [list], what: 'the loss in the list' })
  await page.picture('record-unplugged')
  await until(async () => {
    const { devices } = await studio.ask('/api/devices')
    return !devices.some(({ id }) => id === 'test')
  }, 'its end in the list')
  module = await pulse.plug('test', 'Test microphone')
  feed = pulse.feed('test', samples)
  await until(async () => (await state()).recording?.isDeviceLost === false, 'its return')
  await browser.until(() => !document.body.innerText.includes('until it returns or'),
    { what: 'its return on the page' })
  await page.hasRecorded(await page.recorded() + 2.5)
  const last = await stop()
  assert.ok(last.gapCount >= 1, 'a gap is reported')
  const sound = decode(studio.file(name), rate)
  const before = [0.5, 0.75, 1].map((from) => likeness(sound, from, from + 0.25))
  assert.ok(Math.max(...before) > 0.95, `before: ${before}`)
  // A new source is still being synchronized, which causes seams, so one piece without a seam is enough.
  const end = sound.length / rate
  const pieces = [2, 1.75, 1.5, 1.25, 1].map((back) =>
    likeness(sound, end - back, end - back + 0.25))
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
    await page.hasRecorded(2.6)
    await stop()
    const sound = decode(studio.file(name), rate)
    // The first moments contain audio that waited in the pipe before the recording, and a stalled machine
    // causes silence of that length: two matching quarters of a second are enough.
    const likenesses = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.25].map((from) =>
      likeness(sound, from, from + 0.25))
    assert.ok(likenesses.filter((likeness) => likeness > 0.95).length >= 2,
      `${format}: ${likenesses.join(', ')}`)
  }
})

test('a recording has the selected profile', async () => {
  const { page, studio } = fixture
  await page.show('record')
  await page.click('button', /^More$/)
  await page.says('For 44 kb/s per channel and more')
  await page.choose(/^Profile$/, /^HE-AAC v2$/)
  await page.says('For stereo below 28 kb')
  await page.choose(/^Bitrate$/, /^32 kb/)
  const name = await start()
  assert.equal((await state()).recording.profile, 'he2')
  await page.hasRecorded(1.5)
  await stop()
  assert.ok(decode(studio.file(name), rate).length > rate)
  await page.choose(/^Profile$/, /^AAC-LC$/)
  await page.choose(/^Bitrate$/, /^128 kb/)
  await page.click('button', /^More$/)
})

test('a preset sets fields, and changing one of them deselects the preset', async () => {
  const { page, browser } = fixture
  await page.show('record')
  await page.click('button', /^More$/)
  const chosen = async (name) => browser.run(
    (list) => list.selectedOptions[0].text, await page.element('combobox', `^${name}$`))
  await page.choose(/^Preset$/, /^Small radio$/)
  const values = []
  for (const name of ['Profile', 'Bitrate', 'Sampling rate', 'Channels']) {
    values.push(await chosen(name))
  }
  assert.deepEqual(values, ['HE-AAC v2', '32 kb/s', '48 kHz', 'Stereo'])
  await start()
  const { recording: { profile, bitrate, sampleRate, channels } } = await state()
  assert.deepEqual([profile, bitrate, sampleRate, channels], ['he2', 32000, 48000, 2])
  await page.hasRecorded(0.5)
  await stop()
  await page.element('button', /^Start$/)
  await page.choose(/^Bitrate$/, /^24 kb/)
  assert.equal(await chosen('Preset'), 'Custom')
  await page.choose(/^Bitrate$/, /^32 kb/)
  assert.equal(await chosen('Preset'), 'Small radio')
  await page.choose(/^Preset$/, /^Fine music$/)
  assert.equal(await chosen('Bitrate'), '128 kb/s')
  await page.click('radio', /^Average$/)
  assert.equal(await chosen('Preset'), 'Custom')
  await page.click('radio', /^Constant$/)
  assert.equal(await chosen('Preset'), 'Fine music')
  // Samples have no profile and no bitrate.
  await page.click('radio', /^WAV/)
  assert.equal(await page.has('combobox', /^Preset$/), false)
  await page.click('radio', /^M4A/)
  await page.click('button', /^More$/)
})

test('the studio validates effects at their field and stores them', async () => {
  const { page, browser } = fixture
  await page.show('record')
  fixture.expected = [{ kind: 'network', pattern: /\/api\/(effects|record)\b.*\b400\b/ }]
  const field = await page.element('textbox', /^Effects$/)
  const isShown = () => browser.until((field) => field.ariaInvalid === 'true' &&
    document.getElementById(field.getAttribute('aria-describedby'))
      .innerText.includes('There is no effect “highpas”. Did you mean highpass?'),
  { values: [field], what: 'the error message at the field' })
  await page.fill('textbox', /^Effects$/, 'highpas 80')
  await browser.press('Tab')
  await isShown()
  await page.picture('record-effects')
  // Invalid effects prevent a recording.
  await page.click('button', /^Start$/)
  await browser.until((field) => document.activeElement === field, { values: [field],
    what: 'the error, which moves the focus to the field' })
  await isShown()
  assert.equal((await state()).phase, 'idle')
  await page.fill('textbox', /^Effects$/, 'speech')
  await browser.press('Tab')
  await browser.until((field) => field.ariaInvalid === 'false', { values: [field],
    what: 'the end of the error' })
  await until(async () => (await state()).settings.effects === 'speech', 'the effects')
  await browser.go('about:blank')
  await page.show('record')
  const again = await page.element('textbox', /^Effects$/)
  await browser.until((field) => field.value === 'speech', { values: [again],
    what: 'the previous effects' })
  assert.deepEqual(await browser.run(
    (field) => [...field.list.options].map(({ value }) => value), again),
  ['none', 'speech', 'interview', 'music', 'broadcast'])
  await page.fill('textbox', /^Effects$/, 'none')
  await browser.press('Tab')
  await until(async () => (await state()).settings.effects === '', 'no effects')
})

test('effects are changed and bypassed during recording', async () => {
  const { page, browser, studio } = fixture
  await page.show('record')
  assert.equal(await page.has('checkbox', /^Bypass/), false)
  const name = await start()
  const loudest = (sound, from, to) =>
    sound.subarray(from, to).reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)
  await page.hasRecorded(1.5)
  await page.fill('textbox', /^Effects$/, 'gain -60')
  await browser.press('Tab')
  await until(async () => (await state()).settings.effects === 'gain -60', 'the effects')
  const soft = await clock()
  await page.hasRecorded(soft + 3)
  await page.click('checkbox', /^Bypass/)
  await until(async () => (await state()).isBypassed, 'the bypass')
  const loud = await clock()
  await page.hasRecorded(loud + 3)
  await stop()
  await until(async () => !await page.has('checkbox', /^Bypass/), 'the end of the switch')
  const sound = decode(studio.file(name), rate)
  const part = (from, to) => loudest(sound, Math.round(from * rate), Math.round(to * rate))
  assert.ok(part(0.3, 1.3) > 0.05, `before: ${part(0.3, 1.3)}`)
  assert.ok(part(soft + 1, soft + 2) < 0.005, `with them: ${part(soft + 1, soft + 2)}`)
  assert.ok(part(loud + 1, loud + 2.5) > 0.05, `past them: ${part(loud + 1, loud + 2.5)}`)
  await page.fill('textbox', /^Effects$/, 'none')
  await browser.press('Tab')
  await until(async () => (await state()).settings.effects === '', 'no effects')
})

test('impossible settings are rejected with a message', async () => {
  const { studio } = fixture
  for (const fields of [
    { format: 'm4a', mode: 'cbr', bitrate: '12', device: 'tone' },
    { format: 'ogg', device: 'tone' }, { device: 'no-such-device' },
    { device: 'tone', sampleRate: '1', channels: '2' },
    { device: 'tone', profile: 'he2', channels: '1' }, { device: 'tone', profile: 'he3' },
  ]) {
    const response = await studio.request('/api/record', { fields })
    assert.ok(response.status === 400 || response.status === 503,
      `${JSON.stringify(fields)}: ${response.status}`)
    assert.match((await response.json()).error, /^[A-Z0-9“].*[.!]$/s)
  }
  assert.equal((await state()).phase, 'idle')
})

test('the loudness is shown next to the meters', async () => {
  const { page } = fixture
  await page.show('record')
  const readings = () => page.browser.run(() =>
    [...document.querySelectorAll('.loudness dd')].map((value) => value.textContent))
  await start()
  const [now, whole] = await until(async () => {
    const texts = await readings()
    return texts.length === 2 && texts.every((text) => text !== '–') && texts
  }, 'the loudness of the recording')
  for (const text of [now, whole]) assert.match(text, /^−\d+\.\d LUFS$/)
  await stop()
  await until(async () => (await readings()).every((text) => text === '–'), 'no loudness at rest')
})

test('listening moves the meters and records nothing', async () => {
  const { page, studio } = fixture
  await page.show('record')
  const before = fs.readdirSync(studio.recordings).length
  await page.click('button', /^Check level/)
  await phase('listening')
  await page.element('button[aria-pressed=true]', /^Check level/)
  await picturesMove(3)
  await page.click('button', /^Check level/)
  await phase('idle')
  assert.equal(fs.readdirSync(studio.recordings).length, before)
})

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
const { page, browser, studio, pulse } = fixture

/** Starts a recording with the button and returns its name. */
async function start() {
  await page.record()
  return (await studio.phase('recording')).recording.name
}

async function stop() {
  await page.click('button', /^Stop$/)
  const { last } = await studio.phase('idle')
  await page.element('button', /^Start$/)
  return last
}

/** Whether a recording contains a quarter of a second of the played signal. */
function hasSignal(sound) {
  return Array.from({ length: Math.floor(sound.length / rate * 4) }, (_, quarter) => (
    locate(sound.subarray(quarter / 4 * rate, (quarter + 1) / 4 * rate), reference).correlation))
    .some((correlation) => correlation > 0.95)
}

/** Waits until `count` of the visible pictures differ from their current state. */
async function picturesMove(count) {
  const before = await page.pictures()
  await until(async () => {
    const now = await page.pictures()
    return now.filter(({ data }, index) => data !== before[index]?.data).length >= count
  }, `movement in ${count} of ${before.map(({ name }) => name).join(', ')}`)
}

/** Waits until the list of devices has, or lacks, an option that matches a pattern. */
function untilListed(pattern, isListed = true) {
  return browser.until((pattern, isListed) => [...document.querySelectorAll('#view-record option')]
    .some(({ text }) => new RegExp(pattern).test(text)) === isListed,
  { values: [pattern, isListed], what: `${pattern} in the list, or its end` })
}

test('a microphone is checked, and recorded with a pause and a silent part', async () => {
  await page.show('record')
  for (const name of ['Test microphone', 'Spare microphone', '[Vv]oice']) await untilListed(name)
  await page.picture('record-idle')
  const before = fs.readdirSync(studio.recordings).length
  await page.click('button', /^Check level/)
  await studio.phase('listening')
  await page.element('button[aria-pressed=true]', /^Check level/)
  await picturesMove(3)
  await page.click('button', /^Check level/)
  await studio.phase('idle')
  assert.equal(fs.readdirSync(studio.recordings).length, before)

  const name = await start()
  await page.hasRecorded(3.1)
  // Meter, waveform, spectrogram and frames move. A spectrogram of noise has many shades.
  await picturesMove(4)
  await until(async () => (await page.colors('canvas')) > 100, 'a spectrogram')
  await browser.until(() => {
    const values = [...document.querySelectorAll('.loudness dd')]
    return values.length === 2 && values.every((value) => /^−\d+\.\d LUFS$/.test(value.textContent)) &&
      /\bkb\/s/.test(document.querySelector('.transport-facts').innerText)
  }, { what: 'the loudness and the bitrate' })
  await page.picture('record-busy')
  await page.click('button', /^Pause$/)
  await studio.phase('paused')
  await page.element('button', /^Resume$/)
  await page.picture('record-paused')
  const paused = await page.recorded()
  await pass(2)
  assert.ok(await page.recorded() - paused < 0.5, 'the clock stops in a pause')
  await page.click('button', /^Resume$/)
  await studio.phase('recording')

  await page.click('button', /^Mute$/)
  await until(async () => (await studio.state()).isMuted, 'the mute')
  await page.hasRecorded(await page.recorded() + 2)
  await page.click('button', /^Mute$/)
  await until(async () => !(await studio.state()).isMuted, 'the end of the mute')
  const shown = await page.recorded()
  const last = await stop()
  assert.ok(last.seconds >= shown - 0.1, `${last.seconds} s, shown as ${shown} s`)
  // The loudness of the whole recording stays, and all sizes are the size of the file.
  await browser.until(() => {
    const [now, whole] = [...document.querySelectorAll('.loudness dd')].map((value) => value.textContent)
    return now === '–' && /^−\d+\.\d LUFS$/.test(whole)
  }, { what: 'the loudness of the recording' })
  const { recordings: [listed] } = await studio.ask('/api/recordings')
  assert.deepEqual([listed.name, listed.bytes], [name, last.bytes])
  assert.ok(Math.abs(listed.bitrate - last.bitrate) < 2000, `${listed.bitrate} and ${last.bitrate} b/s`)
  const size = await page.says(`${name.replaceAll('.', '\\.')} is saved: [^,]*, [\\d.]+ .B`)
  const facts = await browser.run(() => document.querySelector('.transport-facts').innerText)
  assert.ok(facts.includes(/[\d.]+ .B$/.exec(size)[0]), facts)

  assert.equal(last.name, name)
  assert.equal(fs.statSync(studio.file(name)).size, last.bytes)
  const sound = decode(studio.file(name), rate)
  assert.ok(Math.abs(sound.length / rate - last.seconds) < 0.1, `${sound.length / rate} s`)
  assert.ok(hasSignal(sound))
  let silence = 0
  for (let at = 0; at + rate / 10 <= sound.length; at += rate / 10) {
    const part = sound.subarray(at, at + rate / 10)
    if (part.every((sample) => Math.abs(sample) < 0.001)) silence += 0.1
  }
  assert.ok(silence >= 1, `${silence} s are silent`)
})

test('an unplugged microphone is reported until it returns, and the recording continues', async () => {
  await page.show('record')
  const third = await pulse.plug('third', 'Third microphone')
  await untilListed('Third microphone')
  await pulse.unplug(third)
  await untilListed('Third microphone', false)

  await page.choose(/^Record from/, /^Test microphone/)
  const name = await start()
  await page.hasRecorded(1.5)
  await pulse.unplug(module)
  feed.stop()
  await page.says('The device was disconnected')
  await untilListed('Test microphone.*not connected')
  await page.picture('record-unplugged')
  await until(async () => !(await studio.ask('/api/devices')).devices.some(({ id }) => id === 'test'),
    'its end in the list')
  module = await pulse.plug('test', 'Test microphone')
  feed = pulse.feed('test', samples)
  await browser.until(() => !document.body.innerText.includes('until it returns or'),
    { what: 'its return' })
  await until(async () => (await studio.state()).recording?.isDeviceLost === false, 'its return')
  await page.hasRecorded(await page.recorded() + 2.5)
  assert.ok((await stop()).gapCount >= 1, 'a gap is reported')
  const sound = decode(studio.file(name), rate)
  assert.ok(hasSignal(sound.subarray(0, 1.5 * rate)), 'before the gap')
  assert.ok(hasSignal(sound.subarray(-2 * rate)), 'after the gap')
})

test('a microphone that delivers only zeros is reported during the recording and after it', async () => {
  await page.show('record')
  await page.choose(/^Record from/, /^Spare microphone/)
  const zeros = pulse.feed('spare', new Int16Array(2 * rate))
  await start()
  await page.says('No sound from .*Spare microphone.*Is it muted')
  assert.equal((await studio.state()).recording.isSilent, true)
  await page.picture('record-silent')
  assert.equal((await stop()).isSilent, true)
  await page.says('The whole recording is silent')
  zeros.stop()
  await page.choose(/^Record from/, /^Test microphone/)
})

test('the form sets the preset, the format and the effects', async () => {
  await page.show('record')
  await page.click('button', /^More$/)
  await page.says('For 44 kb/s per channel and more')
  await page.choose(/^Preset$/, /^Small radio$/)
  await page.says('For stereo below 28 kb')
  const values = []
  for (const name of ['Profile', 'Bitrate', 'Sampling rate', 'Channels']) {
    values.push(await page.chosen(`^${name}$`))
  }
  assert.deepEqual(values, ['HE-AAC v2', '32 kb/s', '48 kHz', 'Stereo'])
  const name = await start()
  const { recording: { profile, bitrate, sampleRate, channels } } = await studio.state()
  assert.deepEqual([profile, bitrate, sampleRate, channels], ['he2', 32000, 48000, 2])
  await page.hasRecorded(1.5)
  await stop()
  assert.ok(decode(studio.file(name), rate).length > rate)
  // Changing a field of a preset deselects it.
  await page.choose(/^Bitrate$/, /^24 kb/)
  assert.equal(await page.chosen(/^Preset$/), 'Custom')
  await page.choose(/^Bitrate$/, /^32 kb/)
  assert.equal(await page.chosen(/^Preset$/), 'Small radio')
  await page.choose(/^Preset$/, /^Fine music$/)
  await page.click('radio', /^Average$/)
  assert.equal(await page.chosen(/^Preset$/), 'Custom')
  await page.click('radio', /^Constant$/)
  assert.equal(await page.chosen(/^Preset$/), 'Fine music')

  for (const format of ['AAC', 'CAF']) {
    await page.click('radio', `^${format}`)
    assert.match(await start(), new RegExp(`\\.${format}$`, 'i'))
    await page.hasRecorded(0.5)
    await stop()
  }
  // Samples have no profile and no bitrate.
  await page.click('radio', /^WAV/)
  assert.equal(await page.has('combobox', /^Preset$/), false)
  fixture.expected = [{ kind: 'network', pattern: /\/api\/(effects|record)\b.*\b400\b/ }]
  const field = await page.element('textbox', /^Effects$/)
  const isShown = () => browser.until((field) => field.ariaInvalid === 'true' &&
    document.getElementById(field.getAttribute('aria-describedby'))
      .innerText.includes('There is no effect “highpas”. Did you mean highpass?'),
  { values: [field], what: 'the error message at the field' })
  const setEffects = async (text) => {
    await page.fill('textbox', /^Effects$/, text)
    await browser.press('Tab')
  }
  const haveEffects = (text) => until(async () => (await studio.state()).settings.effects === text, text)
  await setEffects('highpas 80')
  await isShown()
  await page.picture('record-effects')
  // Invalid effects prevent a recording.
  await page.click('button', /^Start$/)
  await browser.until((field) => document.activeElement === field,
    { values: [field], what: 'the focus at the field' })
  await isShown()
  assert.equal((await studio.state()).phase, 'idle')
  assert.equal(await page.has('checkbox', /^Bypass/), false)
  await setEffects('speech')
  await haveEffects('speech')
  await browser.until((field) => field.ariaInvalid === 'false', { values: [field],
    what: 'the end of the error' })

  assert.match(await start(), /\.wav$/)
  await setEffects('gain -60')
  await haveEffects('gain -60')
  await page.click('checkbox', /^Bypass/)
  await until(async () => (await studio.state()).isBypassed, 'the bypass')
  await page.hasRecorded(0.5)
  await stop()
  await until(async () => !await page.has('checkbox', /^Bypass/), 'the end of the switch')
  // A new page shows the effects of the studio, and suggests presets.
  await browser.go('about:blank')
  await page.show('record')
  const again = await page.element('textbox', /^Effects$/)
  await browser.until((field) => field.value === 'gain -60', { values: [again],
    what: 'the previous effects' })
  assert.deepEqual(await browser.run(
    (field) => [...field.list.options].map(({ value }) => value), again),
  ['none', 'speech', 'interview', 'music', 'broadcast'])
  await setEffects('none')
  await haveEffects('')
})

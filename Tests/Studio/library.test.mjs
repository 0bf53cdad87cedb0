// The library: a user's actions with recordings.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { useStudio } from './fixture.mjs'
import { bursts, decode, firstChannel, locate, writeWAV } from './sound.mjs'
import { aacorn, runAacorn } from './studio-process.mjs'
import { pass, until } from './waiting.mjs'

const rate = 44100
const samples = bursts(12, { rate })
const longName = `${'A walk along the shore '.repeat(7)}without_a_space_${'x'.repeat(40)}.m4a`

/**
 * Makes a recording with a program that is killed, and removes the end of the file, as if the disk had lost it.
 */
async function crash(file) {
  const recorder = spawn(aacorn, ['record', '-q', '--device', 'speech', file], { stdio: 'ignore' })
  await until(() => fs.existsSync(file) && fs.statSync(file).size > 30000, 'a recording')
  recorder.kill('SIGKILL')
  await once(recorder, 'exit')
  fs.truncateSync(file, fs.statSync(file).size - 777)
}

const fixture = await useStudio({
  browser: { network: true },
  async prepare(folder) {
    const source = writeWAV(path.join(folder, 'samples.wav'), samples, { rate })
    runAacorn('encode', '-q', '-b', '128k', source, '-o', path.join(folder, 'bursts.m4a'))
    for (const name of ['a <b>bold<br> & "quoted" name.m4a', longName, 'Größe 日本.m4a']) {
      fs.copyFileSync(path.join(folder, 'bursts.m4a'), path.join(folder, name))
    }
    await crash(path.join(folder, 'crashed.m4a'))
  },
})

const item = (name) => fixture.page.element('item', name)

/** Waits until the server's list has a matching entry. */
function entry(condition, what) {
  return until(async () => {
    const { recordings } = await fixture.studio.ask('/api/recordings')
    return recordings.find(condition)
  }, what)
}

test('recordings are shown with their names as text, lengths and waveforms', async () => {
  const { page } = fixture
  await page.show('library')
  for (const name of ['a <b>bold<br> & "quoted" name', longName.slice(0, -4), 'Größe 日本']) {
    await page.says(name.replace(/\s+/g, ' ').replace(/[()]/g, '.'))
  }
  await page.says('0:12')
  const row = await item('bursts.m4a')
  await until(async () => (await page.colors('canvas', row)) > 1, 'a waveform')
  await page.picture('library')
})

test('audio of other formats is named below the list', async () => {
  const { page, studio } = fixture
  await page.show('library')
  fs.writeFileSync(studio.file('song.mp3'), 'x')
  await page.says('1 file in the folder has another format and is not shown: song.mp3')
  fs.rmSync(studio.file('song.mp3'))
})

test('a recording plays, pauses and is sought, with requests for parts of it', async () => {
  const { page, browser } = fixture
  await page.show('library')
  await page.click('button', 'Play bursts.m4a')
  const slider = await page.element('slider', 'Position in bursts.m4a')
  const position = () => browser.run((slider) => Number(slider.ariaValueNow), slider)
  await until(async () => (await position()) >= 1, 'the second second')
  const box = await browser.run((slider) => {
    const { width, height } = slider.getBoundingClientRect()
    return { width, height }
  }, slider)
  assert.ok(box.width > 50 && box.height > 20)
  const clicked = performance.now()
  await browser.click(slider)
  const there = await until(async () => {
    const now = await position()
    return now >= 5 && now
  }, 'the middle')
  const least = there - (performance.now() - clicked) / 1000
  assert.ok(least <= 7, `a click in the middle leads to ${least} s or beyond`)
  await until(async () => (await position()) > there, 'audio after the middle')
  await page.click('button', 'Pause bursts.m4a')
  await page.element('button', 'Play bursts.m4a')
  const stopped = await position()
  await pass(1)
  assert.equal(await position(), stopped)
  await browser.press('Tab')
  await browser.run((slider) => slider.focus(), slider)
  await browser.press('ArrowLeft')
  await until(async () => (await position()) < stopped, 'a step back by key')

  const requests = (await browser.requests())
    .filter(({ url, status }) => new URL(url).pathname === '/recordings/bursts.m4a' && status)
  assert.ok(requests.some(({ status }) => status === 206))
  for (const { type } of requests) assert.equal(type, 'audio/mp4')
})

test('parts of a recording can be requested', async () => {
  const { studio } = fixture
  const whole = fs.readFileSync(studio.file('bursts.m4a'))
  for (const [range, from, to] of [
    ['bytes=0-0', 0, 1], ['bytes=100-299', 100, 300], [`bytes=${whole.length - 5}-`, -5],
    ['bytes=-7', -7], ['bytes=10-99999999', 10],
  ]) {
    const response = await studio.request('/recordings/bursts.m4a', { headers: { Range: range } })
    assert.equal(response.status, 206, range)
    const part = whole.subarray(from, to)
    assert.deepEqual(Buffer.from(await response.arrayBuffer()), part, range)
    const first = from < 0 ? whole.length + from : from
    assert.equal(response.headers.get('content-range'),
      `bytes ${first}-${first + part.length - 1}/${whole.length}`)
  }
  const response = await studio.request('/recordings/bursts.m4a',
    { headers: { Range: `bytes=${whole.length}-` } })
  assert.equal(response.status, 416)
  await response.arrayBuffer()
})

test('a download has the bytes of the file', async () => {
  const { page, browser, studio } = fixture
  await page.show('library')
  await page.click('link', 'Download bursts.m4a')
  const file = await browser.downloaded(/^bursts\.m4a$/)
  assert.deepEqual(fs.readFileSync(file), fs.readFileSync(studio.file('bursts.m4a')))
})

test('a recording is renamed, and a used name is rejected with a message', async () => {
  const { page, studio, browser } = fixture
  await page.show('library')
  const bytes = fs.readFileSync(studio.file('Größe 日本.m4a'))
  await page.click('button', 'Rename Größe 日本')
  fixture.expected = [{ kind: 'network', pattern: /\/rename\b.*\b409\b/ }]
  await page.fill('textbox', 'New name of Größe', 'bursts')
  await page.click('button', '^Save$')
  await browser.until(() => [...document.querySelectorAll('[role=alert]')]
    .some((element) => element.checkVisibility() && /bursts/.test(element.textContent)),
  { what: 'the message about the used name' })
  await page.fill('textbox', 'New name of Größe', 'Mole, früh')
  await browser.press('Enter')
  await item('Mole, früh.m4a')
  assert.deepEqual(fs.readFileSync(studio.file('Mole, früh.m4a')), bytes)
  assert.ok(!fs.existsSync(studio.file('Größe 日本.m4a')))
  // A name that would be outside the folder.
  const response = await studio.request('/api/recordings/bursts.m4a/rename',
    { fields: { to: '../outside.m4a' } })
  assert.ok(response.status >= 400)
  assert.ok(!fs.existsSync(path.join(studio.folder, 'outside.m4a')))
  await response.arrayBuffer()
})

test('a deleted recording is restored or permanently deleted', async () => {
  const { page, studio } = fixture
  await page.show('library')
  const bytes = fs.readFileSync(studio.file('Mole, früh.m4a'))
  await page.holdMessage('was deleted', () => page.click('button', 'Delete Mole, früh'))
  await until(() => !fs.existsSync(studio.file('Mole, früh.m4a')), 'the deletion')
  await page.click('button', '^Undo$')
  await until(() => fs.existsSync(studio.file('Mole, früh.m4a')), 'the return')
  assert.deepEqual(fs.readFileSync(studio.file('Mole, früh.m4a')), bytes)
  await item('Mole, früh.m4a')

  await page.click('button', 'Delete Mole, früh')
  await until(async () => (await studio.ask('/api/recordings')).deleted.length === 1, 'an entry')
  await page.click('button', /^Deleted \(/)
  await page.click('button', /^Erase… /)
  await page.click('button', /^Erase permanently /)
  await until(async () => (await studio.ask('/api/recordings')).deleted.length === 0, 'its end')
  const left = fs.readdirSync(path.join(studio.recordings, '.aacorn-deleted'))
  assert.ok(!left.some((name) => name.includes('Mole')), left.join())
})

test('a crashed recording is offered for repair, and its audio is recovered', async () => {
  const { page, studio } = fixture
  const { problem } = await entry(
    ({ name, status }) => name === 'crashed.m4a' && status === 'damaged', 'the diagnosis')
  assert.match(problem, /^[A-Z].*\.$/)
  await page.show('library')
  const row = await item('crashed.m4a')
  const before = fs.readFileSync(studio.file('crashed.m4a'))
  await page.click('button', 'Repair', { scope: row })
  const { name } = await entry(
    ({ name, status }) => /crashed.+\.m4a/.test(name) && status === 'fine', 'a repaired file')
  assert.deepEqual(fs.readFileSync(studio.file('crashed.m4a')), before)
  const repaired = decode(studio.file(name))
  assert.ok(repaired.length > 40000, `${repaired.length} samples`)
  await item(name.replace(/[().]/g, '.'))
})

test('the library contains the source audio unchanged', () => {
  // Verifies the tests above: they compare real audio, the audio of the source.
  const sound = decode(fixture.studio.file('bursts.m4a'), rate)
  const { correlation } = locate(firstChannel(samples).subarray(rate, 3 * rate), sound)
  assert.ok(correlation > 0.95, String(correlation))
})

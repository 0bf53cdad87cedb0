// The library: a user's actions with recordings.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import { test } from 'node:test'
import { useStudio } from './fixture.mjs'
import { bursts, decode, writeWAV } from './sound.mjs'
import { aacorn, runAacorn } from './studio-process.mjs'
import { pass, until } from './waiting.mjs'

const rate = 44100
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
  isWatched: true,
  async prepare(folder) {
    const source = writeWAV(`${folder}/samples.wav`, bursts(12, { rate }), { rate })
    runAacorn('encode', '-q', '-b', '128k', source, '-o', `${folder}/bursts.m4a`)
    for (const name of ['a <b>bold<br> & "quoted" name.m4a', longName, 'Größe 日本.m4a']) {
      fs.copyFileSync(`${folder}/bursts.m4a`, `${folder}/${name}`)
    }
    await crash(`${folder}/crashed.m4a`)
  },
})
const { page, browser, studio, witness } = fixture

test('recordings are listed, played, sought and downloaded', async () => {
  await page.show('library')
  for (const name of ['a <b>bold<br> & "quoted" name', longName.slice(0, -4), 'Größe 日本', '0:12']) {
    await page.says(name.replace(/\s+/g, ' '))
  }
  const row = await page.element('item', 'bursts.m4a')
  await until(async () => (await page.colors('canvas', row)) > 1, 'a waveform')
  await page.picture('library')
  fs.writeFileSync(studio.file('song.mp3'), 'x')
  await page.says('1 file in the folder has another format and is not shown: song.mp3')
  fs.rmSync(studio.file('song.mp3'))

  await page.click('button', 'Play bursts.m4a')
  const slider = await page.element('slider', 'Position in bursts.m4a')
  const position = () => browser.run((slider) => Number(slider.ariaValueNow), slider)
  await until(async () => (await position()) >= 1, 'the second second')
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
  // The page plays from requests for parts of the file.
  assert.ok(witness.requests.some(({ url, status }) => (
    url === '/recordings/bursts.m4a' && status === 206)))

  await page.click('link', 'Download bursts.m4a')
  const file = await browser.downloaded(/^bursts\.m4a$/)
  assert.deepEqual(fs.readFileSync(file), fs.readFileSync(studio.file('bursts.m4a')))
})

test('recordings are renamed, deleted, restored and repaired', async () => {
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
  await page.element('item', 'Mole, früh.m4a')
  const file = studio.file('Mole, früh.m4a')
  assert.deepEqual(fs.readFileSync(file), bytes)

  await page.holdMessage('was deleted', () => page.click('button', 'Delete Mole, früh'))
  await until(() => !fs.existsSync(file), 'the deletion')
  await page.click('button', '^Undo$')
  await until(() => fs.existsSync(file), 'the return')
  await page.element('item', 'Mole, früh.m4a')
  const deletedCount = (count) => until(async () =>
    (await studio.ask('/api/recordings')).deleted.length === count, `${count} deleted`)
  await page.click('button', 'Delete Mole, früh')
  await deletedCount(1)
  await page.click('button', /^Deleted \(/)
  await page.click('button', /^Erase… /)
  await page.click('button', /^Erase permanently /)
  await deletedCount(0)

  // A repaired file takes the place of the damaged one in the Inspect view.
  await page.click('link', 'Inspect crashed.m4a')
  await page.click('button', '^Repair$')
  await browser.until(() => {
    const labels = [...document.querySelectorAll('.inspect-sides > section')]
      .map((section) => section.getAttribute('aria-label'))
    return labels.length === 1 && labels[0] === 'crashed-repaired.m4a'
  }, { what: 'the repaired file in place of the damaged one' })
  // The view reads the file until its picture is complete.
  await browser.until(() => document.querySelectorAll('.wave-stage[data-ready]').length === 1,
    { what: 'the complete audio' })
  await page.show('library')
  await page.click('button', 'Delete crashed-repaired.m4a')
  await deletedCount(1)

  await page.click('button', 'Repair', { scope: await page.element('item', 'crashed.m4a') })
  const { name } = await until(async () => (await studio.ask('/api/recordings')).recordings
    .find(({ name, status }) => /crashed.+\.m4a/.test(name) && status === 'fine'), 'a repaired file')
  assert.ok(decode(studio.file(name)).length > 40000)
  await page.element('item', name.replace(/[().]/g, '.'))

  const original = await page.element('item', 'crashed.m4a')
  await page.says('Repaired as “crashed-repaired.m4a”')
  assert.ok(!await page.has('button', '^Repair$', original))
  await page.click('button', 'Delete the original', { scope: original })
  await deletedCount(2)
  assert.ok(!fs.existsSync(studio.file('crashed.m4a')))
})

test('the total size omits the current recording, whose row shows newer values', async () => {
  await page.show('library')
  const totals = async () => (await browser.run(() =>
    document.querySelector('.library-totals').textContent)).split('  ·  ')
  const [, duration, size] = await totals()
  const { recordings } = await studio.ask('/api/recordings')
  await studio.ask('/api/record', { fields: {
    device: 'speech', format: 'm4a', mode: 'cbr', bitrate: '128000', sampleRate: '48000',
    channels: '2', effort: 'balanced',
  } })
  try {
    await page.says(`${recordings.length + 1} recordings`)
    assert.deepEqual((await totals()).slice(1, 3), [duration, size])
  } finally {
    await studio.ask('/api/stop', { fields: {} })
  }
})

// Tests of the options: unknown names are rejected, and a bitrate is short for a rate control.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadDecoder } from '../../Npm/decoder.js'
import { AacornError, load } from '../../Npm/aacorn.js'
import { installWebCodecs } from '../../Npm/webcodecs.js'
import { wav } from './files.mjs'
import { published } from './load.mjs'
import { integers, sound } from './sound.mjs'

const stereo = { sampleRate: 44100, channels: 2 }
const samples = integers(sound(5000, 2, 44100, 1))
const file = wav(sound(5000, 2, 44100, 1), { rate: 44100, channels: 2 })

function encoded(aacorn, options) {
  const encoder = aacorn.encoder({ ...stereo, ...options })
  return [...encoder.encode(samples), ...encoder.finish().units]
}

test('zero does not select a default', async () => {
  const aacorn = await load()
  for (const number of [0, -1]) {
    for (const [code, options] of [
      ['sample-rate', { sampleRate: number }], ['channels', { channels: number }],
      ['bitrate', { bitrate: number }], ['bitrate', { rateControl: { constant: number } }],
      ['bitrate', { rateControl: { average: number } }], ['quality', { rateControl: { variable: number } }],
    ]) {
      const all = { ...stereo, ...options }
      assert.throws(() => aacorn.encoder(all), { name: 'AacornError', code })
      assert.throws(() => aacorn.fileEncoder({ ...all, container: 'm4a' }), { name: 'AacornError', code })
    }
    await assert.rejects(aacorn.decoder({ ...stereo, sampleRate: number }), { name: 'AacornError' })
    await assert.rejects(aacorn.decoder({ ...stereo, channels: number }), { name: 'AacornError' })
    await assert.rejects(aacorn.columns(number, 2), { name: 'AacornError', code: 'sample-rate' })
    await assert.rejects(aacorn.columns(48000, number), { name: 'AacornError', code: 'channels' })
  }
})

test('an unknown option is a TypeError that names it and the nearest known one', async () => {
  const aacorn = await load()
  const decoders = await loadDecoder(published('aacorn-decoder.wasm'))
  const stored = await aacorn.soundFile(file)
  const m4a = { ...stereo, container: 'm4a' }
  const calls = [
    ['bitRate', 'bitrate', () => aacorn.encoder({ ...stereo, bitRate: 64000 })],
    ['samplerate', 'sampleRate', () => aacorn.encoder({ ...stereo, samplerate: 64000 })],
    ['frameCounts', 'frameCount', () => aacorn.fileEncoder({ ...m4a, frameCounts: 5000 })],
    ['titel', 'title', () => aacorn.fileEncoder({ ...m4a, tags: { titel: 'A' } })],
    ['constnat', 'constant', () => aacorn.encoder({ ...stereo, rateControl: { constnat: 1 } })],
    ['dynamicrange', 'dynamicRange', () => aacorn.decoder(stereo, { dynamicrange: true })],
    ['dynamicrange', 'dynamicRange', () => decoders.decoder(stereo, { dynamicrange: true })],
    ['trimm', 'trim', () => aacorn.soundFile(file, { trimm: false })],
    ['trimm', 'trim', () => decoders.soundFile(file, { trimm: false })],
    ['onprogress', 'onProgress', () => stored.convert({ container: 'm4a', onprogress() {} })],
    ['onrows', 'onRows', () => aacorn.inspect(file, { onrows() {} })],
    ['sounds', 'sound', () => load(published('aacorn.wasm'), { sounds: 'a.wasm' })],
    ['sounds', 'sound', () => loadDecoder(published('aacorn-decoder.wasm'), { sounds: 'a.wasm' })],
    ['allways', 'always', () => installWebCodecs({ allways: true })],
  ]
  for (const [name, nearest, call] of calls) {
    const message = `There is no option “${name}”. Did you mean “${nearest}”? The options are: `
    await assert.rejects(async () => call(), (error) => (
      error instanceof TypeError && error.message.startsWith(message)), name)
  }
  assert.throws(() => aacorn.encoder({ ...stereo, kbps: 64 }), {
    name: 'TypeError',
    message: 'There is no option “kbps”. The options are: sampleRate, channels, bitrate, rateControl, ' +
      'effort, profile.',
  })
  await assert.rejects(aacorn.inspect(file, 'a'), { name: 'TypeError', message: 'Options must be an object.' })
})

test('a bitrate is a constant rate', async () => {
  const aacorn = await load()
  const expected = encoded(aacorn, { rateControl: { constant: 64000 } })
  assert.deepEqual(encoded(aacorn, { bitrate: 64000 }), expected)
  assert.deepEqual(encoded(aacorn, { bitrate: 64000.7, rateControl: undefined }), expected)
  assert.notDeepEqual(encoded(aacorn, {}), expected)

  const stored = await aacorn.soundFile(file)
  const files = []
  for (const options of [{ bitrate: 64000 }, { rateControl: { constant: 64000 } }]) {
    files.push(await (await stored.convert({ container: 'adts', ...options })).arrayBuffer())
  }
  assert.deepEqual(files[0], files[1])
})

test('two rates and invalid rates are rejected', async () => {
  const aacorn = await load()
  for (const [code, options] of [
    ['option', { bitrate: 64000, rateControl: { constant: 64000 } }],
    ['option', { rateControl: { constant: 64000, variable: 3 } }],
    ['option', { rateControl: {} }],
    ['option', { rateControl: null }],
    ['bitrate', { bitrate: '128k' }],
    ['bitrate', { bitrate: null }],
    ['bitrate', { bitrate: 0 }],
  ]) {
    assert.throws(() => aacorn.encoder({ ...stereo, ...options }), (error) => (
      error instanceof AacornError && error.code === code), JSON.stringify(options))
  }
})

// Tests of the interface below aacorn.js: handles, memory, what is refused.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bare, fresh, published } from './load.mjs'
import { integers, sound } from './sound.mjs'

const modules = [
  'aacorn.wasm', 'aacorn-decoder.wasm', 'aacorn-sound.wasm', 'aacorn-inspector.wasm',
]
const stereo = { sampleRate: 44100, channels: 2, rateControl: { constant: 128000 } }

for (const name of modules) {
  test(`${name} imports nothing and exports only the interface`, () => {
    const module = new WebAssembly.Module(published(name))
    assert.deepEqual(WebAssembly.Module.imports(module), [])
    for (const { name } of WebAssembly.Module.exports(module)) {
      assert.match(name, /^(memory|aacorn_.*)$/)
    }
    assert.equal(bare(name).aacorn_version(), 3)
  })

  test(`${name}: a handle that names nothing, or something else, does no harm`, () => {
    const wasm = bare(name)
    const others = wasm.aacorn_encoder_create
      ? [wasm.aacorn_columns_create(44100, 2), wasm.aacorn_source_create(100)] : []
    const closed = wasm.aacorn_encoder_create?.(44100, 2, 0, 128000, 1) ??
      wasm.aacorn_inspector_create?.(100) ?? wasm.aacorn_sound_create?.(100, 0) ??
      wasm.aacorn_decoder_create()
    wasm.aacorn_close(closed)
    for (const wrong of [closed, 0, -1, 1000, 2147483647, -2147483648, ...others]) {
      if (!others.includes(wrong)) {
        wasm.aacorn_close(wrong)
        assert.equal(wasm.aacorn_input(wrong, 100), 0)
        assert.equal(wasm.aacorn_output(wrong), 0)
      }
      for (const [call, value] of Object.entries(wasm)) {
        if (!/^aacorn_(encoder|decoder|sound|inspector)_/.test(call)) continue
        if (call.endsWith('_create')) continue
        const result = value(wrong, 0, 0, 0, 0, 0, 0)
        const isNumber =
          /_(priming|remainder|offset|wanted|frames|rate|channels|container)$/.test(call)
        // A source whose header is not complete cannot be converted yet.
        const expected = isNumber ? [0] : call.endsWith('_convert') ? [-8, -10]
          : call.endsWith('_profile') ? [result] : [-8]
        assert.ok(expected.includes(result), `${call}(${wrong}) is ${result}`)
      }
    }
  })

  test(`${name}: no more memory is given than is sensible`, () => {
    const wasm = bare(name)
    const handle = wasm.aacorn_inspector_create?.(100) ?? wasm.aacorn_source_create?.(100) ??
      wasm.aacorn_sound_create?.(100, 0) ?? wasm.aacorn_decoder_create()
    assert.equal(wasm.aacorn_input(handle, 2147483647), 0)
    assert.equal(wasm.aacorn_input(handle, -1), 0)
    assert.notEqual(wasm.aacorn_input(handle, 1 << 26), 0)
    assert.notEqual(wasm.aacorn_input(handle, 0), 0)
  })
}

test('the configuration of 44.1 kHz stereo is 12 10', async () => {
  const encoder = (await fresh()).encoder(stereo)
  assert.deepEqual(encoder.audioSpecificConfig, Uint8Array.of(0x12, 0x10))
})

test('what cannot be encoded is refused with a number of its own', () => {
  const { aacorn_encoder_create: create } = bare('aacorn.wasm')
  assert.equal(create(44101, 2, 0, 128000, 1), -1)
  assert.equal(create(44100, 7, 0, 128000, 1), -2)
  assert.equal(create(44100, 2, 0, 100, 1), -3)
  assert.equal(create(44100, 2, 0, 2147483647, 1), -3)
  assert.equal(create(44100, 2, 2, 6, 1), -5)
  assert.equal(create(44100, 2, 4, 128000, 1), -6)
  assert.equal(create(44100, 2, -1, 128000, 1), -6)
  assert.equal(create(44100, 2, 0, 128000, 3), -7)
  assert.equal(create(44100, 2, 0, 128000, -1), -7)
  assert.equal(create(-1, -1, 0, -1, 0), -1)
  assert.equal(create(-2147483648, 2147483647, 3, 0, 0), -1)
  assert.equal(create(44100, 2147483647, 3, 0, 0), -2)
  for (const profile of [-1, 4]) assert.equal(create(44100, 2, 0, 64000, 1, profile), -19)
  for (const channels of [1, 6]) assert.equal(create(44100, channels, 0, 32000, 1, 2), -40)
  // A profile is chosen by a bitrate, though none suits what is not possible.
  assert.equal(create(-2147483648, 2147483647, 3, 0, 0, 3), -1)
  assert.equal(create(44100, 2147483647, 0, 2147483647, 0, 3), -2)
})

test('more samples than the input has room for are refused', () => {
  const wasm = bare('aacorn.wasm')
  const handle = wasm.aacorn_encoder_create(44100, 2, 0, 128000, 1)
  assert.equal(wasm.aacorn_encoder_encode_int16(handle, 1), -9)
  wasm.aacorn_input(handle, 100)
  assert.equal(wasm.aacorn_encoder_encode_int16(handle, 50), 0)
  assert.equal(wasm.aacorn_encoder_encode_int16(handle, 51), -9)
  assert.equal(wasm.aacorn_encoder_encode_float(handle, 26), -9)
  assert.equal(wasm.aacorn_encoder_encode_int16(handle, -1), -9)
  assert.equal(wasm.aacorn_encoder_encode_float(handle, 2147483647), -9)
  assert.equal(wasm.aacorn_encoder_encode_bytes(handle, 1), -10)
})

test('counts of bytes that are none are refused', () => {
  const { aacorn_source_create: source } = bare('aacorn.wasm')
  const { aacorn_inspector_create: inspector } = bare('aacorn-inspector.wasm')
  const { aacorn_sound_create: sound } = bare('aacorn-sound.wasm')
  for (const wrong of [NaN, -1, Infinity, -Infinity, 2 ** 60]) {
    assert.equal(source(wrong), -14)
    assert.equal(inspector(wrong), -14)
    assert.equal(sound(wrong, 0), -14)
  }
})

test('two encoders do not disturb each other', async () => {
  const aacorn = await fresh()
  const samples = integers(sound(20000, 2, 44100, 3))
  const alone = aacorn.encoder(stereo)
  const expected = alone.encode(samples)
  alone.close()

  const one = aacorn.encoder(stereo)
  const other = aacorn.encoder({ ...stereo, rateControl: { constant: 64000 }, effort: 'fast' })
  const units = []
  for (let offset = 0; offset < samples.length; offset += 1000) {
    units.push(...one.encode(samples.subarray(offset, offset + 1000)))
    other.encode(samples.subarray(offset, offset + 1000))
  }
  assert.deepEqual(units, expected)
})

/** Pages of the module's memory, of which an empty encoder tells nothing. */
function memory(wasm) {
  return wasm.memory.buffer.byteLength
}

test('memory does not grow while a thousand encoders come and go', () => {
  const wasm = bare('aacorn.wasm')
  const samples = integers(sound(6000, 2, 44100, 5))
  const bytes = new Uint8Array(samples.buffer)
  const run = (round) => {
    const handle = wasm.aacorn_encoder_create(44100, 2, 0, 128000, round % 3)
    assert.ok(handle > 0 && handle < 3)
    if (round % 2) assert.equal(wasm.aacorn_encoder_file(handle, round & 2 ? 0 : 1, -1), 0)
    const pointer = wasm.aacorn_input(handle, bytes.length) >>> 0
    new Uint8Array(wasm.memory.buffer, pointer, bytes.length).set(bytes)
    wasm.aacorn_encoder_encode_int16(handle, samples.length)
    while (wasm.aacorn_encoder_next(handle) > 0);
    // Every third is left in the middle.
    if (round % 3) {
      wasm.aacorn_encoder_finish(handle)
      while (wasm.aacorn_encoder_next(handle) > 0);
    }
    wasm.aacorn_close(handle)
  }
  for (let round = 0; round < 12; round++) run(round)
  const before = memory(wasm)
  for (let round = 0; round < 1000; round++) run(round)
  assert.equal(memory(wasm), before)
})

test('memory does not grow while one encoder runs on', () => {
  const wasm = bare('aacorn.wasm')
  const handle = wasm.aacorn_encoder_create(44100, 2, 0, 128000, 0)
  const samples = integers(sound(4096, 2, 44100, 6))
  const bytes = new Uint8Array(samples.buffer)
  const run = () => {
    const pointer = wasm.aacorn_input(handle, bytes.length) >>> 0
    new Uint8Array(wasm.memory.buffer, pointer, bytes.length).set(bytes)
    wasm.aacorn_encoder_encode_int16(handle, samples.length)
    while (wasm.aacorn_encoder_next(handle) > 0);
  }
  for (let round = 0; round < 20; round++) run()
  const before = memory(wasm)
  for (let round = 0; round < 300; round++) run()
  assert.equal(memory(wasm), before)
})

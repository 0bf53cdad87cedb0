// Tests of the WebAssembly interface: node --test with AACORN_WASM naming the module.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readFileSync } from 'node:fs'
import { Encoder, load } from './aacorn.mjs'
import { integers, sound } from './sound.mjs'

const path = process.env.AACORN_WASM
const stereo = { rate: 44100, channels: 2, mode: 'constant', value: 128000, effort: 'balanced' }

test('the module imports nothing and exports only the interface', () => {
  const module = new WebAssembly.Module(readFileSync(path))
  assert.deepEqual(WebAssembly.Module.imports(module), [])
  for (const { name } of WebAssembly.Module.exports(module)) {
    assert.match(name, /^(memory|aacorn_.*)$/)
  }
  assert.equal(load(path).aacorn_version(), 1)
})

test('the configuration of 44.1 kHz stereo is 12 10', () => {
  const encoder = new Encoder(load(path), stereo)
  assert.equal(encoder.configuration.toString('hex'), '1210')
})

test('what cannot be encoded is refused with a number of its own', () => {
  const { aacorn_encoder_create: create } = load(path)
  assert.equal(create(44101, 2, 0, 128000, 1), -1)
  assert.equal(create(44100, 7, 0, 128000, 1), -2)
  assert.equal(create(44100, 2, 0, 100, 1), -3)
  assert.equal(create(44100, 2, 0, 2147483647, 1), -3)
  assert.equal(create(44100, 2, 2, 6, 1), -5)
  assert.equal(create(44100, 2, 3, 128000, 1), -6)
  assert.equal(create(44100, 2, 0, 128000, 3), -7)
  assert.equal(create(44100, 2, 0, 128000, -1), -7)
  assert.equal(create(-1, -1, 0, -1, 0), -1)
})

test('a handle that names no encoder does no harm', () => {
  const wasm = load(path)
  const handle = wasm.aacorn_encoder_create(44100, 2, 0, 128000, 1)
  wasm.aacorn_encoder_destroy(handle)
  for (const wrong of [handle, 0, -1, 1000, 2147483647, -2147483648]) {
    wasm.aacorn_encoder_destroy(wrong)
    assert.equal(wasm.aacorn_encoder_input(wrong, 100), 0)
    assert.equal(wasm.aacorn_encoder_encode_int16(wrong, 0), -8)
    assert.equal(wasm.aacorn_encoder_encode_float(wrong, 0), -8)
    assert.equal(wasm.aacorn_encoder_next(wrong), -8)
    assert.equal(wasm.aacorn_encoder_config(wrong), -8)
    assert.equal(wasm.aacorn_encoder_finish(wrong), -8)
    assert.equal(wasm.aacorn_encoder_output(wrong), 0)
  }
})

test('more samples than the input has room for are refused', () => {
  const wasm = load(path)
  const handle = wasm.aacorn_encoder_create(44100, 2, 0, 128000, 1)
  assert.equal(wasm.aacorn_encoder_encode_int16(handle, 1), -9)
  wasm.aacorn_encoder_input(handle, 100)
  assert.equal(wasm.aacorn_encoder_encode_int16(handle, 50), 0)
  assert.equal(wasm.aacorn_encoder_encode_int16(handle, 51), -9)
  assert.equal(wasm.aacorn_encoder_encode_float(handle, 26), -9)
  assert.equal(wasm.aacorn_encoder_encode_int16(handle, -1), -9)
  assert.equal(wasm.aacorn_encoder_encode_float(handle, 2147483647), -9)
})

test('an encoder without samples gives no unit and nothing to trim but its delay', () => {
  const encoder = new Encoder(load(path), stereo)
  encoder.finish()
  assert.deepEqual(encoder.take(), [])
})

test('two encoders do not disturb each other', () => {
  const wasm = load(path)
  const samples = integers(sound(20000, 2, 44100, 3))
  const alone = new Encoder(wasm, stereo)
  alone.encode(samples)
  const expected = alone.take()
  alone.destroy()

  const one = new Encoder(wasm, stereo)
  const other = new Encoder(wasm, { ...stereo, value: 64000, effort: 'fast' })
  const units = []
  for (let offset = 0; offset < samples.length; offset += 1000) {
    one.encode(samples.subarray(offset, offset + 1000))
    other.encode(samples.subarray(offset, offset + 1000))
    other.take()
    units.push(...one.take())
  }
  assert.deepEqual(units, expected)
})

test('memory does not grow while encoders come and go', () => {
  const wasm = load(path)
  const samples = integers(sound(6000, 2, 44100, 5))
  const run = () => {
    const encoder = new Encoder(wasm, stereo)
    encoder.encode(samples)
    encoder.take()
    encoder.finish()
    encoder.take()
    encoder.destroy()
  }
  for (let round = 0; round < 3; round++) run()
  const before = wasm.memory.buffer.byteLength
  for (let round = 0; round < 200; round++) run()
  assert.equal(wasm.memory.buffer.byteLength, before)
})

test('memory does not grow while one encoder runs on', () => {
  const wasm = load(path)
  const encoder = new Encoder(wasm, { ...stereo, effort: 'fast' })
  const samples = integers(sound(4096, 2, 44100, 6))
  const run = () => {
    encoder.encode(samples)
    encoder.take()
  }
  for (let round = 0; round < 20; round++) run()
  const before = wasm.memory.buffer.byteLength
  for (let round = 0; round < 300; round++) run()
  assert.equal(wasm.memory.buffer.byteLength, before)
})

// Tests of the interface below aacorn.js: handles, memory, rejections.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { load } from '../../Npm/aacorn.js'
import { wav } from './files.mjs'
import { bare, checkMemory, published, write } from './load.mjs'
import { integers, sound } from './sound.mjs'

/** The modules, and the function that creates a session of each. */
const modules = {
  'aacorn.wasm': (wasm) => wasm.aacorn_encoder_create(44100, 2, 0, 128000, 1, 0),
  'aacorn-samples.wasm': (wasm) => wasm.aacorn_source_create(100),
  'aacorn-decoder.wasm': (wasm) => wasm.aacorn_decoder_create(),
  'aacorn-sound.wasm': (wasm) => wasm.aacorn_sound_create(100, 0),
  'aacorn-inspector.wasm': (wasm) => wasm.aacorn_inspector_create(100),
}
const stereo = { sampleRate: 44100, channels: 2, rateControl: { constant: 128000 } }

for (const [name, create] of Object.entries(modules)) {
  test(`${name} imports nothing and exports only the interface`, () => {
    const module = new WebAssembly.Module(published(name))
    assert.deepEqual(WebAssembly.Module.imports(module), [])
    for (const { name } of WebAssembly.Module.exports(module)) {
      assert.match(name, /^(memory|aacorn_.*)$/)
    }
    assert.equal(bare(name).aacorn_version(), 4)
  })

  test(`${name}: an invalid handle or a handle of another type is rejected`, () => {
    const wasm = bare(name)
    const others = name === 'aacorn-samples.wasm'
      ? { columns: wasm.aacorn_columns_create(44100, 2), source: create(wasm) } : {}
    const closed = create(wasm)
    wasm.aacorn_close(closed)
    const wrongs = [closed, 0, -1, 1000, 2147483647, -2147483648]
    for (const wrong of wrongs) {
      wasm.aacorn_close(wrong)
      assert.equal(wasm.aacorn_input(wrong, 100), 0)
      assert.equal(wasm.aacorn_output(wrong), 0)
    }
    for (const wrong of [...wrongs, ...Object.values(others)]) {
      for (const [call, value] of Object.entries(wasm)) {
        const kind = /^aacorn_([a-z]+)_/.exec(call)?.[1]
        // Of the functions that create an object, only `aacorn_conversion_create` has a handle parameter.
        const isOther = call.endsWith('_create') && kind !== 'conversion'
        if (!kind || isOther || others[kind] === wrong) continue
        const result = value(wrong, 0, 0, 0, 0, 0, 0)
        const isNumber =
          /_(priming|remainder|offset|length|position|wanted|frames|rate|channels|container)$/.test(call)
        // A profile or a default bitrate has no handle. A source with an incomplete header cannot be converted yet.
        const isEarly = call === 'aacorn_conversion_create' && wrong === others.source
        const expected = isNumber ? 0 : isEarly ? -10 : /_(profile|default_bitrate)$/.test(call) ? result : -8
        assert.equal(result, expected, `${call}(${wrong}) is ${result}`)
      }
    }
  })

  test(`${name}: memory requests are limited`, () => {
    const wasm = bare(name)
    const handle = create(wasm)
    assert.equal(wasm.aacorn_input(handle, 2147483647), 0)
    assert.equal(wasm.aacorn_input(handle, -1), 0)
    assert.notEqual(wasm.aacorn_input(handle, 1 << 26), 0)
    assert.notEqual(wasm.aacorn_input(handle, 0), 0)
  })
}

test('every impossible encoding is rejected with its own number', () => {
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
  // A bitrate selects a profile, even if no profile fits impossible values.
  assert.equal(create(-2147483648, 2147483647, 3, 0, 0, 3), -1)
  assert.equal(create(44100, 2147483647, 0, 2147483647, 0, 3), -2)
})

test('more samples than the input can hold are rejected', () => {
  const wasm = bare('aacorn.wasm')
  const handle = wasm.aacorn_encoder_create(44100, 2, 0, 128000, 1)
  assert.equal(wasm.aacorn_encoder_encode_int16(handle, 1), -9)
  wasm.aacorn_input(handle, 100)
  assert.equal(wasm.aacorn_encoder_encode_int16(handle, 50), 0)
  assert.equal(wasm.aacorn_encoder_encode_int16(handle, 51), -9)
  assert.equal(wasm.aacorn_encoder_encode_float(handle, 26), -9)
  assert.equal(wasm.aacorn_encoder_encode_int16(handle, -1), -9)
  assert.equal(wasm.aacorn_encoder_encode_float(handle, 2147483647), -9)
})

test('a file is begun once, before the samples, and at a valid rate', () => {
  const wasm = bare('aacorn.wasm')
  const handle = wasm.aacorn_encoder_create(44100, 2, 0, 128000, 1, 0)
  assert.equal(wasm.aacorn_encoder_file(handle, 2, 1000, 0), -11)
  assert.equal(wasm.aacorn_encoder_file(handle, 0, 1000, -1), -1)
  assert.equal(wasm.aacorn_encoder_file(handle, 0, 1000, 2147483647), 0)
  assert.equal(wasm.aacorn_encoder_file(handle, 0, 1000, 0), -10)
})

/** Returns a source of 100 frames of 16-bit stereo at 44.1 kHz, and its bytes. */
function stored(wasm) {
  const bytes = wav(sound(100, 2, 44100, 1), { rate: 44100, channels: 2 })
  const source = wasm.aacorn_source_create(bytes.length)
  write(wasm, source, bytes)
  assert.equal(wasm.aacorn_source_push(source, bytes.length), 1)
  return { source, bytes: bytes.subarray(wasm.aacorn_source_position(source)) }
}

test('16-bit samples stay unchanged unless they need a conversion', () => {
  const wasm = bare('aacorn-samples.wasm')
  const { source, bytes } = stored(wasm)
  const plain = wasm.aacorn_conversion_create(source, 0, 0)
  const faster = wasm.aacorn_conversion_create(source, 48000, 0)
  const mono = wasm.aacorn_conversion_create(source, 44100, 1)
  // The conversion works after the source is closed.
  wasm.aacorn_close(source)
  const facts = (handle) => ['rate', 'channels', 'integer', 'complete'].map((name) => (
    wasm[`aacorn_conversion_${name}`](handle)))
  assert.deepEqual(facts(plain), [44100, 2, 1, 0])
  assert.deepEqual(facts(faster), [48000, 2, 0, 0])
  assert.deepEqual(facts(mono), [44100, 1, 0, 0])
  for (const [handle, pushed, all] of [[plain, 200, 200], [faster, null, 218], [mono, 100, 100]]) {
    write(wasm, handle, bytes)
    const count = wasm.aacorn_conversion_push(handle, bytes.length)
    if (pushed !== null) assert.equal(count, pushed)
    if (handle === plain) {
      const output = Buffer.from(wasm.memory.buffer, wasm.aacorn_output(handle) >>> 0, 400)
      assert.equal(Buffer.compare(output, bytes), 0)
    }
    assert.equal(wasm.aacorn_conversion_complete(handle), 1)
    assert.equal(count + wasm.aacorn_conversion_finish(handle), all)
  }
})

test('every impossible conversion is rejected with its own number', () => {
  const wasm = bare('aacorn-samples.wasm')
  const { source, bytes } = stored(wasm)
  const create = wasm.aacorn_conversion_create
  assert.equal(create(source, -1, 0), -1)
  assert.equal(create(source, 0, -1), -2)
  assert.equal(create(source, 0, 3), -16)
  assert.equal(create(source, 2147483647, 0), -18)
  const handle = create(source, 0, 0)
  assert.equal(wasm.aacorn_conversion_push(handle, 1), -9)
  write(wasm, handle, bytes)
  assert.equal(wasm.aacorn_conversion_push(handle, -1), -9)
  // Half a frame is invalid.
  assert.equal(wasm.aacorn_conversion_push(handle, 3), 0)
  assert.equal(wasm.aacorn_conversion_finish(handle), -15)
  assert.equal(wasm.aacorn_conversion_finish(handle), 0)
  assert.equal(wasm.aacorn_conversion_push(handle, 4), -10)
})

test('invalid byte counts are rejected', () => {
  const { aacorn_source_create: source } = bare('aacorn-samples.wasm')
  const { aacorn_inspector_create: inspector } = bare('aacorn-inspector.wasm')
  const { aacorn_sound_create: sound } = bare('aacorn-sound.wasm')
  for (const wrong of [NaN, -1, Infinity, -Infinity, 2 ** 60]) {
    assert.equal(source(wrong), -14)
    assert.equal(inspector(wrong), -14)
    assert.equal(sound(wrong, 0), -14)
  }
})

test('two encoders do not disturb each other', async () => {
  const aacorn = await load()
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

test('memory does not grow with a thousand encoders', () => {
  const wasm = bare('aacorn.wasm')
  const samples = integers(sound(6000, 2, 44100, 5))
  const bytes = new Uint8Array(samples.buffer)
  checkMemory(wasm, 1000, (round) => {
    const handle = wasm.aacorn_encoder_create(44100, 2, 0, 128000, round % 3)
    assert.ok(handle > 0 && handle < 3)
    if (round % 2) assert.equal(wasm.aacorn_encoder_file(handle, round & 2 ? 0 : 1, -1, 0), 0)
    write(wasm, handle, bytes)
    wasm.aacorn_encoder_encode_int16(handle, samples.length)
    while (wasm.aacorn_encoder_next(handle) > 0);
    // Every third encoder is not finished.
    if (round % 3) {
      wasm.aacorn_encoder_finish(handle)
      while (wasm.aacorn_encoder_next(handle) > 0);
    }
    wasm.aacorn_close(handle)
  })
})

test('memory does not grow with a thousand conversions', () => {
  const wasm = bare('aacorn-samples.wasm')
  checkMemory(wasm, 1000, (round) => {
    const { source, bytes } = stored(wasm)
    const handle = wasm.aacorn_conversion_create(source, round & 1 ? 48000 : 0, round & 2 ? 1 : 0)
    assert.ok(handle > 0 && handle < 3)
    write(wasm, handle, bytes)
    assert.ok(wasm.aacorn_conversion_push(handle, bytes.length) > 0)
    // Every third conversion is not finished.
    if (round % 3) assert.ok(wasm.aacorn_conversion_finish(handle) >= 0)
    wasm.aacorn_close(source)
    wasm.aacorn_close(handle)
  })
})

test('memory does not grow during long encoding', () => {
  const wasm = bare('aacorn.wasm')
  const handle = wasm.aacorn_encoder_create(44100, 2, 0, 128000, 0)
  const samples = integers(sound(4096, 2, 44100, 6))
  const bytes = new Uint8Array(samples.buffer)
  checkMemory(wasm, 300, () => {
    write(wasm, handle, bytes)
    wasm.aacorn_encoder_encode_int16(handle, samples.length)
    while (wasm.aacorn_encoder_next(handle) > 0);
  })
})

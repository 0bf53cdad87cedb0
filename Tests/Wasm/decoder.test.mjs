// Decoding: units and files become samples, damage is concealed, and any part of a file can be read.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AacornError, load, loadDecoder } from '../../Npm/aacorn.js'
import { aiff, caf, wav } from './files.mjs'
import { bare, bytesOf, checkMemory, published, write } from './load.mjs'
import { encodedSound, interleaved, random, sound } from './sound.mjs'

const aacorn = await load()
const decoders = await loadDecoder()

/** Returns units of test audio, and the configuration for their decoder. */
function units(options, frames = 30000) {
  const { sampleRate = 44100, channels = 2 } = options
  const encoder = aacorn.encoder({ sampleRate, channels, ...options })
  const config = encoder.audioSpecificConfig
  const list = encoder.encode(sound(frames, channels, sampleRate, 5))
  const { units: last, priming, remainder } = encoder.finish()
  encoder.close()
  return { config, list: [...list, ...last], priming, remainder }
}

const coded = (options) => encodedSound(aacorn, options, 30000)

/** Returns a file of which 500 bytes of the audio are damaged. */
async function damaged(container) {
  const bytes = await bytesOf(coded({ container }))
  const next = random(3)
  const start = container === 'm4a' ? bytes.length - 8000 : 4000
  for (let index = start; index < start + 500; index++) bytes[index] = next() >>> 9
  return bytes
}

/** Returns one channel of interleaved samples. */
function plane(samples, channels, channel) {
  return Float32Array.from({ length: samples.length / channels }, (_, frame) => (
    samples[frame * channels + channel]))
}

/** Decodes all units and joins the samples of a channel. */
function decodeAll(decoder, list, channel = 0) {
  return Float32Array.from(list.flatMap((unit) => [...decoder.decode(unit).channels[channel]]))
}

test('the automatic profile depends on the bitrate, and is AAC-LC if that varies', () => {
  const configurationOf = (rateControl, profile, channels = 2) => {
    const encoder = aacorn.fileEncoder({
      sampleRate: 48000, channels, rateControl, profile, container: 'm4a' })
    const config = encoder.audioSpecificConfig
    encoder.close()
    return config
  }
  for (const [rateControl, profile, channels] of [
    [{ constant: 128000 }, 'lc'], [{ variable: 1 }, 'lc'], [undefined, 'lc'],
    [{ constant: 48000 }, 'he'], [{ average: 48000 }, 'he'], [{ constant: 24000 }, 'he', 1],
  ]) {
    assert.deepEqual(
      configurationOf(rateControl, 'auto', channels), configurationOf(rateControl, profile, channels))
  }
  assert.notDeepEqual(configurationOf({ constant: 48000 }, 'he'), configurationOf({ constant: 48000 }, 'lc'))
})

for (const [sampleRate, channels] of [[44100, 1], [48000, 2], [22050, 3], [48000, 6], [96000, 8]]) {
  // bit-exact.mjs compares the samples with the native decoder's.
  test(`audio of ${sampleRate} Hz with ${channels} channels keeps its rate and channels`, () => {
    const { config, list } = units({ sampleRate, channels }, 20000)
    const decoder = decoders.decoder(config)
    const parts = list.map((unit) => decoder.decode(unit))
    decoder.close()
    for (const part of parts) {
      assert.equal(part.sampleRate, sampleRate)
      assert.equal(part.channels.length, channels)
      assert.equal(part.layout.length, channels)
      assert.equal(part.isConcealed, false)
      for (const samples of part.channels) assert.equal(samples.length, 1024)
    }
  })
}

test('a decoder accepts a rate and channels as its configuration', () => {
  const { config, list } = units({})
  const [one, other] = [config, { sampleRate: 44100, channels: 2 }].map((configuration) => (
    decodeAll(decoders.decoder(configuration), list)))
  assert.deepEqual(one, other)
  const buffer = config.slice().buffer
  assert.deepEqual(decodeAll(decoders.decoder(buffer), list), one)
})

test('a reset decoder starts like a new one', () => {
  const { config, list } = units({})
  const decoder = decoders.decoder(config)
  const first = decodeAll(decoder, list)
  decoder.reset()
  assert.deepEqual(decodeAll(decoder, list), first)
})

test('the audio is correct soon after a jump', () => {
  const { config, list } = units({})
  const whole = decodeAll(decoders.decoder(config), list)
  const decoder = decoders.decoder(config)
  decoder.reset(10)
  const rest = decodeAll(decoder, list.slice(10))
  assert.deepEqual(rest.subarray(1024), whole.subarray(11 * 1024))
})

test('a damaged unit is concealed and reported', () => {
  const { config, list } = units({})
  const decoder = decoders.decoder(config)
  const concealed = []
  const next = random(4)
  for (const [index, unit] of list.entries()) {
    const isDamaged = index === 12 || index === 13
    const bytes = isDamaged ? unit.slice(0, 20 + next() % 20) : unit
    const { channels, isConcealed } = index === 20 ? decoder.conceal() : decoder.decode(bytes)
    if (isConcealed) concealed.push(index)
    assert.equal(channels.length, 2)
    for (const samples of channels) {
      assert.equal(samples.length, 1024)
      assert.ok(samples.every((sample) => Math.abs(sample) < 4), `unit ${index}`)
    }
  }
  assert.deepEqual(concealed, [12, 13, 20])
})

test('undecodable data is rejected with a message', async () => {
  const refused = (act, code) => assert.throws(act, { name: 'AacornError', code })
  refused(() => decoders.decoder(new Uint8Array(0)), 'configuration')
  refused(() => decoders.decoder(Uint8Array.of(0xff)), 'configuration')
  // Error-resilient AAC.
  refused(() => decoders.decoder(Uint8Array.of(0x8a, 0x10, 0, 0)), 'object-type')
  refused(() => decoders.decoder({ sampleRate: 44100, channels: 9 }), 'channels')
  refused(() => decoders.decoder({ sampleRate: 0, channels: 2 }), 'configuration')
  refused(() => decoders.decoder({}), 'channels')
  assert.throws(() => decoders.decoder(), TypeError)
  assert.throws(() => decoders.decoder('LC'), TypeError)
  const decoder = decoders.decoder({ sampleRate: 44100, channels: 2 })
  assert.throws(() => decoder.decode(), TypeError)
  assert.throws(() => decoder.decode([1, 2]), TypeError)
  assert.equal(decoder.decode(new Uint8Array(0)).isConcealed, true)
  decoder.close()
  decoder.close()
  for (const act of ['conceal', 'reset']) refused(() => decoder[act](), 'closed')
  refused(() => decoder.decode(new Uint8Array(9)), 'closed')
  await assert.rejects(decoders.soundFile('a path'), TypeError)
})

const containers = [['m4a', 'mp4'], ['adts', 'adts']]

for (const [container, name] of containers) {
  test(`a file in ${container} returns the samples of its units, in pieces of any length`, async () => {
    const { config, list, priming } = units({})
    const channels = [0, 1].map((channel) => decodeAll(decoders.decoder(config), list, channel))
    // Only MP4 specifies the trim.
    const expected = channels.map((samples) => (
      container === 'm4a' ? samples.slice(priming, priming + 30000) : samples))
    const blob = coded({ container })
    for (const count of [Infinity, 1000, 1024, 7777]) {
      const reader = await decoders.soundFile(count === 1000 ? await blob.arrayBuffer() : blob)
      assert.equal(reader.container, name)
      assert.equal(reader.sampleRate, 44100)
      assert.equal(reader.channels, 2)
      assert.deepEqual(reader.layout, ['front-left', 'front-right'])
      assert.equal(reader.frameCount, container === 'm4a' ? 30000 : null)
      const found = expected.map(({ length }) => new Float32Array(length))
      let position = 0
      for (let part; (part = await reader.read(count));) {
        assert.equal(part.position, position)
        assert.deepEqual(part.concealed, [])
        for (const [channel, samples] of part.channels.entries()) {
          found[channel].set(samples, position)
        }
        position += part.channels[0].length
      }
      assert.equal(position, expected[0].length)
      assert.equal(reader.frameCount, position)
      assert.equal(reader.fraction, 1)
      assert.deepEqual(found, expected)
      assert.equal(await reader.read(), null)
      reader.close()
    }
    const whole = await decoders.soundFile(blob, { trim: false })
    assert.deepEqual((await whole.read()).channels, channels)
    whole.close()
  })

  test(`any part of a file in ${container} can be read`, async () => {
    const blob = coded({ container })
    const reader = await decoders.soundFile(blob)
    const { channels } = await reader.read()
    for (const frame of [0, 20000, 1, 5000, 5001, 20480, 29000, 12345]) {
      await reader.seek(frame)
      const part = await reader.read(700)
      assert.equal(part.position, frame)
      assert.deepEqual(part.channels, channels.map((samples) => (
        samples.slice(frame, frame + 700))), `frame ${frame}`)
    }
    await reader.seek(2 ** 40)
    assert.equal(await reader.read(), null)
    await reader.seek(100)
    // Simultaneous requests are processed one after the other.
    const parts = await Promise.all([reader.read(50), reader.seek(3000), reader.read(60)])
    assert.deepEqual([parts[0].position, parts[2].position], [100, 3000])
    assert.deepEqual(parts[2].channels[1], channels[1].slice(3000, 3060))
    assert.throws(() => reader.read(0), TypeError)
    assert.throws(() => reader.seek(1.5), TypeError)
    reader.close()
    await assert.rejects(reader.read(), { code: 'closed' })
  })

  test(`damage in a file in ${container} is reported, and the remaining audio keeps its time`, async () => {
    const whole = await (await decoders.soundFile(coded({ container }))).read()
    const part = await (await decoders.soundFile(await damaged(container))).read()
    assert.ok(part.concealed.length > 0)
    const first = part.concealed[0].position
    const last = part.concealed.at(-1)
    // The audio after the damage recovers over a few units.
    const end = last.position + last.frameCount + 6144
    assert.deepEqual(part.channels[0].subarray(0, first - 1024),
      whole.channels[0].subarray(0, first - 1024))
    if (container === 'm4a') {
      assert.equal(part.channels[0].length, 30000)
      assert.ok(end < 28000)
      assert.deepEqual(part.channels[0].subarray(end), whole.channels[0].subarray(end))
    }
  })
}

for (const [name, make, kind] of [
  ['wav', wav, { format: 's16le' }], ['wav', wav, { format: 'f32le', mask: 3 }],
  ['aiff', aiff, {}], ['caf', caf, {}],
]) {
  test(`a file in ${name} returns its samples (${kind.format ?? 'default'})`, async () => {
    const samples = sound(40000, 2, 48000, 6)
    const bytes = make(samples, { rate: 48000, channels: 2, ...kind })
    const reader = await decoders.soundFile(bytes)
    assert.equal(reader.container, name)
    assert.deepEqual([reader.sampleRate, reader.channels, reader.frameCount], [48000, 2, 40000])
    const { channels, concealed } = await reader.read()
    assert.deepEqual(concealed, [])
    const isFloat = name === 'caf' || kind.format === 'f32le'
    for (const channel of [0, 1]) {
      const expected = plane(samples, 2, channel)
      assert.equal(channels[channel].length, expected.length)
      for (const [index, value] of expected.entries()) {
        assert.ok(Math.abs(channels[channel][index] - value) <= (isFloat ? 0 : 0.002))
      }
    }
    for (const frame of [39999, 0, 12345]) {
      await reader.seek(frame)
      const part = await reader.read(100)
      assert.equal(part.position, frame)
      assert.deepEqual(part.channels[1], channels[1].slice(frame, frame + 100))
    }
    reader.close()
    // The module for stored samples reads the header, the other module reads the samples.
    const file = await aacorn.soundFile(bytes)
    assert.equal(file.container, name)
    assert.deepEqual(file.layout, reader.layout)
    assert.deepEqual((await file.read()).channels, channels)
    await file.seek(50)
    assert.deepEqual((await file.read(5)).channels[0], channels[0].slice(50, 55))
    file.close()
    await assert.rejects(file.read(), { code: 'closed' })
    await assert.rejects(file.convert({ container: 'adts' }), { code: 'closed' })
  })
}

test('a file with AAC converts like the file of its samples', async () => {
  const blob = coded({ container: 'adts' })
  const source = await aacorn.soundFile(blob)
  const { channels, sampleRate } = await source.read()
  const fractions = []
  const options = { container: 'adts', rateControl: { constant: 96000 } }
  const file = await source.convert({ ...options, onProgress: (part) => fractions.push(part) })
  const samples = caf(interleaved(channels), { rate: sampleRate, channels: 2 })
  const expected = await (await aacorn.soundFile(samples)).convert(options)
  assert.deepEqual(await bytesOf(file), await bytesOf(expected))
  assert.equal(fractions.at(-1), 1)
  source.close()
})

test('damage is reported during conversion, frame by frame', async () => {
  const bytes = await damaged('m4a')
  const reader = await decoders.soundFile(bytes)
  const { concealed } = await reader.read()
  const units = concealed.reduce((sum, { unitCount }) => sum + unitCount, 0)
  assert.ok(units > 0)
  assert.equal(concealed.reduce((sum, { frameCount }) => sum + frameCount, 0), 1024 * units)
  // The total does not depend on the number of frames that each call of `read` returns, even if a damaged range
  // extends from one call into the next.
  await reader.seek(0)
  let sum = 0
  for (let part; (part = await reader.read(300));) {
    for (const { unitCount } of part.concealed) sum += unitCount
  }
  reader.close()
  assert.equal(sum, units)
  const source = await aacorn.soundFile(bytes)
  const reported = []
  await source.convert({ container: 'm4a', onConcealed: (places) => reported.push(...places) })
  assert.deepEqual(reported, concealed)
  source.close()
})

test('the length of a stream is known after the conversion', async () => {
  const source = await aacorn.soundFile(coded({ container: 'adts' }))
  assert.equal(source.frameCount, null)
  await source.convert({ container: 'adts' })
  assert.equal(source.frameCount % 1024, 0)
  assert.ok(source.frameCount >= 30000)
  source.close()
})

test('the decoder module is loaded on demand from its location', async () => {
  const { config, list } = units({})
  const expected = decodeAll(decoders.decoder(config), list)
  const other = new aacorn.constructor(aacorn.module, { decoder: published('aacorn-decoder.wasm') })
  assert.deepEqual(decodeAll(await other.decoder(config), list), expected)
  const inspector = published('aacorn-inspector.wasm')
  const wrong = new aacorn.constructor(aacorn.module, { decoder: inspector })
  await assert.rejects(wrong.decoder(config), { name: 'AacornError', code: 'version' })
})

test('files without audio are rejected with a code and a message', async () => {
  for (const [bytes, code] of [
    [Buffer.alloc(0), 'not-recognized'],
    [Buffer.from('hello, world, this is text'), 'not-recognized'],
    [Buffer.from('fLaC and much more of it'), 'other-format'],
    [wav([], { rate: 44100, channels: 2 }).subarray(0, 30), 'cut-off'],
  ]) {
    for (const opener of [aacorn, decoders]) {
      await assert.rejects(opener.soundFile(bytes), (error) => {
        assert.ok(error instanceof AacornError, String(error))
        assert.equal(error.code, code)
        assert.match(error.message, /^[A-Z].*\.$/)
        return true
      })
    }
  }
})

test('memory does not grow during long decoding, nor with a thousand decoders', () => {
  const wasm = bare('aacorn-decoder.wasm')
  const { config, list } = units({})
  const run = (count) => {
    const handle = wasm.aacorn_decoder_create()
    write(wasm, handle, config)
    assert.equal(wasm.aacorn_decoder_configure(handle, config.length, 0), 0)
    assert.equal(wasm.aacorn_decoder_configure(handle, config.length, 0), -10)
    for (let index = 0; index < count; index++) {
      const unit = list[index % list.length]
      write(wasm, handle, unit)
      assert.ok(wasm.aacorn_decoder_decode(handle, unit.length) >= 0)
      assert.equal(wasm.aacorn_decoder_samples(handle), 1024)
    }
    wasm.aacorn_close(handle)
  }
  checkMemory(wasm, 1000, (round) => run(round === 999 ? 2000 : 3))
})

test('a movie that lists the same bytes for all seconds is rejected', async () => {
  const bytes = await bytesOf(encodedSound(aacorn, { container: 'm4a' }, 200000))
  // The number of offsets, one for each second, and the offsets.
  const table = bytes.indexOf('stco') + 8
  const count = bytes.readUInt32BE(table)
  assert.ok(count > 3)
  for (let index = 1; index < count; index++) bytes.copy(bytes, table + 4 + 4 * index, table + 4, table + 8)
  const error = { name: 'AacornError', code: 'shared-bytes' }
  await assert.rejects(decoders.soundFile(bytes), error)
  await assert.rejects(aacorn.soundFile(bytes), error)
})

// The module does not crash for any input: a trap would make the whole instance unusable.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AacornError, load } from '../../Npm/aacorn.js'
import { aiff, caf, wav } from './files.mjs'
import { bytesOf } from './load.mjs'
import { encodedSound, poisoned, random, sound, spoiled } from './sound.mjs'

const rounds = Number(process.env.AACORN_FUZZ_ROUNDS ?? 400)
const aacorn = await load()

const coded = (options) => bytesOf(encodedSound(aacorn, options, 15000))

/** Runs a function that may reject its input; returns whether it accepts the input. */
async function accepts(act, round) {
  try {
    await act()
    return true
  } catch (error) {
    assert.ok(error instanceof AacornError, String(error))
    assert.notEqual(error.code, 'crashed', `round ${round}`)
    return false
  }
}

test('damaged files are inspected to their end', async () => {
  const next = random(1)
  const files = [await coded({ container: 'm4a', tags: { title: 'x' } }),
    await coded({ container: 'm4a', frameCount: 15000 }), await coded({ container: 'adts' })]
  for (let round = 0; round < rounds; round++) {
    const bytes = spoiled(files[round % files.length], next)
    const report = await aacorn.inspect(new Blob([bytes]), { onRows() {} })
    assert.ok(report.frames >= 0, `round ${round}`)
  }
})

test('noise of any length is inspected to its end', async () => {
  const next = random(2)
  for (let round = 0; round < rounds / 4; round++) {
    const bytes = Buffer.alloc(next() % 5000)
    for (let index = 0; index < bytes.length; index++) bytes[index] = next() >>> 13
    // Begin with a valid signature.
    const beginnings = ['', 'ADIF', '\0\0\0\x20ftypM4A ', '\xff\xf1\x50\x80', '\x56\xe0\x20']
    bytes.write(beginnings[round % 5], 'latin1')
    await aacorn.inspect(new Blob([bytes]))
  }
})

test('damaged headers of audio files are read or rejected', async () => {
  const next = random(3)
  const samples = sound(1500, 2, 44100, 2)
  const files = [wav(samples, { rate: 44100, channels: 2, format: 's24le', mask: 3 }),
    aiff(samples, { rate: 44100, channels: 2 }), caf(samples, { rate: 44100, channels: 2 })]
  let made = 0
  for (let round = 0; round < rounds; round++) {
    made += await accepts(async () => {
      const source = await aacorn.soundFile(new Blob([spoiled(files[round % 3], next)]))
      try {
        await source.convert({ container: round & 1 ? 'm4a' : 'adts' })
      } finally {
        source.close()
      }
    }, round)
  }
  assert.ok(made > rounds / 20 && made < 19 * rounds / 20, `${made} made of ${rounds}`)
})

test('damaged files are decoded to their end, or rejected', async () => {
  const next = random(4)
  const samples = sound(3000, 2, 44100, 2)
  const files = [await coded({ container: 'm4a' }), await coded({ container: 'adts' }),
    await coded({ container: 'm4a', frameCount: 15000 }),
    wav(samples, { rate: 44100, channels: 2 })]
  let accepted = 0
  let concealed = 0
  for (let round = 0; round < rounds; round++) {
    accepted += await accepts(async () => {
      const source = await aacorn.soundFile(spoiled(files[round % files.length], next))
      for (let part; (part = await source.read(5000));) concealed += part.concealed.length
      await source.seek(next() % 20000)
      await source.read(100)
      source.close()
    }, round)
  }
  assert.ok(accepted > 0 && concealed > 0, `${accepted} accepted, ${concealed} concealed`)
})

test('noise is decoded as a unit', async () => {
  const next = random(5)
  for (const configuration of [{ sampleRate: 44100, channels: 2 }, Uint8Array.of(0x13, 0x90, 0x56,
    0xe5, 0xa0), Uint8Array.of(0xeb, 0x09, 0x88, 0x00)]) {
    const decoder = await aacorn.decoder(configuration)
    for (let round = 0; round < rounds; round++) {
      const unit = Uint8Array.from({ length: next() % 600 }, () => next() >>> 11)
      const { channels } = decoder.decode(unit)
      for (const samples of channels) assert.ok(samples.every((sample) => !Number.isNaN(sample)))
    }
    decoder.close()
  }
})

test('encoders and columns accept any numbers as samples', async () => {
  const samples = poisoned(sound(20000, 2, 44100, 4), 9)
  for (const container of ['m4a', 'adts']) {
    const encoder = aacorn.fileEncoder({ container, sampleRate: 44100, channels: 2 })
    assert.ok(encoder.encode(samples).concat(encoder.finish()).length > 0)
    encoder.close()
  }
  const columns = await aacorn.columns(44100, 2)
  assert.equal(columns.append(samples).length, 22 * 98)
  columns.close()
})

// Objects without a call of close(): their memory is freed, and too many of them are an error.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Encoder, load } from '../../Npm/aacorn.js'
import { Columns } from '../../Npm/columns.js'
import { Decoder } from '../../Npm/decoder.js'
import { Engine } from '../../Npm/engine.js'
import { SoundReader } from '../../Npm/sound-reader.js'
import { SoundSource } from '../../Npm/sound-source.js'
import { published } from './load.mjs'
import { integers, sound } from './sound.mjs'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc')

const stereo = { sampleRate: 48000, channels: 2 }
const samples = integers(sound(480, 2, 48000, 7))

/** Collects garbage, and waits for the callbacks that this causes. */
async function collect() {
  collectGarbage()
  await nextTurn()
  await nextTurn()
}

const owners = [
  ['aacorn.wasm', 'encoders', (engine) => new Encoder(engine, stereo).encode(samples)],
  ['aacorn-decoder.wasm', 'decoders', (engine) => new Decoder(engine, stereo)],
  ['aacorn-samples.wasm', 'sources of columns', (engine) => new Columns(engine, 48000, 2)],
  ['aacorn-samples.wasm', 'sources of samples', (engine) => new SoundSource(engine, 1 << 20)],
  ['aacorn-sound.wasm', 'readers of files', (engine) => new SoundReader(engine, new Blob(['a']), 0)],
]

for (const [name, kind, make] of owners) {
  test(`${kind} that are not closed are freed`, async () => {
    const engine = new Engine(new WebAssembly.Module(published(name)))
    const round = async () => {
      for (let count = 0; count < 100; count++) make(engine)
      await collect()
    }
    await round()
    const before = engine.byteLength
    for (let count = 0; count < 10; count++) await round()
    assert.ok(engine.byteLength <= 2 * before, `${before} bytes became ${engine.byteLength}`)
  })
}

// The memory has room for about a thousand encoders.
test('three thousand encoders that are not closed do not end the module', async () => {
  const aacorn = await load()
  const first = aacorn.encoder(stereo)
  for (let count = 0; count < 3000; count++) {
    aacorn.encoder(stereo).encode(samples)
    if (count % 200 === 199) await collect()
  }
  assert.equal(first.finish().units.length, 0)
})

test('a closed object is not freed again after its handle was reused', async () => {
  const aacorn = await load()
  for (let count = 0; count < 50; count++) aacorn.encoder(stereo).close()
  const encoder = aacorn.encoder(stereo)
  const expected = encoder.audioSpecificConfig
  await collect()
  assert.deepEqual(encoder.audioSpecificConfig, expected)
})

test('too many open encoders are an error, and the others continue', async () => {
  const aacorn = await load()
  const surround = { sampleRate: 48000, channels: 8 }
  const wide = integers(sound(4096, 8, 48000, 7))
  const alone = aacorn.encoder(surround)
  const expected = [alone.encode(wide), alone.finish()]
  alone.close()

  const open = []
  const tooMany = { name: 'AacornError', code: 'too-many-open', message: /close\(\)/ }
  assert.throws(() => {
    for (let count = 0; count < 10000; count++) open.push(aacorn.encoder(surround))
  }, tooMany)
  assert.ok(open.length >= 100, `only ${open.length} encoders`)
  // Open encoders have room for their work.
  for (const encoder of open.slice(-20)) assert.deepEqual([encoder.encode(wide), encoder.finish()], expected)
  assert.throws(() => aacorn.encoder(surround), tooMany)

  for (const encoder of open) encoder.close()
  const next = aacorn.encoder(surround)
  assert.deepEqual([next.encode(wide), next.finish()], expected)
})

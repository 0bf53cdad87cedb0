// The package: its exports, its types, and every documented method to load it.

import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import * as package_ from '../../Npm/aacorn.js'
import * as webcodecs from '../../Npm/webcodecs.js'
import { published } from './load.mjs'
import { encodedFile, sound } from './sound.mjs'

const { Aacorn, SoundColumns, load } = package_
const types = String(published('aacorn.d.ts'))
const webCodecsTypes = String(published('webcodecs.d.ts'))
const folder = new URL('../../Npm/', import.meta.url)
const sourceNames = readdirSync(folder).filter((name) => name.endsWith('.js'))

/** Returns the members of a class in the type definitions. */
function typed(name, text = types) {
  const body = new RegExp(`export class ${name}\\b[^{]*\\{\\n([^]*?)\\n\\}`).exec(text)[1]
  const members = [...body.matchAll(/^ {2}(?:static )?(?:readonly )?(\w+)\??[(:]/gm)]
  return new Set(members.map(([, member]) => member).filter((member) => member !== 'constructor'))
}

test('the types declare exactly the exports', () => {
  for (const [text, module] of [[types, package_], [webCodecsTypes, webcodecs]]) {
    const values = [...text.matchAll(/^export (?:class|function) (\w+)/gm)].map(([, name]) => name)
    assert.deepEqual(values.sort(), Object.keys(module).sort())
  }
  // A module that imports missing packages is read as text.
  const [typed, exported] = ['mediabunny.d.ts', 'mediabunny.js'].map((name) => (
    [...String(published(name)).matchAll(/^export function (\w+)/gm)].map(([, found]) => found)))
  assert.deepEqual(typed, exported)
})

for (const name of ['AudioData', 'AudioDecoder', 'AudioEncoder', 'EncodedAudioChunk']) {
  test(`the types declare the members of ${name}`, () => {
    const type = webcodecs[name]
    const inherited = type.name.startsWith('Audio') && type !== webcodecs.AudioData
      ? Object.getPrototypeOf(type) : null
    const members = [...Object.getOwnPropertyNames(type.prototype),
      ...(inherited ? Object.getOwnPropertyNames(inherited.prototype) : []),
      ...('isConfigSupported' in type ? ['isConfigSupported'] : [])]
    assert.deepEqual([...typed(name, webCodecsTypes)].sort(),
      [...new Set(members)].filter((member) => member !== 'constructor').sort())
  })
}

for (const name of ['Aacorn', 'AacornDecoder', 'Encoder', 'FileEncoder', 'FileAssembler',
  'Decoder', 'SoundReader', 'SoundFile', 'SoundColumns']) {
  test(`the types declare the members of ${name}`, () => {
    const type = package_[name]
    const methods = Object.getOwnPropertyNames(type.prototype).filter((method) => (
      method !== 'constructor'))
    const members = typed(name)
    for (const method of methods) assert.ok(members.has(method), `${method} has no type`)
    for (const member of members) {
      const isField = ['module', 'length', 'sampleRate', 'channels', 'container', 'layout']
        .includes(member)
      assert.ok(isField || methods.includes(member), `there is no ${member}`)
    }
  })
}

test('the types declare the fields of a report and a row', async () => {
  const aacorn = await load()
  const file = encodedFile(aacorn, { container: 'm4a' }, sound(9000, 2, 44100, 1))
  const rows = []
  const report = await aacorn.inspect(file, { onRows: (more) => rows.push(...more) })
  for (const [name, value] of [['Row', rows[0]], ['Report', report]]) {
    const body = new RegExp(`export interface ${name} \\{\\n([^]*?)\\n\\}`).exec(types)[1]
    const members = [...body.matchAll(/^ {2}(\w+)\??:/gm)].map(([, member]) => member)
    assert.deepEqual(Object.keys(value).sort(), members.sort())
  }
})

test('it loads from bytes, a module, a response and an address', async () => {
  const bytes = published('aacorn.wasm')
  const type = (name) => ({ headers: { 'Content-Type': name } })
  const sources = [undefined, bytes, new Uint8Array(bytes).buffer,
    await WebAssembly.compile(bytes), new Response(bytes, type('application/wasm')),
    new Response(bytes, type('application/wasm; charset=utf-8')),
    Promise.resolve(new Response(bytes, type('text/plain'))),
    `data:application/wasm;base64,${bytes.toString('base64')}`]
  for (const source of sources) {
    const aacorn = await load(source)
    assert.ok(aacorn instanceof Aacorn)
    aacorn.encoder({ sampleRate: 44100, channels: 2 }).close()
  }
  await assert.rejects(load(new Response('', { status: 404 })), /404/)
})

test('invalid arguments are rejected with a message', async () => {
  const aacorn = await load()
  const stereo = { sampleRate: 44100, channels: 2 }
  const refused = (act, code) => assert.throws(act, { name: 'AacornError', code })
  const rejected = (promise, code) => assert.rejects(promise, { name: 'AacornError', code })
  refused(() => aacorn.encoder({}), 'sample-rate')
  refused(() => aacorn.encoder(), 'sample-rate')
  // One of these values would become valid if it were truncated to the module's 32 bits.
  for (const wrong of [44100.5, 2 ** 32 + 44100, NaN, 0, 44101]) {
    refused(() => aacorn.encoder({ ...stereo, sampleRate: wrong }), 'sample-rate')
    if (wrong !== 44101) await rejected(aacorn.columns(wrong, 2), 'sample-rate')
  }
  for (const wrong of [2.5, 2 ** 32 + 2, NaN, 0]) {
    refused(() => aacorn.encoder({ ...stereo, channels: wrong }), 'channels')
    await rejected(aacorn.columns(44100, wrong), 'channels')
  }
  const controlled = (rateControl) => aacorn.encoder({ ...stereo, rateControl })
  refused(() => controlled({ constant: 2 ** 32 + 128000 }), 'bitrate')
  refused(() => controlled({ average: NaN }), 'bitrate')
  for (const wrong of [2.5, 9]) refused(() => controlled({ variable: wrong }), 'quality')
  controlled({ constant: 128000.7 }).close()
  aacorn.fileEncoder({ ...stereo, container: 'm4a', tags: null }).close()
  refused(() => aacorn.encoder({ ...stereo, effort: 'most' }), 'effort')
  refused(() => aacorn.encoder({ ...stereo, profile: 'x' }), 'profile')
  for (const wrong of ['lossless', 128000, null]) refused(() => controlled(wrong), 'option')
  refused(() => controlled({ constant: 'much' }), 'bitrate')
  for (const container of [undefined, 'mp3']) {
    refused(() => aacorn.fileEncoder({ ...stereo, container }), 'container')
  }
  assert.throws(() => aacorn.encoder(stereo).encode([0, 0]), TypeError)
  for (const wrong of [undefined, [], [new Float32Array(2)], new Float32Array(2),
    [new Float32Array(2), new Float32Array(3)]]) {
    assert.throws(() => aacorn.encoder(stereo).encodePlanar(wrong), TypeError)
  }
  const ended = aacorn.encoder(stereo)
  ended.finish()
  refused(() => ended.encode(new Float32Array(2)), 'wrong-moment')
  await assert.rejects(aacorn.inspect('a path'), TypeError)
  await assert.rejects(aacorn.soundFile(undefined), TypeError)
  const closed = aacorn.encoder(stereo)
  closed.close()
  closed.close()
  for (const act of ['finish', 'encode']) refused(() => closed[act](new Int16Array(2)), 'closed')
  refused(() => closed.audioSpecificConfig, 'closed')
})

test('a module other than the encoder is rejected with a message', async () => {
  const nothing = new WebAssembly.Module(Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0))
  assert.throws(() => new Aacorn(nothing), { name: 'AacornError', code: 'version' })
  const inspector = await load(published('aacorn-inspector.wasm'))
  assert.throws(() => inspector.encoder({ sampleRate: 44100, channels: 2 }), {
    name: 'AacornError', code: 'version',
  })
})

test('the module for stored samples is loaded on demand from its location', async () => {
  const { module } = await load()
  const right = new Aacorn(module, { samples: published('aacorn-samples.wasm') })
  const columns = await right.columns(44100, 2)
  assert.equal(columns.append(sound(44100, 2, 44100, 7)).length, 50 * SoundColumns.length)
  columns.close()
  const wrong = new Aacorn(module, { samples: published('aacorn-inspector.wasm') })
  wrong.encoder({ sampleRate: 44100, channels: 2 }).close()
  const version = { name: 'AacornError', code: 'version' }
  await assert.rejects(wrong.columns(44100, 2), version)
  await assert.rejects(wrong.soundFile(new Uint8Array(100)), version)
})

test('the types declare the codes of all failures', () => {
  const list = /export type AacornErrorCode =([^]*?)\n\n/.exec(types)[1]
  const typed = new Set([...list.matchAll(/'([a-z-]+)'/g)].map(([, code]) => code))
  const used = new Set()
  for (const name of sourceNames) {
    const text = String(published(name))
    for (const [, code] of text.matchAll(/(?:AacornError\(\s*|\[-\d+, \[|\?\? \[)'([a-z-]+)'/g)) {
      used.add(code)
    }
  }
  assert.deepEqual([...used].sort(), [...typed].sort())
})

test('a worker creates its own instance of a module', async () => {
  const { module } = await load()
  const address = new URL('../../Npm/aacorn.js', import.meta.url)
  const worker = new Worker(`
    const { parentPort, workerData } = require('node:worker_threads')
    import(workerData.address).then(({ Aacorn }) => {
      const encoder = new Aacorn(workerData.module).encoder({ sampleRate: 44100, channels: 2 })
      parentPort.postMessage(encoder.audioSpecificConfig)
    })`, { eval: true, workerData: { module, address: String(address) } })
  const config = await new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
  await worker.terminate()
  assert.deepEqual(config, Uint8Array.of(0x12, 0x10))
})

test('fifty columns a second are computed, for samples in pieces of any length', async () => {
  const aacorn = await load()
  const samples = sound(44100, 2, 44100, 7)
  const whole = (await aacorn.columns(44100, 2)).append(samples)
  assert.equal(whole.length, 50 * SoundColumns.length)
  const cut = await aacorn.columns(44100, 2)
  const parts = []
  for (let offset = 0; offset < samples.length; offset += 777) {
    parts.push(cut.append(samples.subarray(offset, offset + 777)))
  }
  assert.deepEqual(Buffer.concat(parts), Buffer.from(whole))
})

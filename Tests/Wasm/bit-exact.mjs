// Encodes the same samples with several builds of the command and with the WebAssembly module, and compares
// every access unit. Then decodes the units with all of them, and compares every sample.
//
//     node bit-exact.mjs folder command…
//
// The folder contains the modules. The first command is the fastest: only this one encodes the longest audio.

import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { load } from '../../Npm/aacorn.js'
import { configurations } from './configurations.mjs'
import { integers, interleaved, poisoned, random, sound } from './sound.mjs'

const [folder, ...commands] = process.argv.slice(2)
const module = (name) => readFileSync(join(folder, name))
const aacorn = await load(module('aacorn.wasm'), {
  samples: module('aacorn-samples.wasm'), decoder: module('aacorn-decoder.wasm'),
  sound: module('aacorn-sound.wasm'),
})

/** Returns the payloads of an ADTS stream without checksums. */
function unitsOf(stream) {
  const units = []
  let offset = 0
  while (offset < stream.length) {
    if (stream[offset] !== 0xff) throw new Error(`no ADTS header at byte ${offset}`)
    const length = (stream.readUIntBE(offset + 3, 3) >> 5) & 0x1fff
    units.push(stream.subarray(offset + 7, offset + length))
    offset += length
  }
  return units
}

function commandLine({ rate, channels, isFloat, options }) {
  return ['encode', '--quiet', '--format', 'aac', '--raw-format', isFloat ? 'f32le' : 's16le',
    '--raw-rate', String(rate), '--raw-channels', String(channels), ...options, '-o', '-', '-']
}

function bytesOf(samples) {
  return Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength)
}

function encodeNatively(command, configuration, samples) {
  const result = spawnSync(command, commandLine(configuration), {
    input: bytesOf(samples), maxBuffer: 1 << 28,
  })
  if (result.status !== 0) throw new Error(`${command}: ${result.stderr ?? result.error}`)
  return unitsOf(result.stdout)
}

/** Like `encodeNatively`, but the samples arrive through the pipe in pieces of odd lengths. */
async function encodeNativelyInPieces(command, configuration, samples) {
  const child = spawn(command, commandLine(configuration), { stdio: ['pipe', 'pipe', 'inherit'] })
  const output = []
  child.stdout.on('data', (piece) => output.push(piece))
  const next = random(7)
  const bytes = bytesOf(samples)
  const closed = once(child, 'close')
  for (let offset = 0; offset < bytes.length;) {
    const length = 1 + next() % 20011
    if (!child.stdin.write(bytes.subarray(offset, offset + length))) {
      await once(child.stdin, 'drain')
    }
    offset += length
  }
  child.stdin.end()
  const [status] = await closed
  if (status !== 0) throw new Error(`${command}: exit status ${status}`)
  return unitsOf(Buffer.concat(output))
}

function optionsOf({ rate, channels, mode, value, effort, profile }) {
  return { sampleRate: rate, channels, rateControl: { [mode]: value }, effort, profile }
}

function encoderOf(configuration) {
  return aacorn.encoder(optionsOf(configuration))
}

/** Finishes an encoder, checks its reported delay, and returns all units. */
function finish(encoder, units, { name, channels, profile }, samples) {
  const trim = encoder.finish()
  units.push(...trim.units)
  encoder.close()
  const frames = samples.length / channels
  if (trim.priming + frames + trim.remainder !== units.length * (profile ? 2048 : 1024)) {
    throw new Error(`the trim of ${name} is inconsistent: ${trim.priming}, ${trim.remainder}`)
  }
  return units
}

/** Encodes chunks with the lengths in samples that `length` returns; a chunk may end inside a frame. */
function encodeInWasm(configuration, samples, length) {
  const encoder = encoderOf(configuration)
  const units = []
  for (let offset = 0; offset < samples.length;) {
    const end = Math.min(samples.length, offset + length())
    units.push(...encoder.encode(samples.subarray(offset, end)))
    offset = end
  }
  return finish(encoder, units, configuration, samples)
}

/** Encodes a Float32Array for each channel, 128 frames at a time as in Web Audio. */
function encodePlanar(configuration, samples) {
  const { channels } = configuration
  const encoder = encoderOf(configuration)
  const units = []
  for (let offset = 0; offset < samples.length; offset += 128 * channels) {
    const piece = samples.subarray(offset, offset + 128 * channels)
    const parts = Array.from({ length: channels }, (_, channel) => (
      Float32Array.from({ length: piece.length / channels }, (_, frame) => (
        piece[frame * channels + channel]))))
    units.push(...encoder.encodePlanar(parts))
  }
  return finish(encoder, units, configuration, samples)
}

function hash(units) {
  const sum = createHash('sha256')
  for (const unit of units) {
    sum.update(`${unit.length}:`)
    sum.update(unit)
  }
  return sum.digest('hex')
}

/** Describes the first difference; null if there is none. */
function difference(units, expected) {
  if (hash(units) === hash(expected)) return null
  for (let index = 0; index < Math.max(units.length, expected.length); index++) {
    const [one, other] = [units[index], expected[index]]
    if (!one || !other) return `${units.length} units instead of ${expected.length}`
    if (Buffer.compare(one, other) === 0) continue
    let byte = 0
    while (one[byte] === other[byte]) byte++
    return `unit ${index} of ${expected.length} differs from byte ${byte} on ` +
      `(${one.length} bytes instead of ${other.length})`
  }
}

async function streamOf(configuration, samples) {
  const encoder = aacorn.fileEncoder({ container: 'adts', ...optionsOf(configuration) })
  const writes = [...encoder.encode(samples), ...encoder.finish()]
  encoder.close()
  return Buffer.concat(writes.map(({ bytes }) => bytes))
}

function spoiled(stream, seed) {
  const copy = Buffer.from(stream)
  const next = random(seed)
  for (let at = 3000; at < copy.length; at += 4001) copy[at + next() % 100] ^= 1 << next() % 8
  return copy
}

/** Returns the samples of a file, or of its single units, as bytes. */
async function decodeInWasm(stream) {
  const file = await aacorn.soundFile(stream)
  const parts = []
  for (let part; (part = await file.read(10000));) {
    parts.push(bytesOf(interleaved(part.channels)))
  }
  file.close()
  return Buffer.concat(parts)
}

async function decodeUnitsInWasm(configuration, units) {
  const encoder = encoderOf(configuration)
  const decoder = await aacorn.decoder(encoder.audioSpecificConfig)
  encoder.close()
  const parts = units.map((unit) => bytesOf(interleaved(decoder.decode(unit).channels)))
  decoder.close()
  return Buffer.concat(parts)
}

function decodeNatively(command, stream) {
  const result = spawnSync(command, ['decode', '--quiet', '--format', 'raw', '--sample-format',
    'f32', '-o', '-', '-'], { input: stream, maxBuffer: 1 << 28 })
  // Status 1 means damage.
  if (result.status > 1 || result.error) {
    throw new Error(`${command}: ${result.error ?? result.stderr}`)
  }
  return result.stdout
}

let failures = 0
let comparisons = 0

/** Decodes a stream in all supported methods and returns the differences. */
async function compareDecoders(configuration, samples) {
  const whole = await streamOf(configuration, samples)
  for (const [kind, stream] of [['whole', whole], ['spoiled', spoiled(whole, 5)]]) {
    const expected = await decodeInWasm(stream)
    const results = configuration.isLong ? [] : commands.map((command) => (
      [command, decodeNatively(command, stream)]))
    if (kind === 'whole') {
      results.push(['unit by unit', await decodeUnitsInWasm(configuration, unitsOf(whole))])
    }
    for (const [build, bytes] of results) {
      comparisons++
      if (Buffer.compare(bytes, expected) === 0) continue
      failures++
      console.error(`  ${configuration.name}: ${kind}, decoded by ${build}: ` +
        `${bytes.length} bytes against ${expected.length} of wasm`)
    }
  }
}

for (const [index, configuration] of configurations.entries()) {
  const { name, rate, channels, isFloat, isPoisoned, isLong, seconds = 0.7 } = configuration
  let samples = sound(Math.floor(seconds * rate) + index, channels, rate, index + 1)
  if (isPoisoned) samples = poisoned(samples, index)
  if (!isFloat) samples = integers(samples)

  const next = random(index)
  const expected = encodeInWasm(configuration, samples, () => samples.length)
  const results = [
    ['wasm, chunks of 1024 frames', encodeInWasm(configuration, samples, () => 1024 * channels)],
    ['wasm, chunks of 1 sample', encodeInWasm(configuration, samples, () => 1)],
    ['wasm, chunks of 1 to 5000 samples',
      encodeInWasm(configuration, samples, () => 1 + next() % 5000)],
  ]
  if (isFloat) results.push(['wasm, planar', encodePlanar(configuration, samples)])
  for (const command of isLong ? commands.slice(0, 1) : commands) {
    results.push([command, encodeNatively(command, configuration, samples)])
    results.push([`${command}, fed in pieces`,
      await encodeNativelyInPieces(command, configuration, samples)])
  }
  let isEqual = true
  for (const [build, units] of results) {
    comparisons++
    const found = difference(units, expected)
    if (!found) continue
    isEqual = false
    failures++
    console.error(`  ${name}: ${build} against wasm in one chunk: ${found}`)
  }
  await compareDecoders(configuration, samples)
  console.log(`${isEqual ? 'same     ' : 'DIFFERENT'} ${hash(expected).slice(0, 16)}  ${name}`)
}
console.log(`${comparisons} comparisons, ${failures} differences`)
process.exit(failures === 0 ? 0 : 1)

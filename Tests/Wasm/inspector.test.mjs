// Inspections: the module's report equals the native command's report.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { command, fresh } from './load.mjs'
import { encodedFile, integers, random, sound } from './sound.mjs'

const folder = mkdtempSync(join(tmpdir(), 'aacorn-inspect-'))
after(() => rmSync(folder, { recursive: true }))
const aacorn = await fresh()

/** Returns a file encoded by the module. */
async function coded(options, frames = 60000) {
  const { sampleRate = 44100, channels = 2 } = options
  const samples = integers(sound(frames, channels, sampleRate, 5))
  return Buffer.from(await encodedFile(aacorn, options, samples).arrayBuffer())
}

/** Returns a file of the same audio that the command encodes with options that the module lacks. */
function codedNatively(extra, suffix) {
  const samples = integers(sound(60000, 2, 44100, 5))
  const output = join(folder, `native.${suffix}`)
  const result = spawnSync(command, ['encode', '--quiet', '--force', '--raw-format', 's16le',
    '--raw-rate', '44100', '--raw-channels', '2', ...extra, '-o', output, '-'],
  { input: Buffer.from(samples.buffer) })
  assert.equal(result.status, 0, String(result.stderr))
  return readFileSync(output)
}

/** Returns the report of `aacorn inspect`. */
function natively(bytes) {
  const path = join(folder, 'inspected')
  writeFileSync(path, bytes)
  const result = spawnSync(command, ['inspect', '--frames', '--json', path],
    { maxBuffer: 1 << 28 })
  const lines = String(result.stdout).trim().split('\n').map((line) => JSON.parse(line))
  return { rows: lines.slice(0, -1), report: lines.at(-1) }
}

async function inWasm(bytes) {
  const rows = []
  const report = await aacorn.inspect(new Blob([bytes]), { onRows: (more) => rows.push(...more) })
  return { rows, report }
}

/** Returns the command's counts, without values computed from them. */
function counts(object) {
  if (object === null) return null
  const { headerInterval, bitsPerFrame, share, ...rest } = object
  return rest
}

function compare({ rows, report }, native) {
  assert.equal(rows.length, native.rows.length)
  for (const [index, { type, time, ...expected }] of native.rows.entries()) {
    const { time: found, ...row } = rows[index]
    assert.equal(type, 'frame')
    assert.deepEqual(row, expected)
    assert.ok(Math.abs(found - time) < 1e-5)
  }
  const expected = native.report
  const { windows, tools } = expected
  assert.deepEqual(report.faults, expected.faults)
  assert.deepEqual(report.faultCounts,
    { notes: expected.notes, warnings: expected.warnings, errors: expected.errors })
  const pairs = {
    container: 'container', profile: 'profile', isMPEG2: 'mpeg2', sampleRate: 'sampleRate',
    coreSampleRate: 'coreSampleRate', channels: 'channels', frameCount: 'frames',
    unreadableFrameCount: 'unreadableFrames', byteCount: 'bytes', payloadByteCount: 'payloadBytes',
    checksums: 'checksums', tags: 'tags', started: 'started', gaps: 'gaps',
  }
  for (const [name, other] of Object.entries(pairs)) {
    assert.deepEqual(report[name], expected[other], name)
  }
  assert.deepEqual(report.tools, { ...windows, ...tools })
  assert.deepEqual(report.replicated, expected.replicatedFrom === null ? null
    : { from: expected.replicatedFrom, to: expected.replicatedTo })
  assert.deepEqual(report.replication, counts(expected.replication))
  assert.deepEqual(report.parametricStereo, counts(expected.parametricStereo))
  assert.deepEqual(report.bitrate, {
    mean: expected.bitrate, minimum: expected.minimumBitrate, maximum: expected.maximumBitrate })
  assert.deepEqual(report.decoderBuffer, {
    required: expected.bufferRequired, capacity: expected.bufferCapacity,
    fits: expected.bufferFits })
  assert.deepEqual(report.trim, expected.priming === null ? null : {
    priming: expected.priming, remainder: expected.remainder, sampleCount: expected.samples })
  assert.ok(Math.abs(report.seconds - expected.duration) < 1e-5)
  assert.equal(report.waveform.length, 400)
}

const tags = { title: 'Füße “x”\n\\', artist: '大', comment: '' }
const files = {
  'M4A': await coded({ container: 'm4a', tags }),
  'M4A with its tables in front': await coded({ container: 'm4a', frameCount: 60000 }),
  'ADTS at constant rate': await coded({ container: 'adts', rateControl: { constant: 64000 } }),
  'ADTS at variable rate': await coded({ container: 'adts', rateControl: { variable: 2 } }),
  'M4A with parametric stereo': await coded({
    container: 'm4a', profile: 'he2', rateControl: { constant: 32000 } }),
  'ADTS with six channels': await coded({ container: 'adts', channels: 6 }),
  'ADTS with checksums': codedNatively(['--format', 'aac', '--crc'], 'aac'),
  'LATM': codedNatively(['--format', 'latm'], 'latm'),
  'HE-AAC': codedNatively(['--format', 'aac', '--profile', 'he'], 'aac'),
}

for (const [name, bytes] of Object.entries(files)) {
  test(`${name} has the same report as from the command`, async () => {
    const found = await inWasm(bytes)
    compare(found, natively(bytes))
    assert.deepEqual(found.report.faultCounts, { notes: 0, warnings: 0, errors: 0 })
    // With parametric stereo, the waveform is measured in the core, a mono downmix with a lower level.
    assert.ok(Math.max(...found.report.waveform) > (name.endsWith('parametric stereo') ? 50 : 100))
  })

  test(`${name}: truncated and damaged, it has the same faults as from the command`, async () => {
    const next = random(bytes.length)
    let faults = 0
    for (let round = 0; round < 10; round++) {
      const damaged = Buffer.from(bytes.subarray(0, round < 4 ? bytes.length * (round + 1) / 5
        : bytes.length))
      for (let flip = 0; flip < (round - 3) * 3; flip++) {
        damaged[next() % damaged.length] ^= 1 << (next() >>> 16) % 8
      }
      const found = await inWasm(damaged)
      compare(found, natively(damaged))
      faults += found.report.faults.length
    }
    assert.ok(faults > 5)
  })
}

test('band replication is reported', async () => {
  const { report } = await inWasm(files['HE-AAC'])
  const { payloads, headerDistance, channels } = report.replication
  assert.deepEqual([payloads, headerDistance, channels], [report.frameCount, 8, 2 * payloads])
  assert.equal(report.parametricStereo, null)
  assert.equal((await inWasm(files['LATM'])).report.replication, null)
})

test('rows name the profile of each frame', async () => {
  const profiles = async name => new Set((await inWasm(files[name])).rows.map(row => row.profile))
  assert.deepEqual(await profiles('HE-AAC'), new Set(['HE-AAC']))
  assert.deepEqual(await profiles('M4A with parametric stereo'), new Set(['HE-AAC v2']))
  assert.deepEqual(await profiles('LATM'), new Set(['LC']))
})

test('files without AAC have no frames and one error', async () => {
  for (const bytes of [Buffer.alloc(0), Buffer.from('hello'), Buffer.alloc(100000, 0x20)]) {
    const { rows, report } = await inWasm(bytes)
    assert.deepEqual(rows, [])
    assert.equal(report.frameCount, 0)
    assert.ok(report.faultCounts.errors > 0)
    assert.deepEqual([...report.waveform], Array(400).fill(0))
  }
})

test('a waveform matches the audio', async () => {
  const samples = new Float32Array(44100 * 4)
  for (let index = 0; index < samples.length; index++) {
    const level = index < samples.length / 2 ? 1 : 0.25
    samples[index] = level * Math.sin(index * 0.1)
  }
  for (const container of ['m4a', 'adts']) {
    const { waveform } = await aacorn.inspect(encodedFile(aacorn, { container, channels: 1 }, samples))
    for (let index = 10; index < 190; index++) assert.ok(waveform[index] > 215, `${index}`)
    for (let index = 210; index < 390; index++) {
      assert.ok(Math.abs(waveform[index] - 64) < 12, `${index}: ${waveform[index]}`)
    }
  }
})

test('an inspection can be aborted and reports its progress', async () => {
  const bytes = Buffer.concat(Array(20).fill(files['ADTS with six channels']))
  const fractions = []
  await aacorn.inspect(new Blob([bytes]), { onProgress: (fraction) => fractions.push(fraction) })
  assert.deepEqual(fractions, [...fractions].sort((a, b) => a - b))
  assert.equal(fractions.at(-1), 1)
  const controller = new AbortController()
  await assert.rejects(aacorn.inspect(new Blob([bytes]), {
    signal: controller.signal, onProgress: () => controller.abort(),
  }), { name: 'AbortError' })
})

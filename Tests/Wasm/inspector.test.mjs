// Inspections: the module's report equals the native command's report.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { load } from '../../Npm/aacorn.js'
import { chapterTag, wav } from './files.mjs'
import { bytesOf, checkProgress } from './load.mjs'
import { encodeNatively, inFolder, inspectNatively, rawStereo } from './native.mjs'
import { encodedFile, encodedSound, integers, random, sound } from './sound.mjs'

const aacorn = await load()

const coded = (options) => bytesOf(encodedSound(aacorn, options, 60000))

/** Returns a file of the same audio that the command encodes with options that the module lacks. */
const codedNatively = (format, ...options) => encodeNatively(
  Buffer.from(integers(sound(60000, 2, 44100, 5)).buffer), format, [...rawStereo, ...options], true)

async function inWasm(bytes) {
  const rows = []
  const report = await aacorn.inspect(new Blob([bytes]), { onRows: (more) => rows.push(...more) })
  return { rows, report }
}

function compare({ rows, report }, native) {
  assert.equal(rows.length, native.rows.length)
  for (const [index, { type, time, ...expected }] of native.rows.entries()) {
    const { time: found, ...row } = rows[index]
    assert.equal(type, 'frame')
    assert.deepEqual(row, expected)
    assert.ok(Math.abs(found - time) < 1e-5)
  }
  const { type, file, ...expected } = native.report
  const { waveform, ...found } = report
  // A damaged edit list may state numbers that the module, whose integers have 32 bits, ignores.
  if (Math.max(expected.priming, expected.remainder, expected.samples) > 0x7FFFFFFF) {
    assert.equal(found.samples, null)
    for (const name of ['samples', 'priming', 'remainder', 'duration']) expected[name] = found[name]
  }
  assert.deepEqual(found, expected)
  assert.equal(waveform.length, 400)
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
  'ADTS with checksums': codedNatively('aac', '--crc'),
  'LATM': codedNatively('latm'),
  'HE-AAC': codedNatively('aac', '--profile', 'he'),
}

for (const [name, bytes] of Object.entries(files)) {
  test(`${name} has the same report as from the command`, async () => {
    const found = await inWasm(bytes)
    compare(found, inspectNatively(bytes))
    const { notes, errors, faults } = found.report
    assert.deepEqual([notes, errors], [0, 0])
    // The audio ends with square waves of full scale. Their replicated bands are too loud for the decoder.
    const isReplicated = name.startsWith('HE-AAC') || name.endsWith('parametric stereo')
    assert.deepEqual([...new Set(faults.map(({ kind }) => kind))], isReplicated ? ['replication-skipped'] : [])
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
      compare(found, inspectNatively(damaged))
      faults += found.report.faults.length
    }
    assert.ok(faults > 5)
  })
}

test('a cover and chapters are reported as by the command', async () => {
  const cover = Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'), Buffer.alloc(17)])
  const path = inFolder('cover.png', cover)
  const input = wav(sound(20000, 1, 44100, 5), {
    rate: 44100, channels: 1, chunks: [['id3 ', chapterTag(['Intro', 'Füße'])]] })
  const bytes = encodeNatively(input, 'm4a', ['--cover', path])
  const found = await inWasm(bytes)
  compare(found, inspectNatively(bytes))
  assert.deepEqual(found.report.chapters,
    [{ start: 0, title: 'Intro' }, { start: 0.1, title: 'Füße' }])
  const { format, offset, bytes: length } = found.report.cover
  assert.equal(format, 'png')
  assert.deepEqual(bytes.subarray(offset, offset + length), cover)
})

test('files without AAC have no frames and one error', async () => {
  for (const bytes of [Buffer.alloc(0), Buffer.from('hello'), Buffer.alloc(100000, 0x20)]) {
    const { rows, report } = await inWasm(bytes)
    assert.deepEqual(rows, [])
    assert.equal(report.frames, 0)
    assert.ok(report.errors > 0)
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
  await checkProgress((options) => aacorn.inspect(new Blob([bytes]), options))
})

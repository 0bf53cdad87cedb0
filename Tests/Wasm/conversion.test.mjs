// Files: the module's output equals the native command's output.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AacornError, FileAssembler, load } from '../../Npm/aacorn.js'
import { aiff, caf, chapterTag, wav } from './files.mjs'
import { bytesOf, checkProgress } from './load.mjs'
import { encodeNatively, rawStereo } from './native.mjs'
import { encodedFile, integers, random, sound } from './sound.mjs'

const aacorn = await load()

const suffixes = { m4a: 'm4a', adts: 'aac' }
const options = { constant: '--bitrate', average: '--abr', variable: '--vbr' }

const natively = (bytes, container, extra, isPipe) =>
  encodeNatively(bytes, suffixes[container], extra, isPipe)

/** Returns the file that the module makes of the bytes of another file. */
async function converted(bytes, options) {
  const source = await aacorn.soundFile(new Blob([bytes]))
  const file = await source.convert(options)
  source.close()
  return bytesOf(file)
}

function assertEqual(bytes, expected, name) {
  if (Buffer.compare(bytes, expected) === 0) return
  let first = 0
  while (bytes[first] === expected[first]) first++
  assert.fail(`${name}: differs from byte ${first} on, ${bytes.length} bytes, not ` +
    `${expected.length}`)
}

const fine = (frames, channels, rate, seed) => {
  const next = random(seed + 99)
  return sound(frames, channels, rate, seed).map((sample) => (
    sample * 0.9 + (next() / 2 ** 32 - 0.5) / 30000))
}

const sources = [
  ['WAV, 16 bits, mono', wav, { rate: 44100, channels: 1 }],
  ['WAV, 16 bits, stereo', wav, { rate: 44100, channels: 2 }],
  ['WAV, 24 bits, stereo', wav, { rate: 48000, channels: 2, format: 's24le' }],
  ['WAV, 32 bits, mono', wav, { rate: 32000, channels: 1, format: 's32le' }],
  ['WAV, 8 bits, mono', wav, { rate: 11025, channels: 1, format: 'u8' }],
  ['WAV, float, stereo', wav, { rate: 48000, channels: 2, format: 'f32le' }],
  ['WAV, float, 5.1', wav, { rate: 48000, channels: 6, format: 'f32le', mask: 0x3f }],
  ['WAV, 16 bits, 5.1 with side loudspeakers', wav, { rate: 48000, channels: 6, mask: 0x60f }],
  ['WAV, 16 bits, a rate that AAC does not support', wav, { rate: 50000, channels: 2 }],
  ['WAV, a chunk of metadata before the samples', wav,
    { rate: 22050, channels: 2, chunks: [['LIST', Buffer.alloc(200001, 7)]] }],
  ['WAV, with a too large length in its header', wav,
    { rate: 22050, channels: 1, length: 0x7fffffff }],
  ['AIFF, 16 bits, stereo', aiff, { rate: 44100, channels: 2 }],
  ['AIFF, 24 bits, mono', aiff, { rate: 48000, channels: 1, format: 's24be' }],
  ['CAF, float, stereo, of unknown length', caf, { rate: 44100, channels: 2 }],
  ['WAV, 24 bits, read in pieces that end within samples', wav,
    { rate: 44100, channels: 2, format: 's24le', frames: 400000 }],
]
const modes = [
  [{ constant: 96000 }, 'fast'], [{ average: 80000 }, 'balanced'], [{ variable: 3 }, 'best'],
  [undefined, undefined],
]

for (const [index, [name, make, kind]] of sources.entries()) {
  test(`${name} converts to the bytes of the native command`, async () => {
    const samples = fine(kind.frames ?? 30000 + 7 * index, kind.channels, kind.rate, index)
    const bytes = make(samples, kind)
    const source = await aacorn.soundFile(new Blob([bytes]))
    assert.equal(source.sampleRate, kind.rate)
    assert.equal(source.channels, kind.channels)
    assert.equal(source.frameCount, samples.length / kind.channels)
    for (const container of ['m4a', 'adts']) {
      const [rateControl, effort] = modes[(index + (container === 'm4a' ? 0 : 2)) % modes.length]
      const extra = effort ? ['--effort', effort] : []
      for (const [mode, value] of Object.entries(rateControl ?? {})) {
        extra.push(options[mode], String(value * (mode === 'variable' ? 1 : kind.channels / 2)))
      }
      const scaled = rateControl && Object.fromEntries(Object.entries(rateControl).map(
        ([mode, value]) => [mode, mode === 'variable' ? value : value * kind.channels / 2]))
      const file = await source.convert({ container, rateControl: scaled, effort })
      assertEqual(await bytesOf(file), natively(bytes, container, extra), container)
    }
    source.close()
  })
}

test('audio is mixed and resampled as by the native command', async () => {
  const bytes = wav(fine(40000, 6, 48000, 4), { rate: 48000, channels: 6, mask: 0x3f })
  const file = await converted(bytes, { container: 'm4a', channels: 2, sampleRate: 32000 })
  assertEqual(file,
    natively(bytes, 'm4a', ['--channels', '2', '--rate', '32000']), 'mixed')
})

test('tags equal the tags of the native command', async () => {
  const tags = { title: 'Füße “x”\n', artist: '大', album: '', date: '2024-05-06', comment: 'c'.repeat(70000) }
  const bytes = wav(fine(5000, 1, 44100, 4), { rate: 44100, channels: 1 })
  const extra = Object.entries(tags).flatMap(([name, text]) => [`--${name}`, text])
  assertEqual(await converted(bytes, { container: 'm4a', tags }), natively(bytes, 'm4a', extra), 'tags')
})

test('tags of the input are preserved as by the native command', async () => {
  const chunk = (name, text) => Buffer.from(`${name}${String.fromCharCode(text.length)}\0\0\0${text}`, 'latin1')
  const list = Buffer.concat([
    Buffer.from('INFO'), chunk('INAM', 'Name'), chunk('IART', 'Me'), chunk('ITRK', '3/12'), chunk('IXYZ', 'ab')])
  const bytes = wav(fine(5000, 2, 44100, 4), { rate: 44100, channels: 2, chunks: [['LIST', list]] })
  for (const [given, extra] of [
    [{}, []], [{ tags: { title: 'Other' } }, ['--title', 'Other']], [{ keepTags: false }, ['--no-tags']],
  ]) {
    const file = await converted(bytes, { container: 'm4a', ...given })
    assertEqual(file, natively(bytes, 'm4a', extra), JSON.stringify(given))
  }
  // `fileTags` returns the tags for audio that a browser decodes. A conversion of the resulting M4A file copies
  // them.
  const inputTags = await aacorn.fileTags(bytes)
  const file = encodedFile(aacorn, { container: 'm4a', inputTags }, fine(5000, 2, 44100, 4))
  const result = await converted(await bytesOf(file), { container: 'm4a' })
  const { tags } = await aacorn.inspect(new Blob([result]))
  assert.equal(tags.title, 'Name')
  assert.equal(tags.artist, 'Me')
  const text = result.toString('latin1')
  assert.ok(text.includes('trkn') && text.includes('IXYZ'))
})

test('chapters of the input are preserved as by the native command', async () => {
  const titles = Array.from({ length: 300 }, (_, index) => `Part ${index} ${'ü'.repeat(index)}`)
  const bytes = wav(fine(20_000, 1, 8000, 4),
    { rate: 8000, channels: 1, chunks: [['id3 ', chapterTag(titles)]] })
  const file = await converted(bytes, { container: 'm4a' })
  assertEqual(file, natively(bytes, 'm4a', []), 'chapters')
  assert.ok(file.includes('Part 299'))
  // An M4A file passes its chapters on.
  assertEqual(await converted(file, { container: 'm4a' }), natively(file, 'm4a', []), 'chapters of an M4A')
})

// The tag reader parses from the start again after each piece of the file, so pieces must be few.
test('tags in many parts are read in few pieces', async () => {
  const length = 270_000
  const comment = Buffer.alloc(4 + length)
  comment.writeUInt32BE(0x04 << 24 | length)
  const last = Buffer.from('\x84\0\0\0\0\0\0\0\x01\0\0\0\x11\0\0\0TITLE=Last of all', 'latin1')
  last.writeUInt32BE((0x84 << 24 | last.length - 4) >>> 0)
  const blob = new Blob(['fLaC', ...Array(20).fill(comment), last])
  let readCount = 0
  const file = { size: blob.size, slice: (...range) => (readCount += 1, blob.slice(...range)) }
  const inputTags = await aacorn.fileTags(file)
  assert.ok(Buffer.from(inputTags).includes('Last of all'))
  assert.ok(readCount < 10, `${readCount} pieces`)
})

for (const container of ['m4a', 'adts']) {
  for (const isKnown of [true, false]) {
    test(`samples convert to the ${container} of the native command, length ` +
      `${isKnown ? 'known' : 'unknown'}, in pieces of any length`, async () => {
      const samples = integers(sound(100003, 2, 44100, 8))
      const expected = natively(Buffer.from(samples.buffer), container, rawStereo, !isKnown)
      for (const length of [1000, 65536, 77777, 1e9]) {
        const encoder = aacorn.fileEncoder({
          container, sampleRate: 44100, channels: 2, frameCount: isKnown ? 100003 : undefined })
        const file = new FileAssembler()
        for (let offset = 0; offset < samples.length; offset += length) {
          file.write(encoder.encode(samples.subarray(offset, offset + length)))
        }
        file.write(encoder.finish())
        encoder.close()
        assert.equal(file.byteLength, expected.length)
        assertEqual(await bytesOf(file.blob()), expected, `chunks of ${length}`)
      }
    })
  }
}

test('a file much longer than announced is complete, with its tables at the end', async () => {
  const samples = sound(400000, 1, 44100, 8)
  const make = (frameCount) => aacorn.inspect(
    encodedFile(aacorn, { container: 'm4a', channels: 1, frameCount }, samples))
  const [short, right] = [await make(1000), await make(400000)]
  assert.deepEqual(short.faults, [])
  for (const name of [
    'samples', 'priming', 'remainder', 'bitrate', 'minimumBitrate', 'maximumBitrate', 'frames',
  ]) {
    assert.equal(short[name], right[name], name)
  }
})

test('progress rises to 1, and a signal aborts the conversion', async () => {
  const bytes = wav(sound(2400000, 1, 44100, 1), { rate: 44100, channels: 1 })
  const source = await aacorn.soundFile(new Blob([bytes]))
  assert.ok(await checkProgress((options) => source.convert({ container: 'adts', ...options })) > 3)
  source.close()
})

test('a file without audio is rejected with a code and a message', async () => {
  // decoder.test.mjs has the codes of files that are not audio.
  const code = async (bytes) => {
    try {
      await converted(bytes, { container: 'm4a' })
    } catch (error) {
      assert.ok(error instanceof AacornError, String(error))
      assert.match(error.message, /^[A-Z].*\.$/)
      return error.code
    }
    return null
  }
  const whole = wav(sound(1000, 2, 44100, 1), { rate: 44100, channels: 2 })
  assert.equal(await code(whole.subarray(0, 44)), 'no-samples')
  assert.equal(await code(wav([], { rate: 44100, channels: 2 })), 'no-samples')
  const compressed = Buffer.from(whole)
  compressed.writeUInt16LE(0x55, 20)
  assert.equal(await code(compressed), 'compressed')
  // The options are checked first.
  const empty = await aacorn.soundFile(wav([], { rate: 44100, channels: 2 }))
  await assert.rejects(empty.convert({ container: 'mp3' }), { code: 'container' })
  await assert.rejects(empty.convert({ container: 'm4a', rateControl: 1 }), { code: 'option' })
  const quadraphony = wav(sound(1000, 4, 44100, 1), { rate: 44100, channels: 4, mask: 0x33 })
  assert.equal(await code(quadraphony), 'layout')
})

// The parsers of the page and the package that do not use the module: any bytes are parsed or rejected, in
// bounded time, and nothing is thrown.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  adtsFrame, isADTS, readADTS
} from '../../Npm/webcodecs/adts.js'
import { sniff } from '../../Sources/AacornStudioPage/Public/views/browser/sniff.js'
import {
  adtsFrameAt, adtsHeader, coreOf, mediaStart, unitLength, windowOf
} from '../../Sources/AacornStudioPage/Public/views/browser/units.js'
import { aiff, caf, wav } from './files.mjs'
import { random, sound, spoiled } from './sound.mjs'

const rounds = Number(process.env.AACORN_FUZZ_ROUNDS ?? 400)
// Detects an endless loop.
const limits = { timeout: 300_000 }

const ascii = text => Buffer.from(text, 'latin1')
const be32 = value => Buffer.from([value >>> 24, value >>> 16, value >>> 8, value])

function box(type, ...contents) {
  const content = Buffer.concat(contents)
  return Buffer.concat([be32(8 + content.length), ascii(type), content])
}

/** Returns a movie with an audio track at 44.1 kHz. */
function movie() {
  const entry = box('mp4a', Buffer.alloc(16), Buffer.from([0, 2, 0, 16, 0, 0, 0, 0]),
    be32(44100 * 65536))
  const tables = box('stbl', box('stsd', be32(0), be32(1), entry))
  const handler = box('hdlr', be32(0), be32(0), ascii('soun'), Buffer.alloc(13))
  const track = box('trak', box('mdia', handler, box('minf', tables)))
  return Buffer.concat([
    box('ftyp', ascii('M4A ')), box('moov', track), box('mdat', Buffer.alloc(40))])
}

function frames() {
  const unit = Buffer.alloc(50, 0x5a)
  const frame = adtsFrame(Uint8Array.of(0x12, 0x10), unit)
  return Buffer.concat([frame, frame, frame])
}

/** The first bytes of all detected formats, each with the format's human-readable name. */
function samples() {
  const mono = sound(600, 2, 44100, 2)
  const vorbis = [ascii('OggS'), Buffer.alloc(22), Buffer.from([1, 30, 1]), ascii('vorbis'),
    Buffer.alloc(5), Buffer.from([0x44, 0xac, 0, 0]), Buffer.alloc(12)]
  const flac = [ascii('fLaC'), Buffer.from([0, 0, 0, 34]), Buffer.alloc(10),
    Buffer.from([0x0a, 0xc4, 0x42, 0xf0]), Buffer.alloc(20)]
  const transport = Buffer.alloc(188 * 4)
  for (let at = 0; at < transport.length; at += 188) transport[at] = 0x47
  return [
    [wav(mono, { rate: 44100, channels: 2 }), 'WAV'],
    [aiff(mono, { rate: 44100, channels: 2 }), 'AIFF'],
    [caf(mono, { rate: 44100, channels: 2 }), 'CAF'],
    [movie(), 'MPEG-4'], [frames(), 'AAC'],
    [Buffer.concat([ascii('ID3'), Buffer.from([4, 0, 0, 0, 0, 0, 5]), Buffer.alloc(5), frames()]),
      'AAC'],
    [Buffer.concat(vorbis), 'Ogg Vorbis'], [Buffer.concat(flac), 'FLAC'],
    [transport, 'MPEG transport stream'],
    [Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 0xb5, 0x84, 0x47, 0x2c, 0x44, 0, 0, 0, 0, 0, 0, 0]),
      'WebM or Matroska'],
    [Buffer.from([0xff, 0xfb, 0x90, 0x64, 0, 0, 0, 0]), 'MP3']
  ]
}

const noise = (length, next) => Buffer.from({ length }, () => 0).map(() => next() >>> 13)

/** All inputs: each sample intact and damaged, and noise with the same first bytes. */
function* inputs(seed) {
  const next = random(seed)
  const known = samples()
  for (const [bytes] of known) yield bytes
  for (let round = 0; round < rounds; round++) {
    const [bytes] = known[round % known.length]
    yield spoiled(bytes, next)
    const begun = (next() >>> 8) % 16
    yield Buffer.concat([bytes.subarray(0, begun), noise((next() >>> 8) % 3000, next)])
  }
}

test('intact files are distinguished', limits, async () => {
  for (const [bytes, format] of samples()) {
    const found = await sniff(new Blob([bytes]))
    assert.equal(found.format, format)
    if (['MPEG-4', 'Ogg Vorbis', 'FLAC', 'WAV'].includes(format)) {
      assert.equal(found.sampleRate, 44100, format)
      assert.ok(found.isRate, format)
    }
  }
})

test('for any first bytes, the format is detected or unknown', limits, async () => {
  for (const bytes of inputs(11)) {
    const found = await sniff(new Blob([bytes]))
    assert.equal(typeof found.format, 'string')
    assert.ok(found.sampleRate >= 7350 && found.sampleRate <= 96000, `${found.sampleRate}`)
    assert.ok(found.bits >= 0 && found.bits <= 32)
    for (const flag of ['isRate', 'isSamples', 'mayBeAAC', 'isLossy']) {
      assert.equal(typeof found[flag], 'boolean', flag)
    }
  }
})

test('endlessly nested boxes are not a movie', limits, async () => {
  const depth = 100_000
  const nested = Buffer.alloc(8 * depth)
  for (let at = 0; at < nested.length; at += 8) {
    nested.writeUInt32BE(nested.length - at, at)
    nested.write('moov', at + 4, 'latin1')
  }
  assert.ok((await sniff(new Blob([nested]))).sampleRate > 0)
})

test('units and their frames are read from any bytes', limits, () => {
  for (const bytes of inputs(12)) {
    for (let at = 0; at < bytes.length + 2; at += 1 + (at >> 4)) {
      const frame = adtsFrameAt(bytes, at)
      if (frame) assert.ok(frame.length > frame.header && frame.length < 8192)
    }
    const window = windowOf(bytes)
    assert.ok(window === null || (window >= 0 && window <= 3))
    const start = mediaStart(bytes)
    assert.ok(start === -1 || (start >= 8 && start <= bytes.length + 8), `${start}`)
    const core = coreOf(bytes.subarray(0, 2))
    assert.ok(core.channels >= 0 && core.channels <= 15)
    if (!core.sampleRate) continue
    assert.ok(unitLength(core, 48000) > 0)
    if (core.channels < 8) {
      const frame = adtsFrameAt(Buffer.concat([adtsHeader(core, 10), Buffer.alloc(10)]), 0)
      assert.deepEqual(frame, { header: 7, length: 17 })
    }
  }
})

test('frames of ADTS are parsed or rejected', limits, () => {
  for (const bytes of inputs(13)) {
    let rest = bytes
    for (let frame; (frame = readADTS(rest));) {
      assert.ok(isADTS(rest))
      assert.ok(frame.rest.length < rest.length, 'The parser advances.')
      assert.ok(frame.unit.length + frame.rest.length < rest.length)
      assert.equal(frame.audioSpecificConfig.length, 2)
      const again = readADTS(adtsFrame(frame.audioSpecificConfig, frame.unit))
      assert.deepEqual([...again.unit], [...frame.unit])
      assert.deepEqual(again.audioSpecificConfig, frame.audioSpecificConfig)
      rest = frame.rest
    }
  }
})

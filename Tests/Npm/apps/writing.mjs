// Files that mediabunny itself writes with the adapter, and reads again.

import {
  AdtsOutputFormat, ALL_FORMATS, AudioSample, AudioSampleSink, AudioSampleSource, BufferSource,
  BufferTarget, Input, MkvOutputFormat, MovOutputFormat, Mp4OutputFormat, MpegTsOutputFormat, Output,
} from 'mediabunny'
import { registerAacornDecoder, registerAacornEncoder } from 'aacorn/mediabunny.js'
import { report } from './report.mjs'

const sampleRate = 48000
const frameCount = 96000

const formats = {
  mp4: () => new Mp4OutputFormat(),
  'fragments.mp4': () => new Mp4OutputFormat({ fastStart: 'fragmented' }),
  mov: () => new MovOutputFormat(), mkv: () => new MkvOutputFormat(), aac: () => new AdtsOutputFormat(),
  ts: () => new MpegTsOutputFormat(),
}
const codings = {
  lc: { bitrate: 128000 },
  he: { bitrate: 48000, fullCodecString: 'mp4a.40.5' },
  he2: { bitrate: 32000, fullCodecString: 'mp4a.40.29' },
}

/** Returns a tone, louder in the left channel, in pieces as from a microphone. */
function* pieces() {
  for (let start = 0; start < frameCount; start += 4800) {
    const data = new Float32Array(2 * 4800)
    for (let frame = 0; frame < 4800; frame++) {
      data[2 * frame] = Math.sin((start + frame) / 16) / 2
      data[2 * frame + 1] = Math.sin((start + frame) / 16) / 3
    }
    yield new AudioSample({ format: 'f32', sampleRate, numberOfChannels: 2,
      timestamp: start / sampleRate, data })
  }
}

async function write(format, coding) {
  const output = new Output({ format, target: new BufferTarget() })
  const source = new AudioSampleSource({ codec: 'aac', ...coding })
  output.addAudioTrack(source)
  await output.start()
  for (const piece of pieces()) {
    await source.add(piece)
    piece.close()
  }
  await output.finalize()
  return new Uint8Array(output.target.buffer)
}

/** Returns the number of samples in a file, and their power. */
async function read(bytes) {
  const input = new Input({ formats: ALL_FORMATS, source: new BufferSource(bytes) })
  const track = await input.getPrimaryAudioTrack()
  let [frames, power] = [0, 0]
  for await (const part of new AudioSampleSink(track).samples()) {
    const plane = new Float32Array(part.numberOfFrames)
    part.copyTo(plane, { planeIndex: 1, format: 'f32-planar' })
    power = plane.reduce((sum, value) => sum + value * value, power)
    frames += part.numberOfFrames
    part.close()
  }
  return { frames, power: power / frames }
}

async function all() {
  registerAacornEncoder()
  registerAacornDecoder()
  const results = {}
  for (const [ending, format] of Object.entries(formats)) {
    for (const [name, coding] of Object.entries(codings)) {
      const bytes = await write(format(), coding)
      const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
      results[`${name}.${ending}`] = { base64: btoa(text), ...await read(bytes) }
    }
  }
  return { results }
}

report(all())

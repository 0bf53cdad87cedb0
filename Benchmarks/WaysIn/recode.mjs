// Encodes a WAV file to M4A, or decodes M4A to floating-point samples, like a typical node program:
//
//     node recode.mjs encode IN.wav OUT.m4a BITS-PER-SECOND
//     node recode.mjs decode IN.m4a OUT.wav

import fs from 'node:fs'
import { load } from '../../Npm/aacorn.js'
import { loadDecoder } from '../../Npm/decoder.js'

const [, , task, source, target, bitrate] = process.argv
const blob = new Blob([fs.readFileSync(source)])

if (task === 'encode') {
  const sound = await (await load()).soundFile(blob)
  const file = await sound.convert({ container: 'm4a', rateControl: { constant: Number(bitrate) } })
  fs.writeFileSync(target, new Uint8Array(await file.arrayBuffer()))
} else {
  const sound = await (await loadDecoder()).soundFile(blob)
  const file = fs.openSync(target, 'w')
  const header = Buffer.alloc(44)
  fs.writeSync(file, header)
  let length = 0
  for (let part; (part = await sound.read(1 << 16)) !== null;) {
    const { channels } = part
    const samples = new Float32Array(channels.length * channels[0].length)
    for (const [channel, plane] of channels.entries()) {
      for (let index = 0; index < plane.length; index++) {
        samples[index * channels.length + channel] = plane[index]
      }
    }
    fs.writeSync(file, new Uint8Array(samples.buffer))
    length += samples.byteLength
  }
  header.write('RIFF', 0, 'latin1')
  header.writeUInt32LE(36 + length, 4)
  header.write('WAVEfmt ', 8, 'latin1')
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(3, 20)
  header.writeUInt16LE(sound.channels, 22)
  header.writeUInt32LE(sound.sampleRate, 24)
  header.writeUInt32LE(4 * sound.channels * sound.sampleRate, 28)
  header.writeUInt16LE(4 * sound.channels, 32)
  header.writeUInt16LE(32, 34)
  header.write('data', 36, 'latin1')
  header.writeUInt32LE(length, 40)
  fs.writeSync(file, header, 0, 44, 0)
  fs.closeSync(file)
}

// Uses the npm package in a folder where npm has installed it.

import { readFile, writeFile } from 'node:fs/promises'
import { load } from 'aacorn'
import { loadDecoder } from 'aacorn/decoder.js'

/** Returns a WAV file with 16 bits per sample (RIFF, “WAVE” form). */
function waveFile(channels, sampleRate) {
  const frameCount = channels[0].length
  const file = Buffer.alloc(44 + frameCount * channels.length * 2)
  file.write('RIFF', 0)
  file.writeUInt32LE(file.length - 8, 4)
  file.write('WAVEfmt ', 8)
  file.writeUInt32LE(16, 16)
  file.writeUInt16LE(1, 20)
  file.writeUInt16LE(channels.length, 22)
  file.writeUInt32LE(sampleRate, 24)
  file.writeUInt32LE(sampleRate * channels.length * 2, 28)
  file.writeUInt16LE(channels.length * 2, 32)
  file.writeUInt16LE(16, 34)
  file.write('data', 36)
  file.writeUInt32LE(file.length - 44, 40)
  for (let frame = 0; frame < frameCount; frame++) {
    channels.forEach((samples, channel) => {
      const value = Math.max(-32768, Math.min(32767, Math.round(samples[frame] * 32768)))
      file.writeInt16LE(value, 44 + (frame * channels.length + channel) * 2)
    })
  }
  return file
}

const trials = {
  async encodes() {
    const aacorn = await load()
    const sound = await aacorn.soundFile(await readFile('sound.wav'))
    const file = await sound.convert({ container: 'm4a', rateControl: { constant: 128000 } })
    sound.close()
    await writeFile('made.m4a', Buffer.from(await file.arrayBuffer()))
  },
  async decodes() {
    const decoders = await loadDecoder()
    const sound = await decoders.soundFile(await readFile('made.m4a'))
    const { channels, sampleRate } = await sound.read()
    sound.close()
    await writeFile('decoded.wav', waveFile(channels, sampleRate))
  },
  async inspects() {
    const aacorn = await load()
    const report = await aacorn.inspect(await readFile('made.m4a'))
    if (report.faults.length || !report.frames) throw new Error(JSON.stringify(report))
  },
}
await trials[process.argv[2]]()

// What a browser gives the page of its microphone, beside what the page makes of it.

import assert from 'node:assert/strict'
import fs from 'node:fs'
import { until } from './waiting.mjs'

/** Frames in a block that is kept. The last one may not become full, and is not known then. */
const blockLength = 1024

/** Keeps a copy of all that microphones give from here on to the page that is shown. */
export function tap({ browser }) {
  return browser.run((blockLength) => {
    const { connect } = AudioNode.prototype
    window.tapped = []
    AudioNode.prototype.connect = function (...to) {
      const [node] = to
      if (this instanceof MediaStreamAudioSourceNode && node instanceof AudioWorkletNode) {
        // A second one of the page's own processors: its rules for scripts let no other in.
        const copier = new AudioWorkletNode(this.context, 'aacorn-microphone', {
          numberOfInputs: 1, numberOfOutputs: 1, outputChannelCount: [1],
          channelCount: node.channelCount, channelCountMode: 'explicit',
          channelInterpretation: 'speakers',
          processorOptions: { channelCount: node.channelCount, blockLength },
        })
        const { port1, port2 } = new MessageChannel()
        const blocks = []
        port1.onmessage = ({ data: { samples, count } }) =>
          blocks.push(samples.subarray(0, count * node.channelCount))
        copier.port.postMessage({ port: port2 }, [port2])
        connect.call(copier, this.context.destination)
        connect.call(this, copier)
        window.tapped = blocks
      }
      return connect.apply(this, to)
    }
  }, blockLength)
}

/** The interleaved samples that the newest microphone has given until now. */
async function tapped({ browser }) {
  const text = await browser.run(() => {
    const samples = new Float32Array(window.tapped.reduce((sum, { length }) => sum + length, 0))
    let place = 0
    for (const block of window.tapped) {
      samples.set(block, place)
      place += block.length
    }
    const bytes = new Uint8Array(samples.buffer)
    let text = ''
    for (let at = 0; at < bytes.length; at += 8192) {
      text += String.fromCharCode(...bytes.subarray(at, at + 8192))
    }
    return btoa(text)
  })
  return floats(Buffer.from(text, 'base64'))
}

/** The numbers that bytes are, wherever these lie. */
function floats(bytes) {
  return new Float32Array(Uint8Array.from(bytes).buffer)
}

/**
 * Checks that a WAV file of what the page has recorded holds every sample that the microphone gave
 * it, from the recording's first one on and each at once after the one before. What the browser
 * itself did not give, the page may fill with silence; the frames of that are returned.
 */
export async function checkNothingIsLost(fixture, { samples: bytes, channels }) {
  const recorded = floats(bytes)
  const frames = recorded.length / channels
  // What comes from the audio thread may come a little later than the file.
  let outcome
  await until(async () => {
    outcome = follow(recorded, await tapped(fixture), channels)
    return outcome.at >= frames - blockLength || outcome.isOther
  }, `what the microphone gave of ${frames} frames`)
  const { at, filled, isOther } = outcome
  assert.ok(!isOther, `frame ${at} of ${frames} is not what the microphone gave, ` +
    `after ${filled} of silence`)
  return filled
}

/**
 * How far a recording is what was given from some frame on, silence apart that is put in: the frame
 * where that ends, and whether another one came or nothing else was given yet.
 */
function follow(recorded, given, channels) {
  const frames = recorded.length / channels
  const isSame = (frame, other) => {
    for (let channel = 0; channel < channels; channel++) {
      if (recorded[frame * channels + channel] !== given[other * channels + channel]) return false
    }
    return true
  }
  const isSilent = (frame) => recorded.subarray(frame * channels, (frame + 1) * channels)
    .every((sample) => sample === 0)
  // A few frames that are not silent are to be found at one place only.
  let first = 0
  while (first < frames && isSilent(first)) first++
  const start = Array.from({ length: given.length / channels }, (_, frame) => frame)
    .find((frame) => isSame(first, frame) && isSame(first + 1, frame + 1) &&
      isSame(first + 2, frame + 2) && isSame(first + 3, frame + 3))
  if (start === undefined) return { at: 0, filled: 0, isOther: false }
  let [at, other, filled] = [first, start, 0]
  for (; at < frames && other < given.length / channels; at++) {
    if (isSame(at, other)) other++
    else if (isSilent(at)) filled++
    else return { at, filled, isOther: true }
  }
  return { at, filled, isOther: false }
}

/** The samples of a WAV file with 32-bit numbers. */
export function floatsOf(file, rate) {
  const wav = fs.readFileSync(file)
  let channels
  for (let at = 12; ;) {
    const [name, length] = [wav.toString('latin1', at, at + 4), wav.readUInt32LE(at + 4)]
    if (name === 'fmt ') {
      channels = wav.readUInt16LE(at + 10)
      assert.equal(wav.readUInt32LE(at + 12), rate)
      assert.equal(wav.readUInt16LE(at + 22), 32)
    }
    if (name === 'data') return { channels, samples: wav.subarray(at + 8, at + 8 + length) }
    at += 8 + length + length % 2
  }
}

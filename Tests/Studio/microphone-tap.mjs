// Compares the microphone's samples from the browser with the page's recording.

import assert from 'node:assert/strict'
import { floats } from './sound.mjs'
import { until } from './waiting.mjs'

/** Copies all samples that microphones deliver to the current page from now on. */
export function tap({ browser }) {
  return browser.run(() => {
    const { connect } = AudioNode.prototype
    window.tapped = []
    AudioNode.prototype.connect = function (...to) {
      const [node] = to
      if (this instanceof MediaStreamAudioSourceNode && node instanceof AudioWorkletNode) {
        // Another instance of the page's own processor, because the content security policy allows no other
        // script. Unlike the page's instance, this one does not collect samples: each call of the audio thread
        // delivers a block.
        const channels = node.channelCount
        const copier = new AudioWorkletNode(this.context, 'aacorn-microphone', {
          numberOfInputs: 1, numberOfOutputs: 1, outputChannelCount: [1],
          channelCount: channels, channelCountMode: 'explicit', channelInterpretation: 'speakers',
          processorOptions: { channelCount: channels, blockLength: 128 },
        })
        const { port1, port2 } = new MessageChannel()
        const blocks = []
        port1.onmessage = ({ data: { samples, count } }) => {
          blocks.push(samples.slice(0, count * channels))
          port1.postMessage({ spare: samples }, [samples.buffer])
        }
        copier.port.postMessage({ port: port2 }, [port2])
        connect.call(copier, this.context.destination)
        connect.call(this, copier)
        window.tapped = blocks
      }
      return connect.apply(this, to)
    }
  })
}

/** Returns the interleaved samples that the newest microphone has delivered up to now. */
async function tapped({ browser }) {
  const text = await browser.run(() => {
    const samples = new Float32Array(window.tapped.reduce((sum, { length }) => sum + length, 0))
    let position = 0
    for (const block of window.tapped) {
      samples.set(block, position)
      position += block.length
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

/**
 * Checks that a recording has every frame that the microphone delivered, in order, from its first audible
 * frame to its end. Returns the number of frames of inserted silence, and the number of further silent frames
 * at the beginning that may be inserted, because silence from the microphone looks the same.
 */
export async function checkNothingIsLost(fixture, { samples, channels }) {
  const recorded = framesOf(samples, channels)
  let outcome
  // Samples from the audio thread may reach the page a little later than the file is complete.
  await until(async () => {
    outcome = longest(recorded, framesOf(await tapped(fixture), channels))
    return outcome.at === recorded.length || outcome.differs
  }, `the ${recorded.length} frames of the microphone`)
  const { at, differs, filled, mayBeFilled } = outcome
  assert.ok(!differs, `frame ${at} of ${recorded.length} differs from the microphone's, ` +
    `after ${filled} of silence`)
  return { filled, mayBeFilled }
}

/** Returns the frames of interleaved samples: their number, and their properties. */
function framesOf(samples, channels) {
  return {
    length: samples.length / channels,
    isSilent(frame) {
      for (let channel = 0; channel < channels; channel++) {
        if (samples[frame * channels + channel] !== 0) return false
      }
      return true
    },
    isSame(frame, other, position) {
      for (let channel = 0; channel < channels; channel++) {
        const sample = other.samples[position * channels + channel]
        if (samples[frame * channels + channel] !== sample) return false
      }
      return true
    },
    samples,
  }
}

/** Returns the longest match of a recording with the delivered samples. */
function longest(recorded, given) {
  let first = 0
  while (first < recorded.length && recorded.isSilent(first)) first++
  // If no delivered sample matches the first audible frame, wait for more samples, unless their number already
  // equals that of the recorded ones.
  let best = { at: 0, filled: 0, mayBeFilled: 0, differs: given.length >= recorded.length }
  for (let position = 0; position < given.length && best.at < recorded.length; position++) {
    if (!recorded.isSame(first, given, position)) continue
    const outcome = follow(recorded, first, given, position)
    if (outcome.at > best.at) best = outcome
  }
  return best
}

/**
 * Compares a recording with the delivered samples: `at` is the first frame not matched, and `differs` is
 * whether that frame differs from the delivered one.
 */
function follow(recorded, first, given, start) {
  let before = 0
  while (before < Math.min(first, start) && given.isSilent(start - before - 1)) before++
  let [at, position, filled] = [first, start, first - before]
  for (; at < recorded.length && position < given.length; at++) {
    if (recorded.isSame(at, given, position)) position++
    else if (recorded.isSilent(at)) filled++
    else return { at, filled, mayBeFilled: before, differs: true }
  }
  return { at, filled, mayBeFilled: before, differs: false }
}

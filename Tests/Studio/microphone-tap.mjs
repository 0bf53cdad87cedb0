// What a browser gives the page of its microphone, beside what the page makes of it.

import assert from 'node:assert/strict'
import { floats } from './sound.mjs'
import { until } from './waiting.mjs'

/** Keeps a copy of all that microphones give from here on to the page that is shown. */
export function tap({ browser }) {
  return browser.run(() => {
    const { connect } = AudioNode.prototype
    window.tapped = []
    AudioNode.prototype.connect = function (...to) {
      const [node] = to
      if (this instanceof MediaStreamAudioSourceNode && node instanceof AudioWorkletNode) {
        // One more of the page's own processors, whose content security policy allows no other
        // script. It gathers nothing: each call of the audio thread makes a block.
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

/**
 * Checks that a recording has every frame that the microphone gave, in order, from its first sound
 * to its end. Returns how many frames of silence are in between that the browser did not give, and
 * how many more may be at the beginning, where silence that was given looks the same.
 */
export async function checkNothingIsLost(fixture, { samples, channels }) {
  const recorded = framesOf(samples, channels)
  let outcome
  // What comes from the audio thread may reach the page a little later than the file is whole.
  await until(async () => {
    outcome = longest(recorded, framesOf(await tapped(fixture), channels))
    return outcome.at === recorded.length || outcome.differs
  }, `what the microphone gave of ${recorded.length} frames`)
  const { at, differs, filled, mayBeFilled } = outcome
  assert.ok(!differs, `frame ${at} of ${recorded.length} is not what the microphone gave, ` +
    `after ${filled} of silence`)
  return { filled, mayBeFilled }
}

/** The frames of interleaved samples: how many there are, and what is known of each. */
function framesOf(samples, channels) {
  return {
    length: samples.length / channels,
    isSilent(frame) {
      for (let channel = 0; channel < channels; channel++) {
        if (samples[frame * channels + channel] !== 0) return false
      }
      return true
    },
    isSame(frame, other, place) {
      for (let channel = 0; channel < channels; channel++) {
        const sample = other.samples[place * channels + channel]
        if (samples[frame * channels + channel] !== sample) return false
      }
      return true
    },
    samples,
  }
}

/** Follows a recording from the place in what was given that leads furthest. */
function longest(recorded, given) {
  let first = 0
  while (first < recorded.length && recorded.isSilent(first)) first++
  // Where nothing is like its first sound, more may come, but not once as much is there.
  let best = { at: 0, filled: 0, mayBeFilled: 0, differs: given.length >= recorded.length }
  for (let place = 0; place < given.length && best.at < recorded.length; place++) {
    if (!recorded.isSame(first, given, place)) continue
    const outcome = follow(recorded, first, given, place)
    if (outcome.at > best.at) best = outcome
  }
  return best
}

/**
 * Follows a recording through what was given: `at` is the frame that was reached, and `differs`
 * whether that is another than the one that was given.
 */
function follow(recorded, first, given, start) {
  let before = 0
  while (before < Math.min(first, start) && given.isSilent(start - before - 1)) before++
  let [at, place, filled] = [first, start, first - before]
  for (; at < recorded.length && place < given.length; at++) {
    if (recorded.isSame(at, given, place)) place++
    else if (recorded.isSilent(at)) filled++
    else return { at, filled, mayBeFilled: before, differs: true }
  }
  return { at, filled, mayBeFilled: before, differs: false }
}

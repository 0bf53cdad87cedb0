// What the browser has of microphones, and how it is asked for one.

import { MicrophoneProblem } from './problems.js'

/** The microphones there are; their names are known only once one was allowed. */
export async function microphones() {
  const devices = await navigator.mediaDevices?.enumerateDevices?.() ?? []
  return devices.filter(device => device.kind === 'audioinput' && device.deviceId)
}

/** An audio context of this rate, or of the usual one. */
export function newContext(sampleRate) {
  const Context = globalThis.AudioContext
  if (!Context || !globalThis.AudioWorkletNode) throw new MicrophoneProblem('old')
  return new Context({ latencyHint: 'balanced', ...(sampleRate ? { sampleRate } : {}) })
}

/** Asks the browser for a microphone. */
export function getStream({ deviceId, channels, processing }) {
  return navigator.mediaDevices.getUserMedia({
    audio: {
      ...(deviceId ? { deviceId: { exact: deviceId } } : {}),
      channelCount: { ideal: channels },
      echoCancellation: processing.echoCancellation,
      noiseSuppression: processing.noiseSuppression,
      autoGainControl: processing.autoGainControl
    }
  })
}

/** Lets a microphone go. */
export function stopTracks(stream) {
  for (const track of stream.getTracks()) {
    track.onended = null
    track.stop()
  }
}

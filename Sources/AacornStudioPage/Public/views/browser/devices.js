// Access to the browser's microphones.

import { MicrophoneProblem } from './problems.js'

/** Returns the available microphones. Their names are known only after the user has allowed one. */
export async function microphones() {
  const devices = await navigator.mediaDevices?.enumerateDevices?.() ?? []
  return devices.filter(device => device.kind === 'audioinput' && device.deviceId)
}

/** Creates an audio context with this rate, or with the default rate. */
export function newContext(sampleRate) {
  const Context = globalThis.AudioContext
  if (!Context || !globalThis.AudioWorkletNode) throw new MicrophoneProblem('old')
  return new Context({ latencyHint: 'balanced', ...(sampleRate ? { sampleRate } : {}) })
}

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

export function stopTracks(stream) {
  for (const track of stream.getTracks()) {
    track.onended = null
    track.stop()
  }
}

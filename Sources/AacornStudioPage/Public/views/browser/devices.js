// Access to the browser's microphones, and the reasons why one cannot be opened, with the remedies.

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

const insecure = () =>
  'Browsers allow the microphone only on pages from this machine or over https. This page '
  + `is from “${location.host}”. Open it as http://localhost:${location.port || 80}/ on the `
  + 'machine where the studio runs, or record with that machine’s devices under “Record”.'

const messages = {
  insecure,
  old: () => 'This browser does not support recording (no AudioWorklet). Use a newer browser.',
  NotAllowedError: () =>
    'This page has no permission for the microphone. Allow it in the browser’s '
    + 'address bar, or in the system settings, then try again.',
  NotFoundError: () => 'No microphone found. Connect one, then try again.',
  OverconstrainedError: () =>
    'The chosen microphone is no longer available. Choose another one, then try again.',
  NotReadableError: () =>
    'The microphone cannot be opened: another program may be using it. Close that program, then '
    + 'try again.',
  // Firefox does not convert the microphone's rate to the context's rate.
  NotSupportedError: () =>
    'This browser does not support this microphone at the current sampling rate. Choose another '
    + 'microphone, or start a new recording with this one.'
}
messages.SecurityError = messages.NotAllowedError
messages.AbortError = messages.NotReadableError

/** An error with a human-readable message. */
export class MicrophoneProblem extends Error {
  constructor(kind) {
    super(messages[kind]())
    this.name = 'MicrophoneProblem'
    this.kind = kind
  }
}

/** Converts any error from opening a microphone to an error with a human-readable message. */
export function problemOf(error) {
  if (error instanceof MicrophoneProblem) return error
  if (Object.hasOwn(messages, error?.name)) return new MicrophoneProblem(error.name)
  return new Error(`The microphone cannot be opened: ${error?.message ?? error}`)
}

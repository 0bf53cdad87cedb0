// The reasons why a microphone cannot be opened, with the remedy.

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

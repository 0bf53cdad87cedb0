// Why a microphone cannot be opened, in sentences that tell what to do.

const insecure = () =>
  'Browsers allow the microphone only to pages from this machine or over https. This one '
  + `comes from “${location.host}”. Open it as http://localhost:${location.port || 80}/ on the `
  + 'machine where the studio runs, or record with that machine’s devices under “Record”.'

const sentences = {
  insecure,
  old: () => 'This browser cannot hand sound to a page (it has no AudioWorklet). Use a newer one.',
  NotAllowedError: () =>
    'The microphone is not allowed for this page. Allow it in the browser’s '
    + 'address bar, or in the system settings, then try again.',
  NotFoundError: () => 'There is no microphone. Plug one in, then try again.',
  OverconstrainedError: () =>
    'The chosen microphone is no longer available. Choose another one, then try again.',
  NotReadableError: () =>
    'The microphone cannot be opened: another program may be using it. Close that program, then '
    + 'try again.',
  // Firefox does not bring the microphone's rate to the context's.
  NotSupportedError: () =>
    'This browser does not support this microphone at the current sampling rate. Choose another '
    + 'microphone, or start a new recording with this one.'
}
sentences.SecurityError = sentences.NotAllowedError
sentences.AbortError = sentences.NotReadableError

/** A failure whose message is a sentence for people. */
export class MicrophoneProblem extends Error {
  constructor(kind) {
    super(sentences[kind]())
    this.name = 'MicrophoneProblem'
    this.kind = kind
  }
}

/** The problem behind any failure to open a microphone. */
export function problemOf(error) {
  if (error instanceof MicrophoneProblem) return error
  if (Object.hasOwn(sentences, error?.name)) return new MicrophoneProblem(error.name)
  return new Error(`The microphone cannot be opened: ${error?.message ?? error}`)
}

// The remaining upload of a recording after its end.

/**
 * Follows the upload of a microphone whose recording has ended. It has `state`, `sent`, `problem` and
 * `finalName` like Upload, the event `change`, `cancel()`, and a promise `ended`. `last` is its last reported
 * state.
 */
export function followUpload(microphone, last) {
  const followed = new EventTarget()
  Object.assign(followed, { state: 'sending', sent: 0, size: 0, problem: '', finalName: '' }, last)
  const isFinished = () => followed.state === 'done' || followed.state === 'failed'
  followed.cancel = () => microphone.cancelUpload()
  followed.ended = new Promise(resolve => {
    if (isFinished()) {
      resolve()
      return
    }
    microphone.addEventListener('upload', ({ detail }) => {
      Object.assign(followed, detail)
      followed.dispatchEvent(new Event('change'))
      if (isFinished()) resolve()
    })
  })
  return followed
}

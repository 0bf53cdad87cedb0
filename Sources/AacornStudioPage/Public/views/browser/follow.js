// What of a recording is still on its way to the library when the recording has ended.

/**
 * Follows the upload of a microphone whose recording has ended: `state`, `sent`, `problem` and
 * `finalName` as Upload has them, the event `change`, `cancel()`, and a promise `ended`. `last` is
 * what was last heard of it.
 */
export function followUpload(microphone, last) {
  const followed = new EventTarget()
  Object.assign(followed, { state: 'sending', sent: 0, size: 0, problem: '', finalName: '' }, last)
  const isOver = () => followed.state === 'done' || followed.state === 'failed'
  followed.cancel = () => microphone.cancelUpload()
  followed.ended = new Promise(resolve => {
    if (isOver()) {
      resolve()
      return
    }
    microphone.addEventListener('upload', ({ detail }) => {
      Object.assign(followed, detail)
      followed.dispatchEvent(new Event('change'))
      if (isOver()) resolve()
    })
  })
  return followed
}

// Keeps the screen on during a recording: phones suspend pages when the screen turns off.

let wanted = false
let lock = null

async function request() {
  if (!wanted || lock || document.hidden) return
  try {
    lock = await navigator.wakeLock.request('screen')
    lock.addEventListener('release', () => { lock = null })
    if (!wanted) lock.release()
  } catch {
    // If the battery is low or the API is missing, the screen turns off normally.
  }
}

/** Keeps the screen on, or stops that. */
export function keepAwake(isWanted) {
  wanted = isWanted
  if (isWanted) request()
  else lock?.release()
}

// The browser releases the lock whenever the page is hidden.
document.addEventListener('visibilitychange', request)

// Keeps the screen on while something is recorded: phones stop pages when it goes dark.

let wanted = false
let lock = null

async function request() {
  if (!wanted || lock || document.hidden) return
  try {
    lock = await navigator.wakeLock.request('screen')
    lock.addEventListener('release', () => { lock = null })
    if (!wanted) lock.release()
  } catch {
    // Without a battery to spare, or without the interface, the screen goes dark as usual.
  }
}

/** Keeps the screen on, or no longer. */
export function keepAwake(isWanted) {
  wanted = isWanted
  if (isWanted) request()
  else lock?.release()
}

// The browser lets go of it whenever the page is hidden.
document.addEventListener('visibilitychange', request)

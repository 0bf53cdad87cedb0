// Settings stored in this browser between visits; never passwords or keys.

/** Returns the value stored under a name, or null. */
export function recall(name) {
  try {
    return JSON.parse(localStorage.getItem(`aacorn-${name}`))
  } catch {
    return null
  }
}

export function remember(name, value) {
  try {
    localStorage.setItem(`aacorn-${name}`, JSON.stringify(value))
  } catch {
    // Access may be denied in private windows; the value is then lost with the page.
  }
}

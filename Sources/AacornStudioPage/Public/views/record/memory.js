// What this browser remembers between visits; passwords and keys never go here.

/** Reads what was kept under a name, or null. */
export function recall(name) {
  try {
    return JSON.parse(localStorage.getItem(`aacorn-${name}`))
  } catch {
    return null
  }
}

/** Keeps something under a name. */
export function remember(name, value) {
  try {
    localStorage.setItem(`aacorn-${name}`, JSON.stringify(value))
  } catch {
    // Private windows may refuse; then it is forgotten with the page.
  }
}

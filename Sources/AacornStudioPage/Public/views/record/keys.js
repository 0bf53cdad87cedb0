// Keyboard shortcuts: single letters, except while typing or with modifier keys.

const typing = 'input:not([type="checkbox"], [type="radio"], [type="range"]), select, textarea, '
  + '[contenteditable]'

/** Calls `press(letter)` for letters typed while `isActive()`; it returns whether it handled the letter. */
export function listenForKeys(isActive, press) {
  document.addEventListener('keydown', event => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey || event.repeat) return
    if (event.defaultPrevented || event.target.closest?.(typing) || !isActive()) return
    if (press(event.key.toLowerCase())) event.preventDefault()
  })
}

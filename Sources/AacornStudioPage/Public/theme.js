// The light or dark theme: the system's theme, or the user's choice. The style sheet has the colors of both
// themes.

const modes = ['auto', 'light', 'dark']
const { dataset } = document.documentElement
const system = matchMedia('(prefers-color-scheme: dark)')

/** Returns the choice: 'auto', 'light' or 'dark'. The initial value comes from chosen-theme.js. */
export function themeMode() {
  return dataset.theme ?? 'auto'
}

export function isDark() {
  return dataset.theme ? dataset.theme === 'dark' : system.matches
}

/** Sets the theme, and stores the choice in this browser. */
export function setThemeMode(mode) {
  if (mode === 'auto') delete dataset.theme
  else dataset.theme = mode
  try {
    localStorage.setItem('aacorn-theme', mode)
  } catch {
    // Access may be denied in private windows; the choice then lasts until the page closes.
  }
  notify()
}

/** Returns the next mode, for a button that cycles through the modes. */
export function nextThemeMode(mode) {
  return modes[(modes.indexOf(mode) + 1) % modes.length]
}

function notify() {
  document.dispatchEvent(new CustomEvent('themechange'))
}

system.addEventListener('change', notify)

// The light or dark theme: the system's theme, or the user's choice. The style sheet has the colors of both
// themes.

const modes = ['auto', 'light', 'dark']
const { dataset } = document.documentElement
const system = matchMedia('(prefers-color-scheme: dark)')

/** Returns the choice: 'auto', 'light' or 'dark'. The initial value comes from chosen-theme.js. */
export const themeMode = () => dataset.theme ?? 'auto'

export const isDark = () => (dataset.theme ? dataset.theme === 'dark' : system.matches)

/** Chooses the next mode, for a button that cycles through the modes, and stores the choice in this browser. */
export function changeTheme() {
  const mode = modes[(modes.indexOf(themeMode()) + 1) % modes.length]
  if (mode === 'auto') delete dataset.theme
  else dataset.theme = mode
  try {
    localStorage.setItem('aacorn-theme', mode)
  } catch {
    // Access may be denied in private windows; the choice then lasts until the page closes.
  }
  notify()
}

function notify() { document.dispatchEvent(new CustomEvent('themechange')) }

system.addEventListener('change', notify)

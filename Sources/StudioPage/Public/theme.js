// Light or dark: as the system says, or as chosen here.

const key = 'aacorn-theme'
const modes = ['auto', 'light', 'dark']
const system = matchMedia('(prefers-color-scheme: dark)')

/** The choice: 'auto', 'light' or 'dark'. */
export function themeMode() {
  try {
    const stored = localStorage.getItem(key)
    return modes.includes(stored) ? stored : 'auto'
  } catch {
    return 'auto'
  }
}

/** Whether it is dark just now. */
export function isDark() {
  const mode = themeMode()
  return mode === 'dark' || (mode === 'auto' && system.matches)
}

/** Chooses, and remembers it in this browser. */
export function setThemeMode(mode) {
  try {
    localStorage.setItem(key, mode)
  } catch {
    // Private windows may refuse; the choice then lasts as long as the page.
  }
  apply(mode)
}

/** The mode after this one, for a button that goes round. */
export function nextThemeMode(mode) {
  return modes[(modes.indexOf(mode) + 1) % modes.length]
}

function apply(mode) {
  if (mode === 'auto') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = mode
  document.dispatchEvent(new CustomEvent('themechange'))
}

system.addEventListener('change', () => document.dispatchEvent(new CustomEvent('themechange')))
apply(themeMode())

// Light or dark: as the system says, or as chosen here. The style sheet does the rest.

const modes = ['auto', 'light', 'dark']
const { dataset } = document.documentElement
const system = matchMedia('(prefers-color-scheme: dark)')

/** The choice: 'auto', 'light' or 'dark'. At first it is what chosen-theme.js has found. */
export function themeMode() {
  return dataset.theme ?? 'auto'
}

/** Whether it is dark just now. */
export function isDark() {
  return dataset.theme ? dataset.theme === 'dark' : system.matches
}

/** Chooses, and remembers it in this browser. */
export function setThemeMode(mode) {
  if (mode === 'auto') delete dataset.theme
  else dataset.theme = mode
  try {
    localStorage.setItem('aacorn-theme', mode)
  } catch {
    // Private windows may refuse; the choice then lasts as long as the page.
  }
  tell()
}

/** The mode after this one, for a button that goes round. */
export function nextThemeMode(mode) {
  return modes[(modes.indexOf(mode) + 1) % modes.length]
}

function tell() {
  document.dispatchEvent(new CustomEvent('themechange'))
}

system.addEventListener('change', tell)

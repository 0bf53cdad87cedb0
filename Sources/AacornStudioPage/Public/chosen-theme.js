// The theme that was chosen in this browser, before anything is painted. Modules run too late for
// that, so this is none; theme.js changes it.

try {
  const chosen = localStorage.getItem('aacorn-theme')
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen
} catch {
  // Private windows may refuse; then it is as the system says.
}

// Applies the theme stored in this browser before the first paint. Modules run too late for that, so this file
// is not a module. theme.js changes the theme.

try {
  const chosen = localStorage.getItem('aacorn-theme')
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen
} catch {
  // Access may be denied in private windows; the system's theme then applies.
}

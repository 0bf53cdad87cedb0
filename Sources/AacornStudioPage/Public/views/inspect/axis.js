/** The steps of axes. */

/** Returns 1, 2 or 5 times a power of ten, so that at most `parts` steps reach `limit`. */
export function evenStep(limit, parts) {
  const least = limit / parts
  const power = 10 ** Math.floor(Math.log10(least))
  for (const factor of [1, 2, 5]) {
    if (factor * power >= least * (1 - 1e-9)) return factor * power
  }
  return 10 * power
}

/** Returns a step in common units of time. */
export function timeStep(duration, parts) {
  if (duration < parts) return evenStep(duration, parts)
  const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 28_800]
  return steps.find(step => step * parts >= duration) ?? evenStep(duration, parts)
}

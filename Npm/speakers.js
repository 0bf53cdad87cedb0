/** The positions of loudspeakers, in the order of the bits of a WAV file's channel mask. */
const speakers = [
  'front-left', 'front-right', 'front-center', 'low-frequency', 'back-left', 'back-right',
  'front-left-of-center', 'front-right-of-center', 'back-center', 'side-left', 'side-right',
  'top-center', 'top-front-left', 'top-front-center', 'top-front-right', 'top-back-left',
  'top-back-center', 'top-back-right',
]

/** Returns the loudspeaker of each channel from a session of this kind; null if unknown. */
export function readLayout(engine, kind, handle) {
  const numbers = engine.read(handle, engine.run(`${kind}_layout`, handle))
  return numbers.length > 0 ? Array.from(numbers, (number) => speakers[number]) : null
}

/** Returns the channel mask of a layout. */
export function channelMask(layout) {
  return (layout ?? []).reduce((mask, speaker) => mask | 1 << speakers.indexOf(speaker), 0)
}

/** Where loudspeakers stand, in the order of the bits of a WAV file's channel mask. */
const speakers = [
  'front-left', 'front-right', 'front-center', 'low-frequency', 'back-left', 'back-right',
  'front-left-of-center', 'front-right-of-center', 'back-center', 'side-left', 'side-right',
  'top-center', 'top-front-left', 'top-front-center', 'top-front-right', 'top-back-left',
  'top-back-center', 'top-back-right',
]

/** The loudspeaker of each channel, as a session of this kind put it out; null if not known. */
export function readLayout(engine, kind, handle) {
  const numbers = engine.read(handle, engine.run(`${kind}_layout`, handle))
  return numbers.length > 0 ? Array.from(numbers, (number) => speakers[number]) : null
}

/** The channel mask of a layout. */
export function channelMask(layout) {
  return (layout ?? []).reduce((mask, speaker) => mask | 1 << speakers.indexOf(speaker), 0)
}

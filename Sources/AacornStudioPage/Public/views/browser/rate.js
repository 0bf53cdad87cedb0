// The bitrate for a number of channels.

/**
 * Returns options for an encoder. The bitrate in `options` is per channel; 0 selects the default of the library,
 * which the command uses, too.
 */
export function encoderOptions(aacorn, { rateControl, ...options }, { sampleRate, channels }) {
  const [[mode, rate]] = Object.entries(rateControl)
  if (mode === 'variable') return { ...options, rateControl }
  if (rate > 0) return { ...options, rateControl: { [mode]: rate * channels } }
  if (mode === 'constant') return options
  const { profile } = options
  return { ...options, rateControl: { [mode]: aacorn.defaultBitrate({ sampleRate, channels, profile }) } }
}

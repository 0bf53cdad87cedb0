/** The gain of center and back loudspeakers on each side, −3 dB. */
const shared = Math.SQRT1_2

/** Returns the gains of a loudspeaker on the left and the right. */
function shares(speaker) {
  if (speaker === 'low-frequency') return [0, 0]
  const part = /^front-(left|right)$/.test(speaker) ? 1 : shared
  const isLeftSide = speaker.includes('left')
  const isRightSide = speaker.includes('right')
  return [isRightSide ? 0 : part, isLeftSide ? 0 : part]
}

/**
 * Mixes any number of channels to at most two; `layout` names the loudspeakers like a SoundReader. The result
 * never exceeds the loudest channel.
 */
export function mixdown(channels, layout) {
  if (channels.length <= 2) return channels
  const speakers = layout?.length === channels.length ? layout : channels.map((_, index) => (
    ['front-left', 'front-right'][index] ?? 'front-center'))
  const parts = speakers.map(shares)
  return [0, 1].map(side => {
    const sum = parts.reduce((total, part) => total + part[side], 0)
    const mixed = new Float32Array(channels[0].length)
    channels.forEach((samples, channel) => {
      const factor = sum > 0 ? parts[channel][side] / sum : 0
      if (factor === 0) return
      for (let index = 0; index < mixed.length; index += 1) mixed[index] += factor * samples[index]
    })
    return mixed
  })
}

// The quality losses of a result, as messages.

import { count, tenths } from '../../format.js'

/**
 * Returns the message about the quality loss of a source that is already compressed; empty if it is not
 * compressed.
 */
export function lossNote({ isLossy }) {
  return isLossy ? 'The source is already compressed. Encoding it again reduces the quality.' : ''
}

/** Returns the message about the quality loss of a damaged source; empty if the source is intact. */
export function damageNote({ damage, sampleRate }) {
  if (!damage?.unitCount) return ''
  const frames = `${count(damage.unitCount, 'frame')} ${damage.unitCount === 1 ? 'was' : 'were'}`
  return `${frames} damaged or missing and concealed, the first at `
    + `${tenths(Math.round(10 * damage.position / sampleRate) / 10)}.`
}

/** A summary of concealed ranges. */
export class Damage {
  unitCount = 0
  frameCount = 0
  /** The index of the first concealed sample. */
  position = 0

  add(ranges) {
    if (this.frameCount === 0) this.position = ranges[0].position
    for (const { unitCount, frameCount } of ranges) {
      this.unitCount += unitCount
      this.frameCount += frameCount
    }
  }
}

// What a result lacks that its source had, in sentences.

import { count, tenths } from '../../format.js'

/** What is lost because the sound was encoded before; nothing if it was not. */
export function lossRemark({ isLossy }) {
  return isLossy
    ? 'The source is already compressed. Encoding it again reduces the quality.' : ''
}

/** What is lost because the source is damaged; nothing if it is whole. */
export function damageRemark({ damage, sampleRate }) {
  if (!damage?.unitCount) return ''
  const frames = `${count(damage.unitCount, 'frame')} ${damage.unitCount === 1 ? 'was' : 'were'}`
  return `${frames} damaged or missing and concealed, the first at `
    + `${tenths(Math.round(10 * damage.position / sampleRate) / 10)}.`
}

/** Places that are concealed, summed up. */
export class Damage {
  unitCount = 0
  frameCount = 0
  /** The number of the first sample that stands in for another. */
  position = 0

  add(places) {
    if (this.frameCount === 0) this.position = places[0].position
    for (const { unitCount, frameCount } of places) {
      this.unitCount += unitCount
      this.frameCount += frameCount
    }
  }
}

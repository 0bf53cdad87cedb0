// The bytes of SoundColumns: what a column holds and where.

/** Bytes of a column: lowest sample, highest sample, and a level for each band. */
export const columnSize = 98
/** Levels of a column, from low to high frequencies. */
export const bandCount = 96
/** Columns of a second. */
export const columnsPerSecond = 50
/** Columns that drawings keep: more than the widest screen shows. */
export const keptColumns = 4096
/** The frequencies at the lower edge of the lowest band and the upper edge of the highest. */
const lowestFrequency = 40
const highestFrequency = 20_000

/** Where a frequency is on the axis: 0 at the bottom, 1 at the top. */
export function axisPosition(frequency) {
  return Math.log(frequency / lowestFrequency) / Math.log(highestFrequency / lowestFrequency)
}

/** The frequency in the middle of a band. */
export function bandFrequency(band) {
  return lowestFrequency * (highestFrequency / lowestFrequency) ** ((band + 0.5) / bandCount)
}

// The layout of the bytes of SoundColumns.

/** The size of a column in bytes: lowest sample, highest sample, and a level for each band. */
export const columnSize = 98
/** The number of levels in a column, from low to high frequencies. */
export const bandCount = 96
export const columnsPerSecond = 50
/** The number of columns that drawings store, more than the widest screen shows. */
export const keptColumns = 4096
/** The lower edge of the lowest band and the upper edge of the highest band, in hertz. */
const lowestFrequency = 40
const highestFrequency = 20_000

/** Returns the position of a frequency on the axis: 0 at the bottom, 1 at the top. */
export function axisPosition(frequency) {
  return Math.log(frequency / lowestFrequency) / Math.log(highestFrequency / lowestFrequency)
}

/** Returns the center frequency of a band in hertz. */
export function bandFrequency(band) {
  return lowestFrequency * (highestFrequency / lowestFrequency) ** ((band + 0.5) / bandCount)
}

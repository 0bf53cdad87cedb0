import { frequency, signed } from '../../../format.js'
import { exactClock } from '../words.js'
import { rowCount } from './spectrum.js'

/**
 * Describes a picture at a time: the peak level or, in the spectrogram, the level at a frequency, which is null
 * elsewhere.
 */
export function readout(second, picture, rate, hertz) {
  const words = [exactClock(second)]
  if (hertz !== null) words.push(frequency(Math.round(hertz / 10) * 10))
  const column = picture
    ? Math.floor((second * rate - picture.start) / (picture.end - picture.start)
      * picture.columnCount)
    : -1
  if (column >= 0 && column < picture.columnCount) {
    const level = hertz === null
      ? peakLevel(picture, column)
      : rowLevel(picture, column, Math.floor(hertz / (rate / 2) * rowCount))
    if (level) words.push(level)
  }
  return words.join('  ·  ')
}

function peakLevel({ channelCount, columnCount, lows, highs }, column) {
  let peak = -1
  for (let channel = 0; channel < channelCount; channel += 1) {
    const offset = channel * columnCount + column
    if (lows[offset] <= highs[offset]) peak = Math.max(peak, highs[offset], -lows[offset])
  }
  if (peak < 0) return ''
  return peak > 1e-5 ? `peak ${signed(20 * Math.log10(peak), 1)} dB` : 'silence'
}

function rowLevel({ knownCount, levels }, column, row) {
  if (column >= knownCount) return ''
  const level = levels[column * rowCount + Math.min(rowCount - 1, row)]
  return level === 0 ? 'below −100 dB' : `${signed(level * 100 / 255 - 100)} dB`
}

const shortNames = {
  'front-left': 'L', 'front-right': 'R', 'front-center': 'C', 'low-frequency': 'LFE',
  'back-left': 'BL', 'back-right': 'BR', 'back-center': 'BC', 'side-left': 'SL', 'side-right': 'SR'
}

/** Returns the labels of the channels beside their lanes. */
export function channelNames(channels, layout) {
  if (channels === 1) return ['mono']
  if (layout?.length !== channels) {
    return Array.from({ length: channels }, (_, index) => String(index + 1))
  }
  return layout.map(speaker => (
    shortNames[speaker] ?? speaker.split('-').map(word => word[0].toUpperCase()).join('')))
}

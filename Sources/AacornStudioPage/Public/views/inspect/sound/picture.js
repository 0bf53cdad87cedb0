import { rowCount, Spectrum, windowLength } from './spectrum.js'

/** The peak values of columns without data. */
const unknown = [1, -1]

/**
 * A picture of a part of the audio, column by column: the lowest and the highest sample of every channel, and
 * the levels of the spectrum, from low to high frequencies.
 */
export class Picture {
  /** `start` is the first sample, `end` the sample after the last. */
  constructor(start, end, columnCount, channelCount) {
    this.start = start
    this.end = end
    this.columnCount = columnCount
    this.channelCount = channelCount
    this.lows = new Float32Array(columnCount * channelCount).fill(unknown[0])
    this.highs = new Float32Array(columnCount * channelCount).fill(unknown[1])
    this.levels = new Uint8Array(columnCount * rowCount)
    /** The number of leading columns with a known spectrum. */
    this.knownCount = 0
  }

  get transferables() { return [this.lows.buffer, this.highs.buffer, this.levels.buffer] }
}

/** Computes a picture from samples, which begin half a window before it and end half a window after it. */
export class PictureMaker {
  #picture
  #spectrum = new Spectrum()
  #position
  #column = 0
  #isStereo = false

  constructor(picture) {
    this.#picture = picture
    this.#position = Math.max(0, Math.floor(picture.start) - windowLength / 2)
  }

  /** The index of the next sample to append. */
  get position() { return this.#position }
  get isComplete() { return this.#column >= this.#picture.columnCount }

  /** Appends the samples of all channels, and one or two mixed channels for the spectrum. */
  append(channels, mix) {
    this.#isStereo = mix.length > 1
    this.#takePeaks(channels, mix[0].length)
    this.#advance(mix[0], mix[1], mix[0].length)
  }

  /** Called at the end of the audio: columns after it stay unknown. */
  finish() {
    const silence = new Float32Array(windowLength / 2)
    this.#advance(silence, this.#isStereo ? silence : undefined, silence.length)
  }

  /** Computes the spectra with windows that end within these samples. */
  #advance(left, right, count) {
    let done = 0
    while (done < count && !this.isComplete) {
      const due = Math.ceil(this.#edge(this.#column + 0.5)) + windowLength / 2
      const part = Math.min(count - done, Math.max(0, due - this.#position - done))
      this.#spectrum.push(left, right, done, part)
      done += part
      if (this.#position + done >= due) this.#close()
    }
    this.#position += count
  }

  #close() {
    const picture = this.#picture
    this.#spectrum.levels(picture.levels, this.#column * rowCount)
    this.#column += 1
    picture.knownCount = this.#column
  }

  #edge(column) {
    const { start, end, columnCount } = this.#picture
    return start + column / columnCount * (end - start)
  }

  #takePeaks(channels, count) {
    const { start, end, columnCount, channelCount, lows, highs } = this.#picture
    const perColumn = (end - start) / columnCount
    const first = Math.max(0, Math.floor((this.#position - start) / perColumn))
    const last = Math.min(columnCount - 1, Math.floor((this.#position + count - start) / perColumn))
    for (let column = first; column <= last; column += 1) {
      const from = Math.floor(this.#edge(column)) - this.#position
      // Columns narrower than a sample show the sample at their position.
      const to = Math.max(from + 1, Math.floor(this.#edge(column + 1)) - this.#position)
      for (let channel = 0; channel < Math.min(channelCount, channels.length); channel += 1) {
        const offset = channel * columnCount + column
        const samples = channels[channel]
        let low = lows[offset]
        let high = highs[offset]
        for (let index = Math.max(0, from); index < Math.min(to, count); index += 1) {
          const sample = samples[index]
          if (sample < low) low = sample
          if (sample > high) high = sample
        }
        lows[offset] = low
        highs[offset] = high
      }
    }
  }
}

/** The maximum number of stored columns, for audio of any length. */
const defaultCapacity = 32_768
/** The initial number of samples per column; it doubles whenever the columns are full. */
const shortest = 1024

/** The waveform and the spectrum of complete audio, computed in one pass and in bounded memory. */
export class Overview {
  /** The number of samples per column. */
  span = shortest
  /** The number of complete columns. */
  count = 0
  #channelCount
  #lows
  #highs
  #levels
  #capacity
  #spectrum = new Spectrum()
  #spectrumLevels = new Uint8Array(rowCount)
  /** The sum of the spectra in the incomplete column. */
  #sums = new Float32Array(rowCount)
  #sumCount = 0
  #length = 0
  #untilSpectrum = shortest

  /** `expected` is the probable number of samples; `capacity` must be even. */
  constructor(channelCount, expected = 0, capacity = defaultCapacity) {
    this.#channelCount = channelCount
    this.#capacity = capacity
    while (expected > this.span * capacity) this.span *= 2
    this.#levels = new Uint8Array(capacity * rowCount)
    this.#lows = this.#peaks(1)
    this.#highs = this.#peaks(-1)
  }

  /** Appends the samples of all channels, and one or two mixed channels for the spectrum. */
  append(channels, [left, right]) {
    const total = left.length
    for (let done = 0; done < total;) {
      const part = Math.min(total - done, this.span - this.#length, this.#untilSpectrum)
      this.#takePeaks(channels, done, part)
      this.#spectrum.push(left, right, done, part)
      done += part
      this.#length += part
      this.#untilSpectrum -= part
      if (this.#untilSpectrum === 0) this.#takeSpectrum()
      if (this.#length === this.span) this.#close()
    }
  }

  /** Completes the last column at the end of the audio. */
  finish() {
    if (this.#length === 0) return
    if (this.#sumCount === 0) this.#takeSpectrum()
    this.#close()
  }

  /** Returns a picture of a part in `columnCount` columns. */
  picture(start, end, columnCount) {
    const picture = new Picture(start, end, columnCount, this.#channelCount)
    for (let column = 0; column < columnCount; column += 1) {
      const begin = (start + column / columnCount * (end - start)) / this.span
      const finish = (start + (column + 1) / columnCount * (end - start)) / this.span
      const first = Math.max(0, Math.floor(begin))
      const last = Math.min(this.count, Math.max(first + 1, Math.floor(finish)))
      if (last <= first) break
      this.#copyPeaks(picture, column, first, last)
      this.#copyLevels(picture, column, first, last)
      picture.knownCount = column + 1
    }
    return picture
  }

  #peaks(value) {
    return Array.from({ length: this.#channelCount },
      () => new Float32Array(this.#capacity).fill(value))
  }

  #takePeaks(channels, start, count) {
    for (let channel = 0; channel < Math.min(this.#channelCount, channels.length); channel += 1) {
      const samples = channels[channel]
      let low = this.#lows[channel][this.count]
      let high = this.#highs[channel][this.count]
      for (let index = start; index < start + count; index += 1) {
        const sample = samples[index]
        if (sample < low) low = sample
        if (sample > high) high = sample
      }
      this.#lows[channel][this.count] = low
      this.#highs[channel][this.count] = high
    }
  }

  #takeSpectrum() {
    this.#spectrum.levels(this.#spectrumLevels)
    for (let row = 0; row < rowCount; row += 1) this.#sums[row] += this.#spectrumLevels[row]
    this.#sumCount += 1
    // Two spectra are sufficient for a long column.
    this.#untilSpectrum = Math.max(shortest, this.span / 2)
  }

  #close() {
    const offset = this.count * rowCount
    for (let row = 0; row < rowCount; row += 1) {
      this.#levels[offset + row] = Math.round(this.#sums[row] / Math.max(1, this.#sumCount))
    }
    this.#sums.fill(0)
    this.#sumCount = 0
    this.#length = 0
    this.count += 1
    if (this.count === this.#capacity) this.#halve()
  }

  /** Merges each pair of columns. */
  #halve() {
    const levels = this.#levels
    const half = this.#capacity / 2
    for (let column = 0; column < half; column += 1) {
      for (let row = 0; row < rowCount; row += 1) {
        const offset = 2 * column * rowCount + row
        levels[column * rowCount + row] = (levels[offset] + levels[offset + rowCount] + 1) >> 1
      }
      for (const lows of this.#lows) lows[column] = Math.min(lows[2 * column], lows[2 * column + 1])
      for (const highs of this.#highs) {
        highs[column] = Math.max(highs[2 * column], highs[2 * column + 1])
      }
    }
    for (const lows of this.#lows) lows.fill(1, half)
    for (const highs of this.#highs) highs.fill(-1, half)
    this.count = half
    this.span *= 2
  }

  #copyPeaks(picture, column, first, last) {
    for (let channel = 0; channel < this.#channelCount; channel += 1) {
      const offset = channel * picture.columnCount + column
      for (let index = first; index < last; index += 1) {
        const low = this.#lows[channel][index]
        const high = this.#highs[channel][index]
        if (low < picture.lows[offset]) picture.lows[offset] = low
        if (high > picture.highs[offset]) picture.highs[offset] = high
      }
    }
  }

  #copyLevels(picture, column, first, last) {
    const offset = column * rowCount
    for (let row = 0; row < rowCount; row += 1) {
      let sum = 0
      for (let index = first; index < last; index += 1) sum += this.#levels[index * rowCount + row]
      picture.levels[offset + row] = Math.round(sum / (last - first))
    }
  }
}

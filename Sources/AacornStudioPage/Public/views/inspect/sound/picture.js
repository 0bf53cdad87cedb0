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
    const last = Math.min(columnCount - 1,
      Math.floor((this.#position + count - start) / perColumn))
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

import { rowCount, Spectrum, windowLength } from './spectrum.js'

/** What peaks say of columns in which nothing is known. */
const unknown = [1, -1]

/**
 * What is to be seen of a part of a sound, column by column: for every channel the lowest and the
 * highest sample, and the levels of the spectrum, from low to high frequencies.
 */
export class Picture {
  /** The first sample, and the one behind the last. */
  constructor(start, end, columnCount, channelCount) {
    this.start = start
    this.end = end
    this.columnCount = columnCount
    this.channelCount = channelCount
    this.lows = new Float32Array(columnCount * channelCount).fill(unknown[0])
    this.highs = new Float32Array(columnCount * channelCount).fill(unknown[1])
    this.levels = new Uint8Array(columnCount * rowCount)
    /** Columns from the first one whose spectrum is known. */
    this.knownCount = 0
  }

  /** What can be handed over of it. */
  get transferables() {
    return [this.lows.buffer, this.highs.buffer, this.levels.buffer]
  }
}

/** Fills a picture with samples, which begin half a window before it and end as far behind it. */
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

  /** The number of the sample that is to come next. */
  get position() {
    return this.#position
  }

  /** Whether all columns are there. */
  get isComplete() {
    return this.#column >= this.#picture.columnCount
  }

  /** Takes the samples of all channels, and two or one for the spectrum. */
  append(channels, mix) {
    this.#isStereo = mix.length > 1
    this.#takePeaks(channels, mix[0].length)
    this.#advance(mix[0], mix[1], mix[0].length)
  }

  /** The sound has ended: columns behind it stay unknown. */
  finish() {
    const silence = new Float32Array(windowLength / 2)
    this.#advance(silence, this.#isStereo ? silence : undefined, silence.length)
  }

  /** Makes the spectra whose windows end in these samples. */
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
      // Columns narrower than a sample show the one at which they are.
      const to = Math.max(from + 1, Math.floor(this.#edge(column + 1)) - this.#position)
      for (let channel = 0; channel < Math.min(channelCount, channels.length); channel += 1) {
        const place = channel * columnCount + column
        const samples = channels[channel]
        let low = lows[place]
        let high = highs[place]
        for (let index = Math.max(0, from); index < Math.min(to, count); index += 1) {
          const sample = samples[index]
          if (sample < low) low = sample
          if (sample > high) high = sample
        }
        lows[place] = low
        highs[place] = high
      }
    }
  }
}

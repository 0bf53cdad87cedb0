/** Levels of a column, from 0 Hz up to half the sampling rate. */
export const rowCount = 192
/** Samples of which a spectrum is made. */
export const windowLength = 2048

const half = windowLength / 2
/** Decibels below full scale that are level 0; full scale is 255. */
const floor = 100

/** A Hann window, and the turns that the transform needs. */
const hann = new Float32Array(windowLength)
const cosines = new Float32Array(half)
const sines = new Float32Array(half)
const reversed = new Uint16Array(windowLength)
for (let index = 0; index < windowLength; index += 1) {
  hann[index] = 0.5 - 0.5 * Math.cos(2 * Math.PI * index / windowLength)
  if (index < half) {
    cosines[index] = Math.cos(2 * Math.PI * index / windowLength)
    sines[index] = -Math.sin(2 * Math.PI * index / windowLength)
  }
  reversed[index] = (reversed[index >> 1] >> 1) | (index & 1 ? half : 0)
}

/** The last samples of one or two channels, and their spectrum. */
export class Spectrum {
  #rings = [new Float32Array(windowLength), new Float32Array(windowLength)]
  #place = 0
  #real = new Float32Array(windowLength)
  #imaginary = new Float32Array(windowLength)
  #channelCount = 1

  /** Takes samples; the second channel may be missing. */
  push(left, right, start, count) {
    this.#channelCount = right ? 2 : 1
    const skipped = Math.max(0, count - windowLength)
    for (let index = start + skipped; index < start + count; index += 1) {
      this.#rings[0][this.#place] = left[index]
      this.#rings[1][this.#place] = right ? right[index] : 0
      this.#place = (this.#place + 1) % windowLength
    }
  }

  /**
   * Writes the levels of the last samples: 0 to 255 for −100 to 0 dB, the loudest of the
   * frequencies that share a row, and the mean power of both channels.
   */
  levels(output, offset = 0) {
    this.#load()
    transform(this.#real, this.#imaginary)
    // The channels are the real and the imaginary part: their powers add up at k and −k.
    const scale = (this.#channelCount === 2 ? 0.25 : 0.5) * (4 / windowLength) ** 2
    for (let row = 0; row < rowCount; row += 1) {
      const end = Math.ceil((row + 1) * half / rowCount)
      let loudest = 0
      for (let bin = Math.floor(row * half / rowCount); bin < end; bin += 1) {
        const mirrored = (windowLength - bin) % windowLength
        const power = this.#real[bin] ** 2 + this.#imaginary[bin] ** 2
          + this.#real[mirrored] ** 2 + this.#imaginary[mirrored] ** 2
        if (power > loudest) loudest = power
      }
      const decibels = 10 * Math.log10(loudest * scale + 1e-12)
      output[offset + row] = Math.max(0, Math.min(255, Math.round(255 + decibels * 255 / floor)))
    }
  }

  /** The windowed samples, in the order in which the transform takes them. */
  #load() {
    const [left, right] = this.#rings
    for (let index = 0; index < windowLength; index += 1) {
      const place = (this.#place + index) % windowLength
      const target = reversed[index]
      this.#real[target] = left[place] * hann[index]
      this.#imaginary[target] = right[place] * hann[index]
    }
  }
}

/** The discrete Fourier transform of values whose order is reversed bit by bit. */
function transform(real, imaginary) {
  for (let size = 2; size <= windowLength; size *= 2) {
    const step = size / 2
    const stride = windowLength / size
    for (let start = 0; start < windowLength; start += size) {
      for (let index = 0; index < step; index += 1) {
        const cosine = cosines[index * stride]
        const sine = sines[index * stride]
        const low = start + index
        const high = low + step
        const turned = real[high] * cosine - imaginary[high] * sine
        const turnedToo = real[high] * sine + imaginary[high] * cosine
        real[high] = real[low] - turned
        imaginary[high] = imaginary[low] - turnedToo
        real[low] += turned
        imaginary[low] += turnedToo
      }
    }
  }
}

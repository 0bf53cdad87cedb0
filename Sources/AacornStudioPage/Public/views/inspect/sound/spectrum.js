/** The number of levels in a column, from 0 Hz up to half the sampling rate. */
export const rowCount = 192
/** The number of samples in a spectrum. */
export const windowLength = 2048

const half = windowLength / 2
/** The level in decibels below full scale that becomes 0; full scale becomes 255. */
const floor = 100

/** A Hann window, and the twiddle factors and bit-reversed indices of the transform. */
const hann = new Float32Array(windowLength)
const cosines = new Float64Array(half)
const sines = new Float64Array(half)
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
  #nextIndex = 0
  #real = new Float64Array(windowLength)
  #imaginary = new Float64Array(windowLength)
  #channelCount = 1

  /** Appends samples; the second channel may be missing. */
  push(left, right, start, count) {
    this.#channelCount = right ? 2 : 1
    const skipped = Math.max(0, count - windowLength)
    const [first, second] = this.#rings
    for (let index = start + skipped; index < start + count; index += 1) {
      first[this.#nextIndex] = left[index]
      second[this.#nextIndex] = right ? right[index] : 0
      this.#nextIndex = (this.#nextIndex + 1) & (windowLength - 1)
    }
  }

  /**
   * Writes the levels of the last samples: 0 to 255 for −100 to 0 dB. Each level is the maximum over the
   * frequencies of its row, of the mean power of both channels.
   */
  levels(output, offset = 0) {
    this.#load()
    transform(this.#real, this.#imaginary)
    // The channels are the real and the imaginary part: their powers add up at k and −k.
    const scale = (this.#channelCount === 2 ? 0.25 : 0.5) * (4 / windowLength) ** 2
    const real = this.#real
    const imaginary = this.#imaginary
    for (let row = 0; row < rowCount; row += 1) {
      const end = Math.ceil((row + 1) * half / rowCount)
      let loudest = 0
      for (let bin = Math.floor(row * half / rowCount); bin < end; bin += 1) {
        const mirrored = (windowLength - bin) & (windowLength - 1)
        const power = real[bin] * real[bin] + imaginary[bin] * imaginary[bin]
          + real[mirrored] * real[mirrored] + imaginary[mirrored] * imaginary[mirrored]
        if (power > loudest) loudest = power
      }
      const decibels = 10 * Math.log10(loudest * scale + 1e-12)
      output[offset + row] = Math.max(0, Math.min(255, Math.round(255 + decibels * 255 / floor)))
    }
  }

  /** Loads the windowed samples, in the order of the transform's input. */
  #load() {
    const [left, right] = this.#rings
    const real = this.#real
    const imaginary = this.#imaginary
    for (let index = 0; index < windowLength; index += 1) {
      const source = (this.#nextIndex + index) & (windowLength - 1)
      const target = reversed[index]
      real[target] = left[source] * hann[index]
      imaginary[target] = right[source] * hann[index]
    }
  }
}

/**
 * A discrete Fourier transform of values in bit-reversed order. It combines two radix-2 stages in a pass; the
 * first of the eleven stages is separate.
 */
function transform(real, imaginary) {
  for (let index = 0; index < windowLength; index += 2) {
    const re = real[index + 1]
    const im = imaginary[index + 1]
    real[index + 1] = real[index] - re
    imaginary[index + 1] = imaginary[index] - im
    real[index] += re
    imaginary[index] += im
  }
  for (let quarter = 2; quarter < windowLength; quarter *= 4) {
    const stride = windowLength / (4 * quarter)
    for (let index = 0; index < quarter; index += 1) {
      const c1 = cosines[index * stride]
      const s1 = sines[index * stride]
      const c2 = cosines[2 * index * stride]
      const s2 = sines[2 * index * stride]
      for (let a = index; a < windowLength; a += 4 * quarter) {
        const b = a + quarter
        const c = b + quarter
        const d = c + quarter
        // The inner stage rotates b and d; the outer stage rotates the results from c and d.
        const br = real[b] * c2 - imaginary[b] * s2
        const bi = real[b] * s2 + imaginary[b] * c2
        const dr = real[d] * c2 - imaginary[d] * s2
        const di = real[d] * s2 + imaginary[d] * c2
        const lowR = real[a] + br
        const lowI = imaginary[a] + bi
        const highR = real[a] - br
        const highI = imaginary[a] - bi
        const sumR = real[c] + dr
        const sumI = imaginary[c] + di
        const gapR = real[c] - dr
        const gapI = imaginary[c] - di
        const cr = sumR * c1 - sumI * s1
        const ci = sumR * s1 + sumI * c1
        // Like c, with an additional quarter turn.
        const er = gapR * s1 + gapI * c1
        const ei = gapI * s1 - gapR * c1
        real[a] = lowR + cr
        imaginary[a] = lowI + ci
        real[c] = lowR - cr
        imaginary[c] = lowI - ci
        real[b] = highR + er
        imaginary[b] = highI + ei
        real[d] = highR - er
        imaginary[d] = highI - ei
      }
    }
  }
}

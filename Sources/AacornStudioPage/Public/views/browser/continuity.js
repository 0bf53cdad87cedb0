// Detects lost audio between the microphone and the encoder.

/** The number of blocks in a window for the minimum delay, about half a second. */
const windowLength = 24
/** A permanent growth of the delay by this time in ms means lost audio. */
const threshold = 60
/**
 * The growth of the delay in ms per window that a clock difference can cause: 2000 ppm, more than any real
 * difference.
 */
const drift = 1

/**
 * Determines the number of samples missing before a block.
 *
 * There are two signs of lost audio: the audio thread's count of frames jumps, or the count falls behind the
 * clock and stays behind. Late blocks arrive in a burst afterwards and make the delay small again, so only the
 * minimum delay of a window counts. Two clocks must agree: the audio thread's timestamp jumps when the
 * machine's clock is set, and the worker's own timestamp is late when the worker was busy.
 */
export class Continuity {
  #sampleRate
  #expected = null
  #count = 0
  #minDelays = [Infinity, Infinity]
  #reference = null
  /** The inserted silence in ms, and the part of it that was unnecessary. */
  #filled = 0
  #excess = 0

  constructor(sampleRate) { this.#sampleRate = sampleRate }

  /**
   * Returns the number of frames of silence to insert before this block. `start` and `count` are in frames of
   * the audio context, `stamp` and `now` in ms.
   */
  missing({ start, count }, stamp, now) {
    const jump = this.#expected === null ? 0 : Math.max(0, start - this.#expected)
    this.#expected = start + count
    const audioTime = ((start + count) / this.#sampleRate) * 1000
    this.#minDelays[0] = Math.min(this.#minDelays[0], stamp - audioTime)
    this.#minDelays[1] = Math.min(this.#minDelays[1], now - audioTime)
    this.#count += 1
    return this.#count < windowLength ? jump : jump + this.#endWindow()
  }

  #endWindow() {
    const least = this.#minDelays
    const reference = this.#reference ?? least
    const growth = least.map((delay, clock) => delay - reference[clock])
    this.#minDelays = [Infinity, Infinity]
    this.#count = 0
    // A delay that shrinks or jumps sets a new reference. Gradual growth is accumulated, except for the drift:
    // many short losses add up to a long one.
    this.#reference = least.map((delay, clock) =>
      (growth[clock] < 0 || growth[clock] >= threshold ? delay
        : reference[clock] + Math.min(drift, growth[clock])))
    const shrinkage = -Math.max(...growth)
    // Smaller decreases of the delay are measurement noise.
    if (shrinkage >= threshold / 2) {
      this.#excess = Math.min(this.#filled, this.#excess + shrinkage)
    }
    const lost = Math.min(...growth)
    if (lost < threshold) return 0
    // Silence was inserted before blocks that were only very late, so the next loss gets less silence.
    const fill = Math.max(0, lost - this.#excess)
    this.#excess -= lost - fill
    this.#filled += fill
    return Math.round((fill / 1000) * this.#sampleRate)
  }
}

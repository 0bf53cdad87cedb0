// Notices that sound was lost between the microphone and the encoder.

/** Blocks over which the least delay is taken, about half a second. */
const windowLength = 24
/** A delay that has grown by so much, in ms, and stays, is sound that never came. */
const threshold = 60
/** What a delay may grow in a window because two clocks differ: 2000 ppm, more than any does. */
const drift = 1

/**
 * Tells how many samples are missing before a block.
 *
 * Two things show it: the audio thread's own count of frames jumps; or the count falls behind the
 * clock and stays behind. Blocks that are only late come in a burst afterwards and make the delay
 * small again, which is why the least delay of a window counts. Two clocks must agree: the audio
 * thread's stamp moves when somebody sets the clock of the machine, and the worker's own when the
 * worker was busy.
 */
export class Continuity {
  #sampleRate
  #expected = null
  #count = 0
  #least = [Infinity, Infinity]
  #reference = null
  /** Silence that was put in, in ms, and how much of it turned out to be too much. */
  #filled = 0
  #excess = 0

  constructor(sampleRate) {
    this.#sampleRate = sampleRate
  }

  /**
   * Frames of silence that belong before this block: `start` and `count` in frames of the context,
   * `stamp` and `now` in ms.
   */
  missing({ start, count }, stamp, now) {
    const jump = this.#expected === null ? 0 : Math.max(0, start - this.#expected)
    this.#expected = start + count
    const heard = ((start + count) / this.#sampleRate) * 1000
    this.#least[0] = Math.min(this.#least[0], stamp - heard)
    this.#least[1] = Math.min(this.#least[1], now - heard)
    this.#count += 1
    return this.#count < windowLength ? jump : jump + this.#endWindow()
  }

  #endWindow() {
    const least = this.#least
    const reference = this.#reference ?? least
    const growth = least.map((delay, clock) => delay - reference[clock])
    this.#least = [Infinity, Infinity]
    this.#count = 0
    // A delay that shrinks or leaps is a new beginning. What grows little by little is kept in mind
    // but for the drift: many short losses make a long one.
    this.#reference = least.map((delay, clock) =>
      (growth[clock] < 0 || growth[clock] >= threshold ? delay
        : reference[clock] + Math.min(drift, growth[clock])))
    const retreat = -Math.max(...growth)
    // Smaller ones are the noise of every measurement.
    if (retreat >= threshold / 2) {
      this.#excess = Math.min(this.#filled, this.#excess + retreat)
    }
    const lost = Math.min(...growth)
    if (lost < threshold) return 0
    // Blocks that were only very late had silence put in before them: the next loss has less.
    const fill = Math.max(0, lost - this.#excess)
    this.#excess -= lost - fill
    this.#filled += fill
    return Math.round((fill / 1000) * this.#sampleRate)
  }
}

import { SoundReader } from '../../../aacorn/sound-reader.js'
import { firstIndex } from '../rows.js'

/** Seconds to decode before a position, so that the decoder's state is the same as in continuous decoding. */
const leadSeconds = 0.25
/** Seconds ahead that are decoded rather than skipped by a new reader. */
const nearSeconds = 2

/**
 * Reads samples at any position of a file. Without tables, all frames before the position would have to be
 * decoded; an `index` of the frames, `{ offsets, times }`, avoids that.
 */
export class SampleSeeker {
  #engine
  #blob
  #index
  #reader = null
  /** The index of the first sample of the reader's file, and of the next sample. */
  #origin = 0
  #position = 0
  #last = Promise.resolve()

  /** The encoder's delay and padding stay, so that frames and samples have the same times. */
  static options = { trim: false }

  constructor(engine, blob, index, sampleRate) {
    this.#engine = engine
    this.#blob = blob
    this.#index = index
    this.sampleRate = sampleRate
  }

  /** Reads at most `count` samples from index `position` on; null past the end. */
  read(position, count) {
    const result = this.#last.then(() => this.#read(position, count))
    this.#last = result.catch(() => {})
    return result
  }

  close() {
    this.#reader?.close()
    this.#reader = null
  }

  async #read(position, count) {
    if (!this.#reader || position !== this.#position) await this.#go(position)
    const part = await this.#reader.read(count)
    if (!part) {
      this.close()
      return null
    }
    this.#position = position + part.channels[0].length
    return part
  }

  async #go(position) {
    const isNear = position >= this.#position
      && position - this.#position < nearSeconds * this.sampleRate
    if (!this.#reader || !isNear) await this.#open(position)
    await this.#reader.seek(position - this.#origin)
    this.#position = position
  }

  /** Reopens the file at an indexed frame close to the position, or at the beginning. */
  async #open(position) {
    const start = this.#start(position)
    if (start) {
      try {
        const part = this.#blob.slice(start.offset)
        const reader = await SoundReader.open(this.#engine, part, SampleSeeker.options)
        if (reader.sampleRate === this.sampleRate) {
          this.close()
          this.#reader = reader
          this.#origin = start.position
          return
        }
        reader.close()
      } catch (error) {
        if (error.code === 'crashed') throw error
        // If nothing can be decoded from there, start at the beginning.
      }
    }
    if (this.#reader && this.#origin === 0) return
    this.close()
    this.#reader = await SoundReader.open(this.#engine, this.#blob, SampleSeeker.options)
    this.#origin = 0
    this.#position = 0
  }

  /** Returns the indexed frame at which to start decoding for a sample; null for the file's beginning. */
  #start(position) {
    if (!this.#index) return null
    const { offsets, times } = this.#index
    const wanted = position / this.sampleRate - leadSeconds
    const last = firstIndex(times.length, index => times[index] <= wanted) - 1
    if (last <= 0) return null
    return { offset: offsets[last], position: Math.round(times[last] * this.sampleRate) }
  }
}

/** The gain of center and back loudspeakers on each side, −3 dB. */
const shared = Math.SQRT1_2

/** Returns the gains of a loudspeaker on the left and the right. */
function shares(speaker) {
  if (speaker === 'low-frequency') return [0, 0]
  const part = /^front-(left|right)$/.test(speaker) ? 1 : shared
  const isLeftSide = speaker.includes('left')
  const isRightSide = speaker.includes('right')
  return [isRightSide ? 0 : part, isLeftSide ? 0 : part]
}

/**
 * Mixes any number of channels to at most two; `layout` names the loudspeakers like a SoundReader. The result
 * never exceeds the loudest channel.
 */
export function mixdown(channels, layout) {
  if (channels.length <= 2) return channels
  const speakers = layout?.length === channels.length ? layout : channels.map((_, index) => (
    ['front-left', 'front-right'][index] ?? 'front-center'))
  const parts = speakers.map(shares)
  return [0, 1].map(side => {
    const sum = parts.reduce((total, part) => total + part[side], 0)
    const mixed = new Float32Array(channels[0].length)
    channels.forEach((samples, channel) => {
      const factor = sum > 0 ? parts[channel][side] / sum : 0
      if (factor === 0) return
      for (let index = 0; index < mixed.length; index += 1) mixed[index] += factor * samples[index]
    })
    return mixed
  })
}

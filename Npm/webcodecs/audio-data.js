import { asDictionary, bytesOf, detach, integer, oneOf, required, time } from './arguments.js'
import { copySamples, isPlanar, sampleFormats, samplesType } from './sample-formats.js'

/** Samples with their time, as in WebCodecs. */
export class AudioData {
  #timestamp
  /** The format and the samples; undefined after `close`. Samples never change, so clones share them. */
  #sound

  constructor(init) {
    if (init instanceof AudioData) {
      this.#sound = init.#open()
      this.#timestamp = init.#timestamp
      return
    }
    const format = oneOf(sampleFormats, required(init, 'format'), 'format')
    const sampleRate = Number(required(init, 'sampleRate'))
    const frames = integer(required(init, 'numberOfFrames'), 'numberOfFrames', 1)
    const channels = integer(required(init, 'numberOfChannels'), 'numberOfChannels', 1)
    this.#timestamp = time(required(init, 'timestamp'), 'timestamp')
    const bytes = bytesOf(required(init, 'data'), 'data')
    if (!(sampleRate > 0 && sampleRate < Infinity)) {
      throw new TypeError('“sampleRate” must be more than 0.')
    }
    const Samples = samplesType(format)
    const byteLength = frames * channels * Samples.BYTES_PER_ELEMENT
    if (bytes.length < byteLength) {
      throw new TypeError(`“data” has ${bytes.length} bytes, but these samples have ${byteLength}.`)
    }
    // The given bytes may be unaligned for this sample type, so copy them.
    const samples = new Samples(bytes.slice(0, byteLength).buffer)
    detach(init.transfer)
    this.#sound = { format, sampleRate, frames, channels, samples }
  }

  get format() {
    return this.#sound?.format ?? null
  }

  get sampleRate() {
    return this.#sound?.sampleRate ?? 0
  }

  get numberOfFrames() {
    return this.#sound?.frames ?? 0
  }

  get numberOfChannels() {
    return this.#sound?.channels ?? 0
  }

  /** The duration in microseconds. */
  get duration() {
    return this.#sound ? Math.trunc(this.#sound.frames * 1e6 / this.#sound.sampleRate) : 0
  }

  /** The time in microseconds. */
  get timestamp() {
    return this.#timestamp
  }

  /** Returns the number of bytes that `copyTo` needs with these options. */
  allocationSize(options) {
    const { format, count, channels } = this.#part(options)
    return count * channels * samplesType(format).BYTES_PER_ELEMENT
  }

  /** Copies the samples of one plane, or all interleaved samples. */
  copyTo(destination, options) {
    const { format, count, channels, first, planeIndex } = this.#part(options)
    const Samples = samplesType(format)
    const bytes = bytesOf(destination, 'destination')
    const byteLength = count * channels * Samples.BYTES_PER_ELEMENT
    if (bytes.length < byteLength) {
      throw new RangeError(`The destination has ${bytes.length} bytes, fewer than ${byteLength}.`)
    }
    const isAligned = bytes.byteOffset % Samples.BYTES_PER_ELEMENT === 0
    const samples = isAligned ? new Samples(bytes.buffer, bytes.byteOffset, count * channels)
      : new Samples(count * channels)
    copySamples(this.#sound, { format, samples }, {
      first, count, channel: planeIndex, channels: this.#sound.channels, total: this.#sound.frames,
    })
    if (!isAligned) bytes.set(new Uint8Array(samples.buffer))
  }

  clone() {
    return new AudioData(this)
  }

  close() {
    this.#sound = undefined
  }

  #open() {
    if (this.#sound) return this.#sound
    throw new DOMException('This AudioData is closed.', 'InvalidStateError')
  }

  /** Resolves the options of a copy to a format and a range of samples. */
  #part(options) {
    const planeIndex = integer(required(options, 'planeIndex'), 'planeIndex')
    const { frameOffset = 0, frameCount, format: wanted } = asDictionary(options)
    const first = integer(frameOffset, 'frameOffset')
    const asked = frameCount === undefined ? undefined : integer(frameCount, 'frameCount')
    if (wanted !== undefined) oneOf(sampleFormats, wanted, 'format')
    const { format: stored, frames, channels } = this.#open()
    const format = wanted ?? stored
    if (planeIndex >= (isPlanar(format) ? channels : 1)) {
      throw new RangeError(`There is no plane ${planeIndex}.`)
    }
    if (first >= frames) throw new RangeError(`There is no frame ${first}.`)
    const count = asked ?? frames - first
    if (count > frames - first) {
      throw new RangeError(`There are no ${count} frames from frame ${first} on.`)
    }
    return { format, first, count, planeIndex, channels: isPlanar(format) ? 1 : channels }
  }
}

// A recording, in the worker: it encodes samples into a file in a store, and uploads the file to the library.

import { read } from '../../aacorn/file-bytes.js'
import { openStore } from './store.js'
import { adtsFrameAt, coreOf, mediaStart, unitLength, windowOf } from './units.js'
import { Upload } from './upload.js'
import { waveHeader, waveHeaderSize } from './entries.js'

/** The number of samples per channel to encode at a time, which result in at most one unit. */
const frameLength = 1024
/** The number of frames after which the store and the list of lengths are flushed to disk. */
const framesPerSync = 240

export class Recording {
  seconds = 0
  upload = null
  /** The sampling rate and the channels of the encoder's core. */
  core = null
  #frames = []
  #flushedAt = 0
  #options
  #encoder
  #file
  #lengths
  #samples = null
  #frame
  #filled = 0
  #frameCount = 0
  #sampleBytes = 0
  #header = null
  #listed = 0

  /** Opens the files in `folder` (null: in memory) and the encoder. */
  static async open(aacorn, folder, options) {
    const recording = new Recording()
    recording.#options = options
    const { sampleRate, channels, container, rateControl, effort, profile, id } = options
    recording.#encoder = aacorn.fileEncoder({
      sampleRate, channels, rateControl, effort, profile, container, tags: options.tags })
    try {
      recording.core = coreOf(recording.#encoder.audioSpecificConfig)
      recording.#file = await openStore(folder, `${id}.part`)
      recording.#lengths = container === 'm4a' ? await openStore(folder, `${id}.lengths`) : null
      if (options.keepsSamples) {
        recording.#samples = await openStore(folder, `${id}.samples`)
        recording.#samples.write(0, waveHeader({ sampleRate, channels, byteCount: 0 }))
      }
    } catch (error) {
      recording.abandon()
      throw error
    }
    recording.#frame = new Float32Array(frameLength * channels)
    if (options.sends) recording.#send(options.onUpload)
    return recording
  }

  get byteCount() { return this.#file.size }
  /** The number of units per second of audio. */
  get unitRate() {
    const { sampleRate } = this.#options
    return sampleRate / unitLength(this.core, sampleRate)
  }
  get isLasting() { return this.#file.isLasting }

  #send(onChange) {
    this.upload = new Upload({
      name: this.#options.name, read: (at, length) => this.#file.read(at, length) })
    this.upload.addEventListener('change', () => onChange(this.upload))
  }

  /** Encodes interleaved samples, in complete frames. */
  encode(samples) {
    const { channels, sampleRate } = this.#options
    this.seconds += samples.length / channels / sampleRate
    this.#keep(samples)
    for (let done = 0; done < samples.length;) {
      if (this.#filled === 0 && samples.length - done >= this.#frame.length) {
        this.#encodeFrame(samples.subarray(done, done + this.#frame.length))
        done += this.#frame.length
        continue
      }
      const now = Math.min(samples.length - done, this.#frame.length - this.#filled)
      this.#frame.set(samples.subarray(done, done + now), this.#filled)
      this.#filled += now
      done += now
      if (this.#filled === this.#frame.length) {
        this.#filled = 0
        this.#encodeFrame(this.#frame)
      }
    }
  }

  encodeSilence(frameCount) {
    const { channels } = this.#options
    for (let left = frameCount; left > 0; left -= frameLength) {
      this.encode(new Float32Array(Math.min(left, frameLength) * channels))
    }
  }

  #encodeFrame(samples) {
    for (const write of this.#encoder.encode(samples)) {
      this.#note(write.bytes)
      this.#put(write)
    }
    this.#frameCount += 1
    if (this.#frameCount % framesPerSync === 0) this.#sync()
  }

  #put({ offset, bytes }) {
    const isBehind = offset < this.#file.size
    this.#file.write(offset, bytes)
    if (isBehind) this.upload?.overwrite(offset, bytes.length)
    this.upload?.grow(this.#file.size)
  }

  /** Flushes all files to disk, so that a crash of the machine does not lose them. */
  #sync() {
    this.#file.sync()
    this.#lengths?.sync()
    this.#samples?.sync()
  }

  #keep(samples) {
    if (!this.#samples) return
    const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength).slice()
    this.#samples.write(waveHeaderSize + this.#sampleBytes, bytes)
    this.#sampleBytes += bytes.length
  }

  /**
   * Records the lengths of units: every write of the encoder contains one unit. A movie file gets its tables
   * only at its end; without them, these lengths make an interrupted file playable.
   */
  #note(bytes) {
    if (this.#options.container === 'adts') {
      for (let at = 0, found; (found = adtsFrameAt(bytes, at)); at += found.length) {
        this.#show(bytes.subarray(at + found.header, at + found.length))
      }
      return
    }
    let unit = bytes
    if (!this.#header) {
      const start = mediaStart(bytes)
      this.#header = start
      unit = bytes.subarray(Math.max(0, start))
    }
    if (!unit.length) return
    this.#lengths.write(this.#listed, Uint8Array.of(unit.length & 0xff, unit.length >> 8))
    this.#listed += 2
    this.#show(unit)
  }

  #show(unit) {
    if (this.#frames.length < 200) this.#frames.push([unit.length, windowOf(unit) ?? 0])
  }

  /** Returns the sizes of the frames since the last call: `[bytes, window]`. */
  takeFrames() {
    const frames = this.#frames
    this.#frames = []
    return frames
  }

  /** Writes the collected data once a second, so that a crash of the page loses at most a second. */
  flushNow() {
    if (this.seconds - this.#flushedAt < 1) return
    this.#flushedAt = this.seconds
    this.#file.flush()
    this.#lengths?.flush()
    this.#samples?.flush()
  }

  /** Completes the files; returns `{ file, samples }`, where samples is null if they were not stored. */
  async finish() {
    const { sampleRate, channels } = this.#options
    if (this.#filled > 0) {
      const rest = this.#frame.subarray(0, this.#filled)
      for (const write of this.#encoder.encode(rest)) this.#put(write)
    }
    for (const write of this.#encoder.finish()) this.#put(write)
    this.#encoder.close()
    this.#samples?.write(0, waveHeader({ sampleRate, channels, byteCount: this.#sampleBytes }))
    const file = await this.#closeFile()
    const samples = await this.#samples?.close() ?? null
    this.#lengths?.release()
    this.upload?.finish()
    return { file, samples }
  }

  /** Closes the file; the remaining upload reads from the closed file. */
  #closeFile() {
    const { size, isLasting } = this.#file
    const closing = this.#file.close()
    this.#file = {
      size, isLasting, release() {},
      read: async (at, length) => read(await closing, at, length)
    }
    return closing
  }

  /** Releases everything after a failure. */
  abandon() {
    this.upload?.cancel()
    this.#encoder.close()
    for (const store of [this.#file, this.#lengths, this.#samples]) store?.release()
  }
}

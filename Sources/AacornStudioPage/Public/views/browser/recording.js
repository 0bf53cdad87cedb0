// One recording, in the worker: samples in, bytes of a file into a store, and on to the library.

import { openStore } from './store.js'
import { adtsFrameAt, coreOf, mediaStart, unitLength, windowOf } from './units.js'
import { Upload } from './upload.js'
import { waveHeader, waveHeaderSize } from './wave.js'

/** Samples of a channel that are encoded at once: they make at most one unit. */
const frameLength = 1024
/** Frames after which the store and the list of lengths are brought to the disk. */
const framesPerSync = 240

export class Recording {
  seconds = 0
  upload = null
  /** The rate and the channels of the encoder's core. */
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

  /** Opens the files in `folder` (null: memory) and the encoder. */
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
  /** How many units a second of sound becomes. */
  get unitRate() {
    const { sampleRate } = this.#options
    return sampleRate / unitLength(this.core, sampleRate)
  }
  get isLasting() { return this.#file.isLasting }

  #send(onChange) {
    this.upload = new Upload({
      name: this.#options.name, onChange, read: (at, length) => this.#file.read(at, length) })
  }

  /** Takes interleaved samples; whole frames of them are encoded at once. */
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

  /** Silence instead of sound that was lost. */
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

  /** Has everything kept that a crash of the machine could take. */
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
   * Notes the lengths of units: every write of the encoder holds one. Without the tables that a
   * movie file gets at its end, these lengths are what makes an interrupted one playable.
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

  /** What each frame took since they were last asked for: `[bytes, window]`. */
  takeFrames() {
    const frames = this.#frames
    this.#frames = []
    return frames
  }

  /** Once a second, writes what is gathered: a crash of the page takes no more than that. */
  flushNow() {
    if (this.seconds - this.#flushedAt < 1) return
    this.#flushedAt = this.seconds
    this.#file.flush()
    this.#lengths?.flush()
    this.#samples?.flush()
  }

  /** Completes the files; answers `{ file, samples }`, samples null if they were not kept. */
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

  /** Closes the file; what is still to be sent is read from the closed one. */
  #closeFile() {
    const { size, isLasting } = this.#file
    const closing = this.#file.close()
    this.#file = {
      size, isLasting, release() {},
      read: async (at, length) => {
        const file = await closing
        return new Uint8Array(await file.slice(at, at + length).arrayBuffer())
      }
    }
    return closing
  }

  /** Gives everything up after a failure. */
  abandon() {
    this.upload?.cancel()
    this.#encoder.close()
    for (const store of [this.#file, this.#lengths, this.#samples]) store?.release()
  }
}

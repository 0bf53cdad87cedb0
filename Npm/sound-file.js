import { checkFileOptions, FileAssembler, FileEncoder } from './encoder.js'
import { whole } from './engine.js'
import { checked } from './errors.js'
import { asBlob, readTags } from './file-bytes.js'
import { checkNames, soundOptions } from './options.js'
import { checkReaderOptions, SoundReader } from './sound-reader.js'
import { decodedPieces, SoundSource, storedPieces } from './sound-source.js'

const convertOptions = [
  ...soundOptions, 'container', 'tags', 'keepTags', 'onProgress', 'onConcealed', 'signal',
]

/** The number of bytes to convert at a time. The result can be many times as large. */
const pieceLength = 1 << 18

/**
 * An audio file. Converting WAV, AIFF and CAF loads only the encoder and the small module for uncompressed
 * audio. Decoded samples and all other formats need the module that reads audio files.
 */
export class SoundFile {
  #engine
  #samples
  #reading
  #blob
  #options
  /** The source from the module for uncompressed audio; null if that module does not support the file. */
  #source = null
  #reader = null
  #frameCount = null
  #isClosed = false

  /** Opens a file and reads its header. */
  static async open(engine, samples, reading, file, options) {
    checkReaderOptions(options)
    const sound = new SoundFile(engine, samples, reading, asBlob(file), options)
    try {
      await sound.#begin()
    } catch (error) {
      sound.close()
      throw error
    }
    return sound
  }

  /** Use `soundFile` of a loaded module instead. */
  constructor(engine, samples, reading, blob, options) {
    this.#engine = engine
    this.#samples = samples
    this.#reading = reading
    this.#blob = blob
    this.#options = options
  }

  async #begin() {
    try {
      this.#source = await this.#samples.use((engine) => SoundSource.open(engine, this.#blob))
    } catch (error) {
      // The module that reads audio files handles all other formats, and rejects unknown ones.
      if (!['not-recognized', 'other-format'].includes(error.code)) throw error
    }
    const known = this.#source ?? await this.#load()
    const { container, sampleRate, channels, layout, frameCount } = known
    Object.assign(this, { container, sampleRate, channels, layout })
    this.#frameCount = frameCount
  }

  /** Returns the reader of the decoded samples. */
  #load() {
    if (this.#isClosed) checked(-8)
    this.#reader ??= this.#open().catch((error) => {
      this.#reader = null
      throw error
    })
    return this.#reader
  }

  #open() {
    return this.#reading.use((engine) => SoundReader.open(engine, this.#blob, this.#options))
  }

  /** Samples per channel; null while unknown. */
  get frameCount() {
    return this.#frameCount
  }

  /** Reads the next samples; null at the end. */
  async read(frameCount) {
    const reader = await this.#load()
    const part = await reader.read(frameCount)
    this.#frameCount ??= reader.frameCount
    return part
  }

  /** Continues at this frame. */
  async seek(frame) {
    return (await this.#load()).seek(frame)
  }

  /** Converts the file to AAC, with the same bytes as from `aacorn encode`. */
  async convert(options) {
    if (this.#isClosed) checked(-8)
    checkNames(options, convertOptions)
    if (this.#source) {
      const inputTags = await this.#readTags(options, null)
      const pieces = storedPieces(this.#source, this.#blob)
      return convert(this.#engine, this.#source, pieces, options ?? {}, inputTags)
    }
    const reader = await this.#open()
    let source = null
    try {
      source = await this.#samples.use((engine) => SoundSource.ofDecoded(engine, reader))
      const inputTags = await this.#readTags(options, reader)
      const file = await convert(
        this.#engine, source, decodedPieces(reader), options ?? {}, inputTags)
      this.#frameCount ??= reader.frameCount
      return file
    } finally {
      source?.close()
      reader.close()
    }
  }

  /** Reads the tags to copy: all of them, except the loudness if channels are mixed. */
  #readTags(options, reader) {
    if (options?.container !== 'm4a' || options.keepTags === false) return undefined
    const keepsLoudness = !options.channels || options.channels === this.channels
    if (this.container === 'mp4') return reader.readTags(keepsLoudness)
    return this.#samples.use((engine) => readTags(engine, this.#blob, keepsLoudness))
  }

  /** Releases the memory. */
  close() {
    this.#isClosed = true
    this.#source?.close()
    this.#source = null
    this.#reader?.then((reader) => reader.close(), () => {})
    this.#reader = null
  }
}

async function convert(engine, source, pieces, options, inputTags) {
  const { onProgress, onConcealed, signal, keepTags: _, ...fileOptions } = options
  const { container, sampleRate = 0, channels = 0 } = fileOptions
  // Report errors in the options before errors in the audio.
  checkFileOptions(options)
  const conversion = new Conversion(source, sampleRate, channels)
  let encoder = null
  try {
    encoder = new FileEncoder(engine, {
      ...fileOptions, inputTags, sampleRate: conversion.sampleRate, channels: conversion.channels,
      frameCount: source.frameCount,
    }, source.sampleRate)
    const file = new FileAssembler()
    signal?.throwIfAborted()
    for await (const { bytes, fraction, concealed } of pieces) {
      signal?.throwIfAborted()
      if (concealed?.length > 0) onConcealed?.(concealed)
      for (const samples of conversion.convert(bytes)) file.write(encoder.encode(samples))
      onProgress?.(fraction)
      if (conversion.isComplete) break
    }
    signal?.throwIfAborted()
    file.write(encoder.encode(conversion.finish()))
    file.write(encoder.finish())
    onProgress?.(1)
    return file.blob(container === 'm4a' ? 'audio/mp4' : 'audio/aac')
  } finally {
    encoder?.close()
    conversion.close()
  }
}

/** A conversion of a source's samples to a format that AAC supports. */
class Conversion {
  #engine
  #handle
  #Samples

  /**
   * For 0, `sampleRate` is the source's rate or the next rate that AAC supports, `channels` the source's number.
   */
  constructor({ engine, handle }, sampleRate, channels) {
    this.#engine = engine
    this.#handle = engine.create(this, 'conversion', handle, whole(sampleRate), whole(channels))
    this.sampleRate = this.#run('rate')
    this.channels = this.#run('channels')
    this.#Samples = this.#run('integer') === 1 ? Int16Array : Float32Array
  }

  /** Whether every sample that the source announced has been converted. */
  get isComplete() {
    return this.#run('complete') === 1
  }

  /** Converts bytes, split at any position, and yields arrays of interleaved samples. */
  *convert(bytes) {
    for (let start = 0; start < bytes.length; start += pieceLength) {
      const piece = bytes.subarray(start, start + pieceLength)
      this.#engine.write(this.#handle, piece)
      yield this.#read(this.#run('push', piece.length))
    }
  }

  /** Returns the remaining samples at the end; throws if there were no samples at all. */
  finish() {
    return this.#read(this.#run('finish'))
  }

  /** Releases the memory. */
  close() {
    this.#engine.close(this, this.#handle)
    this.#handle = 0
  }

  #run(name, ...values) {
    return this.#engine.run(`conversion_${name}`, this.#handle, ...values)
  }

  #read(count) {
    const bytes = this.#engine.read(this.#handle, count * this.#Samples.BYTES_PER_ELEMENT)
    return new this.#Samples(bytes.buffer)
  }
}

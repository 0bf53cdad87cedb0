import { whole } from './engine.js'
import { AacornError } from './errors.js'
import { checkNames, soundOptions } from './options.js'

const efforts = ['fast', 'balanced', 'best']
const profiles = ['lc', 'he', 'he2', 'auto']
const containers = ['m4a', 'adts']
const tagNames = ['title', 'artist', 'album', 'date', 'comment']
const rateNames = ['constant', 'average', 'variable']

/** The maximum number of samples passed to the module at a time, which limits its memory. */
const pieceLength = 1 << 16

/**
 * Returns the two numbers that encode a rate control for the module. The default is 64 kb/s per channel for
 * AAC-LC, 32 kb/s for HE-AAC, less for HE-AAC v2.
 */
function rateNumbers({ bitrate, rateControl }) {
  if (bitrate !== undefined && rateControl !== undefined) {
    throw new AacornError('option', 'Choose bitrate or rateControl, not both.')
  }
  const control = bitrate === undefined ? rateControl : { constant: bitrate }
  if (control === undefined) return [3, 0]
  if (typeof control === 'object') checkNames(control, rateNames)
  const chosen = rateNames.filter((name) => control?.[name] !== undefined)
  if (chosen.length !== 1) {
    throw new AacornError('option',
      'The rate control must be { constant }, { average } or { variable }.')
  }
  const value = control[chosen[0]]
  // A calculated bitrate may have a fraction, which is dropped.
  return [rateNames.indexOf(chosen[0]), whole(chosen[0] === 'variable' ? value : Math.trunc(value))]
}

/** Returns the number of an effort, or −1, which the module rejects. */
function effortNumber(effort = 'balanced') {
  return efforts.indexOf(effort)
}

/** Returns the number of a profile, or −1, which the module rejects. */
function profileNumber(profile = 'lc') {
  return profiles.indexOf(profile)
}

/** Returns the number of a container; throws if there is no such container. */
function containerNumber(container) {
  const number = containers.indexOf(container)
  // The module's error for −1 would not name the container.
  if (number < 0) throw new AacornError('container', 'The container must be m4a or adts.')
  return number
}

/** Returns the default bitrate of an encoder. */
export function defaultBitrate(engine, { sampleRate, channels, profile }) {
  return engine.run('encoder_default_bitrate', whole(sampleRate), whole(channels), profileNumber(profile))
}

/** Throws for an invalid rate control or container. */
export function checkFileOptions(options) {
  rateNumbers(options)
  containerNumber(options.container)
}

/** The shared implementation of both kinds of encoder. */
class Session {
  #engine
  #handle
  #channels
  #take

  constructor(engine, options, take) {
    const { sampleRate, channels, effort, profile } = options
    this.#engine = engine
    this.#channels = whole(channels)
    this.#take = take
    this.#handle = engine.create(this, 'encoder', whole(sampleRate), this.#channels,
      ...rateNumbers(options), effortNumber(effort), profileNumber(profile))
  }

  get engine() {
    return this.#engine
  }

  get handle() {
    return this.#handle
  }

  /** Calls a function of the encoder. */
  run(name, ...values) {
    return this.#engine.run(`encoder_${name}`, this.#handle, ...values)
  }

  get audioSpecificConfig() {
    return this.#engine.read(this.#handle, this.run('config'))
  }

  encode(samples) {
    const isInteger = samples instanceof Int16Array
    if (!isInteger && !(samples instanceof Float32Array)) {
      throw new TypeError('Samples must be an Int16Array or a Float32Array.')
    }
    const results = []
    for (let start = 0; start < samples.length; start += pieceLength) {
      const piece = samples.subarray(start, start + pieceLength)
      this.#engine.write(this.#handle, piece)
      this.run(isInteger ? 'encode_int16' : 'encode_float', piece.length)
      this.#takeAll(results)
    }
    return results
  }

  encodePlanar(channels) {
    const length = channels?.[0]?.length ?? 0
    const isValid = Array.isArray(channels) && channels.length === this.#channels &&
      channels.every((samples) => samples instanceof Float32Array && samples.length === length)
    if (!isValid) {
      throw new TypeError(`Planar samples must be ${this.#channels} Float32Arrays of equal length.`)
    }
    const results = []
    const pieceFrames = Math.ceil(pieceLength / this.#channels)
    for (let start = 0; start < length; start += pieceFrames) {
      const frames = Math.min(pieceFrames, length - start)
      const bytes = this.#engine.input(this.#handle, frames * this.#channels * 4)
      const room = new Float32Array(bytes.buffer, bytes.byteOffset, frames * this.#channels)
      for (const [index, samples] of channels.entries()) {
        room.set(samples.subarray(start, start + frames), index * frames)
      }
      this.run('encode_planar', room.length)
      this.#takeAll(results)
    }
    return results
  }

  finish() {
    this.run('finish')
    const results = []
    this.#takeAll(results)
    return results
  }

  close() {
    this.#engine.close(this, this.#handle)
    this.#handle = 0
  }

  #takeAll(results) {
    for (let length; (length = this.run('next')) > 0;) {
      results.push(this.#take(this.#engine.read(this.#handle, length)))
    }
  }
}

/** An encoder from samples to access units. */
export class Encoder {
  #session

  constructor(engine, options) {
    checkNames(options, soundOptions)
    this.#session = new Session(engine, options, (bytes) => bytes)
  }

  /** The AudioSpecificConfig, which a decoder needs before the first unit. */
  get audioSpecificConfig() {
    return this.#session.audioSpecificConfig
  }

  /** Encodes any number of interleaved samples, and returns the completed units. */
  encode(interleaved) {
    return this.#session.encode(interleaved)
  }

  /** Encodes the samples of each channel in separate arrays, as in Web Audio. */
  encodePlanar(channels) {
    return this.#session.encodePlanar(channels)
  }

  /** Ends the stream. Returns the last units, and the samples per channel that a decoder must drop. */
  finish() {
    const units = this.#session.finish()
    const { engine, handle } = this.#session
    return {
      units,
      priming: engine.call('encoder_priming', handle),
      remainder: engine.call('encoder_remainder', handle),
    }
  }

  /** Releases the memory. */
  close() {
    this.#session.close()
  }
}

/** An encoder from samples to a file, as pieces of bytes with their offsets. */
export class FileEncoder {
  #session

  /** `countedRate` is the sampling rate of `frameCount`, if it differs from the encoder's rate. */
  constructor(engine, options, countedRate = 0) {
    checkNames(options, [...soundOptions, 'container', 'frameCount', 'tags', 'inputTags'])
    checkNames(options.tags, tagNames)
    const session = new Session(engine, options, (bytes) => (
      { offset: engine.call('encoder_offset', session.handle), bytes }))
    this.#session = session
    try {
      session.run('file', containerNumber(options.container), options.frameCount ?? -1, countedRate)
      if (options.container === 'm4a') setTags(engine, session.handle, options)
    } catch (error) {
      session.close()
      throw error
    }
  }

  /** The AudioSpecificConfig of the units in the file. */
  get audioSpecificConfig() {
    return this.#session.audioSpecificConfig
  }

  /** Encodes any number of interleaved samples, and returns the bytes to write. */
  encode(interleaved) {
    return this.#session.encode(interleaved)
  }

  /** Encodes the samples of each channel in separate arrays, as in Web Audio. */
  encodePlanar(channels) {
    return this.#session.encodePlanar(channels)
  }

  /** Ends the stream, and returns the bytes that complete the file. */
  finish() {
    return this.#session.finish()
  }

  /** Releases the memory. */
  close() {
    this.#session.close()
  }
}

/** Sets the tags of a file before its first sample; `inputTags` do not replace `tags`. */
function setTags(engine, handle, { tags, inputTags }) {
  for (const [kind, name] of tagNames.entries()) {
    const tag = tags?.[name] ?? null
    if (tag === null) continue
    const text = new TextEncoder().encode(tag)
    engine.write(handle, text)
    engine.run('encoder_tag', handle, kind, text.length)
  }
  if (!inputTags?.length) return
  engine.write(handle, inputTags)
  engine.run('encoder_items', handle, inputTags.length)
}

/** Assembles the writes of a file encoder in memory. */
export class FileAssembler {
  #pieces = []
  #length = 0

  /** Applies the writes that an encoder returned. */
  write(writes) {
    for (const { offset, bytes } of writes) {
      if (offset === this.#length) {
        this.#pieces.push({ offset, bytes })
        this.#length += bytes.length
      } else {
        this.#patch(offset, bytes)
      }
    }
  }

  /** The length of the file so far, in bytes. */
  get byteLength() {
    return this.#length
  }

  /** Returns the file as a Blob. */
  blob(type = 'audio/mp4') {
    return new Blob(this.#pieces.map(({ bytes }) => bytes), { type })
  }

  /** Replaces bytes, which may span several pieces, and appends the bytes after the end. */
  #patch(offset, bytes) {
    const end = offset + bytes.length
    for (const piece of this.#pieces) {
      const from = Math.max(offset, piece.offset)
      const to = Math.min(end, piece.offset + piece.bytes.length)
      if (from < to) {
        piece.bytes.set(bytes.subarray(from - offset, to - offset), from - piece.offset)
      }
    }
    if (offset > this.#length) throw new RangeError('A write would leave a hole in the file.')
    if (end > this.#length) {
      this.write([{ offset: this.#length, bytes: bytes.subarray(this.#length - offset) }])
    }
  }
}

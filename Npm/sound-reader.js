import { AacornError } from './errors.js'
import { asBlob, coverItem, read } from './file-bytes.js'
import { checkNames, decoderOptions } from './options.js'
import { readLayout } from './speakers.js'

/** The container formats, in the order of Sources/AacornWasm/SourceSession.swift. */
export const containers = [
  'unknown', 'wav', 'aiff', 'caf', 'adts', 'latm', 'adif', 'mp4', 'mpeg-ts',
]
/** The formats in which any position can be read directly. */
const seekable = ['wav', 'aiff', 'caf', 'mp4']

/** Throws for an unknown option. */
export function checkReaderOptions(options) {
  checkNames(options, [...decoderOptions, 'trim'])
}

/** A reader of the samples of an audio file. */
export class SoundReader {
  #engine
  #handle
  #blob
  #format
  #frameCount
  /** The index of the next frame to return. */
  #position = 0
  /** The fraction of the file's bytes that has been read. */
  #fraction = 0
  /** The number of frames still to be dropped. */
  #skipped = 0
  #isConcealed = false
  /** The decoded samples that have not been returned yet. */
  #held = null
  /** The last requested operation; operations run one after the other. */
  #last = Promise.resolve()

  /** Opens a file, and reads until the format of the samples is known. */
  static async open(engine, file, options) {
    checkReaderOptions(options)
    const blob = asBlob(file)
    const flags = (options?.dynamicRange ? 1 : 0) + (options?.parametricStereo ? 2 : 0) +
      (options?.trim === false ? 4 : 0)
    const reader = new SoundReader(engine, blob, flags)
    try {
      await reader.#begin()
    } catch (error) {
      reader.close()
      throw error
    }
    return reader
  }

  /** Use `soundFile` of a loaded module instead. */
  constructor(engine, blob, flags) {
    this.#engine = engine
    this.#blob = blob
    this.#handle = engine.create(this, 'sound', blob.size, flags)
  }

  async #begin() {
    while (!this.#format) {
      if (!(await this.#step())) {
        throw new AacornError('no-samples', 'The file contains no samples.')
      }
    }
    const frames = this.#engine.call('sound_frames', this.#handle)
    this.#frameCount = frames < 0 ? null : frames
    this.container = containers[this.#engine.call('sound_container', this.#handle)]
    const { sampleRate, channelCount, layout } = this.#format
    this.sampleRate = sampleRate
    this.channels = channelCount
    this.layout = layout
  }

  /** Samples per channel; null while unknown. */
  get frameCount() {
    return this.#frameCount
  }

  /** The fraction of the file that has been read, 0 to 1. */
  get fraction() {
    return this.#fraction
  }

  /** Reads the next samples; null at the end. */
  read(frameCount = Infinity) {
    if (!(frameCount >= 1) || Number.isFinite(frameCount) && !Number.isSafeInteger(frameCount)) {
      throw new TypeError('A number of samples must be whole, and 1 or more.')
    }
    return this.#inTurn(() => this.#read(frameCount))
  }

  /** Continues at this frame. */
  seek(frame) {
    if (!Number.isSafeInteger(frame) || frame < 0) {
      throw new TypeError('The number of a sample must be whole, and 0 or more.')
    }
    return this.#inTurn(() => this.#seek(frame))
  }

  /** Returns the tags, cover and chapters of an MP4 file for an encoder's `inputTags`; empty for other files. */
  async readTags(keepsLoudness = true) {
    const engine = this.#engine
    const length = engine.run('sound_items', this.#handle, keepsLoudness ? 1 : 0)
    const items = engine.read(this.#handle, length)
    const coverLength = engine.call('sound_cover_length', this.#handle)
    if (coverLength === 0) return items
    const offset = engine.call('sound_cover_offset', this.#handle)
    const cover = coverItem(await read(this.#blob, offset, coverLength))
    const tags = new Uint8Array(cover.length + items.length)
    tags.set(cover)
    tags.set(items, cover.length)
    return tags
  }

  /** Releases the memory. */
  close() {
    this.#engine.close(this, this.#handle)
    this.#handle = 0
    this.#held = null
  }

  #inTurn(action) {
    const result = this.#last.then(action)
    this.#last = result.catch(() => {})
    return result
  }

  async #read(wanted) {
    const parts = []
    const concealed = []
    let format = null
    let position = 0
    let count = 0
    while (count < wanted) {
      while (!this.#held) {
        if (!(await this.#step())) break
      }
      const part = this.#take(wanted - count, format)
      if (!part) break
      if (!format) {
        format = part.format
        position = part.position
      }
      if (part.isConcealed) note(concealed, part)
      parts.push(part.channels)
      count += part.count
    }
    if (!format) return null
    const { sampleRate, channelCount, layout } = format
    return { position, channels: join(parts, channelCount, count), sampleRate, layout, concealed }
  }

  /** Returns samples of the held block, unless the block has another format. */
  #take(limit, format) {
    const held = this.#held
    if (!held || format && held.format !== format) return null
    const count = Math.min(limit, held.count - held.start)
    const channels = held.channels.map((samples) => (
      samples.subarray(held.start, held.start + count)))
    const position = this.#position
    // The samples that conceal a unit may be returned in parts; count the unit once.
    const unitCount = held.isBegun ? 0 : 1
    held.isBegun = true
    held.start += count
    this.#position += count
    if (held.start === held.count) this.#held = null
    return {
      channels, count, position, unitCount, format: held.format, isConcealed: held.isConcealed,
    }
  }

  async #seek(frame) {
    const isAhead = frame >= this.#position && !seekable.includes(this.container)
    if (isAhead) {
      this.#skipped = frame - this.#position
      const taken = this.#held ? this.#take(this.#skipped, null).count : 0
      this.#skipped -= taken
      return
    }
    this.#held = null
    this.#isConcealed = false
    if (this.#engine.run('sound_seek', this.#handle, frame) === 1) {
      this.#skipped = 0
      this.#position = Math.min(frame, this.#frameCount ?? frame)
    } else {
      this.#position = 0
      this.#skipped = frame
    }
  }

  /** Performs the next step; returns whether more steps follow. */
  async #step() {
    const engine = this.#engine
    const handle = this.#handle
    switch (engine.run('sound_step', handle)) {
      case 0:
        this.#frameCount ??= this.#position
        this.#fraction = 1
        return false
      case 1: {
        const offset = engine.call('sound_offset', handle)
        const bytes = await read(this.#blob, offset, engine.call('sound_wanted', handle))
        // The reader may have been closed during the read, and its handle may have been reused.
        engine.write(this.#handle, bytes)
        engine.run('sound_supply', this.#handle, bytes.length)
        this.#fraction = Math.min(1, (offset + bytes.length) / Math.max(1, this.#blob.size))
        break
      }
      case 2:
        this.#format = {
          sampleRate: engine.call('sound_rate', handle),
          channelCount: engine.call('sound_channels', handle),
          layout: readLayout(engine, 'sound', handle),
        }
        break
      case 3:
        this.#hold(engine.run('sound_samples', handle))
        break
      case 4:
        this.#isConcealed = true
        break
    }
    return true
  }

  #hold(count) {
    const isConcealed = this.#isConcealed
    this.#isConcealed = false
    const start = Math.min(this.#skipped, count)
    this.#skipped -= start
    this.#position += start
    if (start === count) return
    const format = this.#format
    const channels = this.#engine.readPlanar(this.#handle, count, format.channelCount)
    this.#held = { channels, start, isBegun: start > 0, count, format, isConcealed }
  }
}

/** Adds concealed samples to a list of ranges. */
function note(concealed, { position, count, unitCount }) {
  const last = concealed.at(-1)
  if (last && last.position + last.frameCount === position) {
    last.frameCount += count
    last.unitCount += unitCount
  } else {
    concealed.push({ position, frameCount: count, unitCount })
  }
}

/** Joins the parts of each channel. */
function join(parts, channelCount, count) {
  return Array.from({ length: channelCount }, (_, channel) => {
    const samples = new Float32Array(count)
    let filledCount = 0
    for (const part of parts) {
      samples.set(part[channel], filledCount)
      filledCount += part[channel].length
    }
    return samples
  })
}

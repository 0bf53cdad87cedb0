import { containerNumber, effortNumber, profileNumber, rateNumbers, setTags } from './encoder.js'
import { whole } from './engine.js'
import { checked } from './errors.js'
import { FileAssembler } from './file-assembler.js'
import { asBlob } from './file-bytes.js'
import { containers, SoundReader } from './sound-reader.js'
import { decodedPieces, openDecoded, openSource, storedPieces } from './sound-source.js'
import { readLayout } from './speakers.js'

/**
 * A sound file. WAV, AIFF and CAF are read by the module that encodes, so that nothing else is
 * loaded for converting them; samples and all other files come from the one that reads files.
 */
export class SoundFile {
  #engine
  #reading
  #blob
  #options
  /** What the module that encodes knows about the file; 0 if it does not read it. */
  #source = 0
  #reader = null
  #frameCount = null
  #isClosed = false

  /** Reads the header. */
  static async open(engine, reading, file, options) {
    const sound = new SoundFile(engine, reading, asBlob(file), options)
    try {
      await sound.#begin()
    } catch (error) {
      sound.close()
      throw error
    }
    return sound
  }

  /** Use `soundFile` of a loaded module instead. */
  constructor(engine, reading, blob, options) {
    this.#engine = engine
    this.#reading = reading
    this.#blob = blob
    this.#options = options
  }

  async #begin() {
    const engine = this.#engine
    try {
      this.#source = await openSource(engine, this.#blob)
    } catch (error) {
      // Other files are for the module that reads files, which says what it does not know either.
      if (!['not-recognized', 'other-format'].includes(error.code)) throw error
    }
    const source = this.#source
    if (source > 0) {
      this.container = containers[engine.call('source_container', source)]
      this.sampleRate = engine.call('source_rate', source)
      this.channels = engine.call('source_channels', source)
      this.layout = readLayout(engine, 'source', source)
      this.#frameCount = engine.call('source_frames', source)
      return
    }
    const { container, sampleRate, channels, layout, frameCount } = await this.#load()
    Object.assign(this, { container, sampleRate, channels, layout })
    this.#frameCount = frameCount
  }

  /** What gives the samples. */
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

  /** Samples a channel, or null as long as that is not known. */
  get frameCount() {
    return this.#frameCount
  }

  /** The next samples; null at the end. */
  async read(frameCount) {
    const reader = await this.#load()
    const part = await reader.read(frameCount)
    this.#frameCount ??= reader.frameCount
    return part
  }

  /** Goes on with the frame of this number. */
  async seek(frame) {
    return (await this.#load()).seek(frame)
  }

  /** Makes an AAC file of it, with the bytes that `aacorn encode` would make. */
  async convert(options) {
    if (this.#isClosed) checked(-8)
    if (this.#source > 0) {
      const pieces = storedPieces(this.#engine, this.#source, this.#blob)
      return convert(this.#engine, this.#source, pieces, options ?? {})
    }
    const reader = await this.#open()
    let source = 0
    try {
      source = openDecoded(this.#engine, reader)
      const file = await convert(this.#engine, source, decodedPieces(reader), options ?? {})
      this.#frameCount ??= reader.frameCount
      return file
    } finally {
      if (source > 0) this.#engine.call('close', source)
      reader.close()
    }
  }

  /** Gives the memory back. */
  close() {
    this.#isClosed = true
    if (this.#source > 0) this.#engine.call('close', this.#source)
    this.#source = 0
    this.#reader?.then((reader) => reader.close(), () => {})
    this.#reader = null
  }
}

async function convert(engine, source, pieces, options) {
  const {
    container, rateControl, effort, profile, tags, sampleRate = 0, channels = 0, onProgress,
    onConcealed, signal,
  } = options
  const encoder = engine.run('encoder_convert', source, whole(sampleRate), whole(channels),
    ...rateNumbers(rateControl), effortNumber(effort), containerNumber(container),
    profileNumber(profile))
  try {
    if (container === 'm4a') setTags(engine, encoder, tags)
    const file = new FileAssembler()
    signal?.throwIfAborted()
    for await (const { bytes, fraction, concealed } of pieces) {
      signal?.throwIfAborted()
      if (concealed?.length > 0) onConcealed?.(concealed)
      engine.write(encoder, bytes)
      const isComplete = engine.run('encoder_encode_bytes', encoder, bytes.length) === 1
      take(engine, encoder, file)
      onProgress?.(fraction)
      if (isComplete) break
    }
    signal?.throwIfAborted()
    engine.run('encoder_finish', encoder)
    take(engine, encoder, file)
    onProgress?.(1)
    return file.blob(container === 'm4a' ? 'audio/mp4' : 'audio/aac')
  } finally {
    engine.call('close', encoder)
  }
}

function take(engine, encoder, file) {
  for (let length; (length = checked(engine.call('encoder_next', encoder))) > 0;) {
    const bytes = engine.read(encoder, length)
    file.write([{ offset: engine.call('encoder_offset', encoder), bytes }])
  }
}

import { containerNumber, effortNumber, rateNumbers, setTags } from './encoder.js'
import { whole } from './engine.js'
import { checked } from './errors.js'
import { FileAssembler } from './file-assembler.js'

/** Bytes that are read at once: few enough that a page stays alive, many for the asking. */
const pieceLength = 1 << 20

/** A WAV, AIFF or CAF file, read by the module itself, so that no sample is rounded. */
export class SoundFile {
  #engine
  #handle
  #blob
  #dataOffset

  /** Reads the header. */
  static async open(engine, blob) {
    checkBlob(blob)
    const handle = engine.run('source_create', blob.size)
    try {
      for (;;) {
        const position = engine.call('source_position', handle)
        const bytes = await read(blob, position, 1 << 16)
        engine.write(handle, bytes)
        if (engine.run('source_push', handle, bytes.length) === 1) break
      }
      return new SoundFile(engine, handle, blob)
    } catch (error) {
      engine.call('close', handle)
      throw error
    }
  }

  /** Use `soundFile` of a loaded module instead. */
  constructor(engine, handle, blob) {
    this.#engine = engine
    this.#handle = handle
    this.#blob = blob
    this.#dataOffset = engine.call('source_position', handle)
    this.sampleRate = engine.call('source_rate', handle)
    this.channels = engine.call('source_channels', handle)
    this.frameCount = engine.call('source_frames', handle)
  }

  /** Makes an AAC file of it, with the bytes that `aacorn encode` would make. */
  async convert(options) {
    const {
      container, rateControl, effort, tags, sampleRate = 0, channels = 0, onProgress, signal,
    } = options ?? {}
    const engine = this.#engine
    const encoder = engine.run('encoder_convert', this.#handle, whole(sampleRate), whole(channels),
      ...rateNumbers(rateControl), effortNumber(effort), containerNumber(container))
    try {
      if (container === 'm4a') setTags(engine, encoder, tags)
      const file = new FileAssembler()
      const total = Math.max(1, this.#blob.size - this.#dataOffset)
      let position = this.#dataOffset
      let coming = read(this.#blob, position, pieceLength)
      for (;;) {
        signal?.throwIfAborted()
        const bytes = await coming
        if (bytes.length === 0) break
        position += bytes.length
        // Browsers read slowly: the next piece comes while this one is encoded.
        coming = read(this.#blob, position, pieceLength)
        coming.catch(() => {})
        engine.write(encoder, bytes)
        const isComplete = engine.run('encoder_encode_bytes', encoder, bytes.length) === 1
        take(engine, encoder, file)
        onProgress?.(Math.min(1, (position - this.#dataOffset) / total))
        if (isComplete) break
      }
      engine.run('encoder_finish', encoder)
      take(engine, encoder, file)
      onProgress?.(1)
      return file.blob(container === 'm4a' ? 'audio/mp4' : 'audio/aac')
    } finally {
      engine.call('close', encoder)
    }
  }

  /** Gives the memory back. */
  close() {
    if (this.#handle > 0) this.#engine.call('close', this.#handle)
    this.#handle = 0
  }
}

function take(engine, encoder, file) {
  for (let length; (length = checked(engine.call('encoder_next', encoder))) > 0;) {
    const bytes = engine.read(encoder, length)
    file.write([{ offset: engine.call('encoder_offset', encoder), bytes }])
  }
}

/** Refuses what bytes cannot be read of. */
export function checkBlob(blob) {
  if (typeof blob?.size === 'number' && typeof blob.slice === 'function') return
  throw new TypeError('A file must be a Blob or a File.')
}

/** Bytes of a file; fewer at its end. */
export async function read(blob, position, length) {
  const part = blob.slice(position, Math.min(position + length, blob.size))
  return new Uint8Array(await part.arrayBuffer())
}

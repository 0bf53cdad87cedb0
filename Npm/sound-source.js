import { AacornError } from './errors.js'
import { read } from './file-bytes.js'
import { containers } from './sound-reader.js'
import { channelMask, readLayout } from './speakers.js'

/** The number of bytes to read at a time: small enough to keep a page responsive, large enough for few reads. */
const pieceLength = 1 << 20
/** Samples per channel to decode at a time. */
const pieceFrames = 1 << 16

/** The samples of a WAV, AIFF or CAF file, or decoded samples in the form of a CAF file, with a parsed header. */
export class SoundSource {
  /** Opens a file and reads its header. */
  static async open(engine, blob) {
    const source = new SoundSource(engine, blob.size)
    try {
      for (;;) {
        const bytes = await read(blob, source.position, 1 << 16)
        if (source.#push(bytes) === 1) return source
      }
    } catch (error) {
      source.close()
      throw error
    }
  }

  /** Creates a source from the samples of a reader, in the form of a CAF file. */
  static ofDecoded(engine, reader) {
    const header = headerOf(reader)
    // If the length is unknown, a value that is length that is too small does no harm.
    const byteCount = 4 * reader.channels * (reader.frameCount ?? 1)
    const source = new SoundSource(engine, header.length + byteCount)
    try {
      if (source.#push(header) === 0) source.#push(new Uint8Array())
      return source
    } catch (error) {
      source.close()
      throw error
    }
  }

  constructor(engine, byteCount) {
    this.engine = engine
    this.handle = engine.create(this, 'source', byteCount)
  }

  /** Passes bytes at `position` to the module, or none at the end; returns 1 once the header is complete. */
  #push(bytes) {
    this.engine.write(this.handle, bytes)
    return this.engine.run('source_push', this.handle, bytes.length)
  }

  /** The offset of the next bytes to read; after the header, the offset of the first sample. */
  get position() {
    return this.engine.call('source_position', this.handle)
  }

  get container() {
    return containers[this.engine.call('source_container', this.handle)]
  }

  get sampleRate() {
    return this.engine.call('source_rate', this.handle)
  }

  get channels() {
    return this.engine.call('source_channels', this.handle)
  }

  get layout() {
    return readLayout(this.engine, 'source', this.handle)
  }

  /** Samples per channel. */
  get frameCount() {
    return this.engine.call('source_frames', this.handle)
  }

  /** Releases the memory. */
  close() {
    this.engine.close(this, this.handle)
    this.handle = 0
  }
}

/** Returns the header of a CAF file of unknown length. */
function headerOf({ sampleRate, channels, layout }) {
  const bytes = new Uint8Array(layout ? 92 : 68)
  const view = new DataView(bytes.buffer)
  let at = 0
  const put = (text) => {
    for (const letter of text) bytes[at++] = letter.charCodeAt(0)
  }
  const number = (value) => {
    view.setUint32(at, value)
    at += 4
  }
  put('caff\0\x01\0\0desc')
  number(0)
  number(32)
  view.setFloat64(at, sampleRate)
  at += 8
  put('lpcm')
  // Floating point, little-endian: bytes per packet, frames per packet, channels, bits.
  for (const value of [3, 4 * channels, 1, channels, 32]) number(value)
  if (layout) {
    put('chan')
    // The loudspeakers as a bitmap.
    for (const value of [0, 12, 1 << 16, channelMask(layout), 0]) number(value)
  }
  put('data')
  for (const value of [0xffffffff, 0xffffffff, 0]) number(value)
  return bytes
}

/** Yields the samples of a file as bytes, with the fraction of the file read up to each piece. */
export async function* storedPieces(source, blob) {
  const start = source.position
  const total = Math.max(1, blob.size - start)
  let position = start
  let coming = read(blob, position, pieceLength)
  for (;;) {
    const bytes = await coming
    if (bytes.length === 0) return
    position += bytes.length
    // Browsers read slowly: read the next piece while this one is encoded.
    coming = read(blob, position, pieceLength)
    coming.catch(() => {})
    yield { bytes, fraction: Math.min(1, (position - start) / total) }
  }
}

/** Yields decoded samples as bytes, with the fraction of the file and the concealed ranges of each piece. */
export async function* decodedPieces(reader) {
  const { sampleRate, channels } = reader
  for (let part; (part = await reader.read(pieceFrames));) {
    if (part.sampleRate !== sampleRate || part.channels.length !== channels) {
      throw new AacornError('conversion', 'The sound changes its rate or its channels.')
    }
    const { concealed } = part
    const count = part.channels[0].length
    const samples = new Float32Array(count * channels)
    for (const [channel, plane] of part.channels.entries()) {
      for (let frame = 0; frame < count; frame++) samples[frame * channels + channel] = plane[frame]
    }
    yield { bytes: new Uint8Array(samples.buffer), fraction: reader.fraction, concealed }
  }
}

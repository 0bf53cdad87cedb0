/** Puts the writes of a file encoder together in memory. */
export class FileAssembler {
  #pieces = []
  #length = 0

  /** Takes what an encoder returned. */
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

  /** Bytes so far. */
  get byteLength() {
    return this.#length
  }

  /** The file. */
  blob(type = 'audio/mp4') {
    return new Blob(this.#pieces.map(({ bytes }) => bytes), { type })
  }

  /** Replaces bytes that may lie in several pieces, and adds what goes beyond the end. */
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

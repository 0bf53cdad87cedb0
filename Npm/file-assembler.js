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

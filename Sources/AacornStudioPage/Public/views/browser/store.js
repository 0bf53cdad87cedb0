// Where the bytes of a recording are kept while it grows: in the browser's own file system, where
// they outlive a crash of the page, or else in memory. Both are used by the worker.

const folderName = 'microphone'
/** How a store in memory is cut. */
const pieceSize = 1 << 20

/** The folder of recordings in the origin's private file system, or null where there is none. */
export async function recordingsFolder({ create = false } = {}) {
  try {
    const root = await navigator.storage.getDirectory()
    return await root.getDirectoryHandle(folderName, { create })
  } catch {
    return null
  }
}

/** A file in the folder for writing in place, or a store in memory if there is no folder. */
export async function openStore(folder, name) {
  if (folder && globalThis.FileSystemFileHandle?.prototype.createSyncAccessHandle) {
    const file = await folder.getFileHandle(name, { create: true })
    const access = await file.createSyncAccessHandle()
    access.truncate(0)
    return new FileStore(file, access)
  }
  return new MemoryStore()
}

/** Gathers writes that follow each other, so that not every frame is a call of the file system. */
class GatheringStore {
  size = 0
  #pieces = []
  #gathered = 0
  #start = 0

  /** Puts bytes in their place; they may reach the file later. */
  write(offset, bytes) {
    if (!bytes.length) return
    if (offset !== this.#start + this.#gathered) {
      this.flush()
      this.#start = offset
    }
    this.#pieces.push(bytes)
    this.#gathered += bytes.length
    this.size = Math.max(this.size, offset + bytes.length)
    if (this.#gathered >= 1 << 16) this.flush()
  }

  /** Puts what was gathered into the file. */
  flush() {
    if (this.#gathered) {
      const whole = new Uint8Array(this.#gathered)
      let at = 0
      for (const piece of this.#pieces) {
        whole.set(piece, at)
        at += piece.length
      }
      this.put(this.#start, whole)
    }
    this.#start += this.#gathered
    this.#pieces = []
    this.#gathered = 0
  }
}

/** A file in the browser's file system. */
class FileStore extends GatheringStore {
  isLasting = true

  constructor(file, access) {
    super()
    this.file = file
    this.access = access
  }

  put(offset, bytes) {
    for (let done = 0; done < bytes.length;) {
      const written = this.access.write(bytes.subarray(done), { at: offset + done })
      if (!written) throw new Error('There is no space left.')
      done += written
    }
  }

  /** Bytes from `offset` on, at most `length`. */
  read(offset, length) {
    this.flush()
    const bytes = new Uint8Array(Math.max(0, Math.min(length, this.size - offset)))
    this.access.read(bytes, { at: offset })
    return bytes
  }

  /** Has the disk keep what was written; a crash of the page alone does not need it. */
  sync() {
    this.flush()
    this.access.flush()
  }

  /** Ends the writing and returns the file. */
  async close() {
    try {
      this.sync()
    } finally {
      this.access.close()
    }
    return this.file.getFile()
  }

  /** Ends the writing after a failure; what still finds room is kept. */
  release() {
    try {
      this.flush()
    } catch {
      // What the file has so far stays.
    }
    this.access.close()
  }
}

/** Pieces of a mebibyte in memory. */
class MemoryStore extends GatheringStore {
  isLasting = false
  #pieces = []

  put(offset, bytes) {
    for (let done = 0; done < bytes.length;) {
      const at = offset + done
      const inside = at % pieceSize
      const now = Math.min(bytes.length - done, pieceSize - inside)
      const index = Math.floor(at / pieceSize)
      while (this.#pieces.length <= index) this.#pieces.push(new Uint8Array(pieceSize))
      this.#pieces[index].set(bytes.subarray(done, done + now), inside)
      done += now
    }
  }

  read(offset, length) {
    this.flush()
    const bytes = new Uint8Array(Math.max(0, Math.min(length, this.size - offset)))
    for (let done = 0; done < bytes.length;) {
      const inside = (offset + done) % pieceSize
      const piece = this.#pieces[Math.floor((offset + done) / pieceSize)]
      const part = piece.subarray(inside, inside + bytes.length - done)
      bytes.set(part, done)
      done += part.length
    }
    return bytes
  }

  sync() { this.flush() }

  async close() {
    this.flush()
    const rest = this.size % pieceSize
    const pieces = this.#pieces.map((piece, index) =>
      (rest && index === this.#pieces.length - 1 ? piece.subarray(0, rest) : piece))
    return new Blob(pieces)
  }

  release() { this.#pieces = [] }
}

/** What went wrong, in words; storage tells it by the name of the error only. */
export function sentence(error) {
  if (error?.name === 'QuotaExceededError') {
    return 'There is no space left for this page. Remove recordings from this browser, '
      + 'or free disk space.'
  }
  return error?.message ?? String(error)
}

// The storage for a growing recording: in the browser's own file system, where it survives a crash of the page,
// or else in memory. Both are used by the worker.

const folderName = 'microphone'
/** The size of a piece of a store in memory, in bytes. */
const pieceSize = 1 << 20

/** Returns the folder of recordings in the origin's private file system, or null if there is none. */
export async function recordingsFolder({ create = false } = {}) {
  try {
    const root = await navigator.storage.getDirectory()
    return await root.getDirectoryHandle(folderName, { create })
  } catch {
    return null
  }
}

/** Opens a file in the folder for writing in place, or a store in memory without a folder. */
export async function openStore(folder, name) {
  if (folder && globalThis.FileSystemFileHandle?.prototype.createSyncAccessHandle) {
    const file = await folder.getFileHandle(name, { create: true })
    const access = await file.createSyncAccessHandle()
    access.truncate(0)
    return new FileStore(file, access)
  }
  return new MemoryStore()
}

/**
 * A store that combines consecutive writes, to avoid a call of the file system for every frame. A subclass
 * implements `put(offset, bytes)` and `get(offset, bytes)`.
 */
class GatheringStore {
  size = 0
  #pieces = []
  #gathered = 0
  #start = 0

  /** Writes bytes at an offset; they may reach the file later. */
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

  /** Writes the collected bytes to the file. */
  flush() {
    if (this.#gathered) this.put(this.#start, joined(this.#pieces))
    this.#start += this.#gathered
    this.#pieces = []
    this.#gathered = 0
  }

  /** Reads at most `length` bytes at `offset`. */
  read(offset, length) {
    this.flush()
    const bytes = new Uint8Array(Math.max(0, Math.min(length, this.size - offset)))
    this.get(offset, bytes)
    return bytes
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

  get(offset, bytes) { this.access.read(bytes, { at: offset }) }

  /** Flushes the written data to disk, which is needed only for a crash of the machine. */
  sync() {
    this.flush()
    this.access.flush()
  }

  /** Closes the store and returns the file. */
  async close() {
    try {
      this.sync()
    } finally {
      this.access.close()
    }
    return this.file.getFile()
  }

  /** Closes the store after a failure; writes as much of the collected data as fits. */
  release() {
    try {
      this.flush()
    } catch {
      // The data written before stays in the file.
    }
    this.access.close()
  }
}

/** A store in memory, in pieces of a mebibyte. */
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

  get(offset, bytes) {
    for (let done = 0; done < bytes.length;) {
      const inside = (offset + done) % pieceSize
      const piece = this.#pieces[Math.floor((offset + done) / pieceSize)]
      const part = piece.subarray(inside, inside + bytes.length - done)
      bytes.set(part, done)
      done += part.length
    }
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

/** Returns the message for an error. Storage errors have only a name. */
export function messageOf(error) {
  if (error?.name === 'QuotaExceededError') {
    return 'There is no space left for this page. Remove recordings from this browser, '
      + 'or free disk space.'
  }
  return error?.message ?? String(error)
}

export function joined(parts) {
  if (parts.length === 1) return parts[0]
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** Returns a file unchanged, or bytes as a Blob. */
export function asBlob(file) {
  if (file instanceof ArrayBuffer || ArrayBuffer.isView(file)) return new Blob([file])
  if (typeof file?.size === 'number' && typeof file.slice === 'function') return file
  throw new TypeError('A file must be a Blob, a File or its bytes.')
}

/** Reads bytes of a file; fewer at its end. */
export async function read(blob, position, length) {
  const part = blob.slice(position, Math.min(position + length, blob.size))
  return new Uint8Array(await part.arrayBuffer())
}

/** Reads the tags and chapters of an audio file other than MP4, in the form of an encoder's `inputTags`. */
export async function readTags(engine, blob, keepsLoudness = true) {
  const handle = engine.run('tags_create', blob.size)
  try {
    while (engine.run('tags_step', handle) === 1) {
      const offset = engine.call('tags_offset', handle)
      const bytes = await read(blob, offset, engine.call('tags_wanted', handle))
      engine.write(handle, bytes)
      engine.run('tags_supply', handle, bytes.length)
    }
    return engine.read(handle, engine.run('tags_items', handle, keepsLoudness ? 1 : 0))
  } finally {
    engine.call('close', handle)
  }
}

/** Returns an entry of an item list with a cover picture. */
export function coverItem(picture) {
  const bytes = new Uint8Array(24 + picture.length)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, bytes.length)
  view.setUint32(8, bytes.length - 8)
  for (const [index, letter] of [...'covr'].entries()) bytes[4 + index] = letter.charCodeAt(0)
  for (const [index, letter] of [...'data'].entries()) bytes[12 + index] = letter.charCodeAt(0)
  bytes.set(picture, 24)
  return bytes
}

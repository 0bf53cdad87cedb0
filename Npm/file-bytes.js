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

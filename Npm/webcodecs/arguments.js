// The checks of argument types that browsers perform before a native method is called.

/** Returns a required member of a dictionary; throws if it is missing. */
export function required(dictionary, name) {
  const value = asDictionary(dictionary)[name]
  if (value === undefined) throw new TypeError(`“${name}” is missing.`)
  return value
}

/** Returns an object with members; null and undefined become an empty object. */
export function asDictionary(value) {
  if (value === undefined || value === null) return {}
  if (typeof value !== 'object' && typeof value !== 'function') {
    throw new TypeError('Options must be an object.')
  }
  return value
}

/** Converts a value to an integer within bounds; the fraction is truncated. */
export function integer(value, name, least = 0, most = 2 ** 32 - 1) {
  const number = Math.trunc(Number(value)) + 0
  if (!(number >= least && number <= most)) {
    throw new TypeError(`“${name}” must be a number from ${least} to ${most}.`)
  }
  return number
}

/** Converts a value to a number of microseconds, which may be negative. */
export function time(value, name) {
  return integer(value, name, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
}

/** Returns a value that must be one of `words`. */
export function oneOf(words, value, name) {
  if (words.includes(value)) return value
  throw new TypeError(`“${name}” must be one of ${words.join(', ')}.`)
}

/** Returns the bytes of a buffer or of a view of one, without a copy. */
export function bytesOf(source, name) {
  if (ArrayBuffer.isView(source)) {
    if (isDetached(source.buffer)) throw new TypeError(`The buffer of “${name}” is detached.`)
    return new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
  }
  if (!isBuffer(source)) throw new TypeError(`“${name}” must be a buffer or a view of one.`)
  if (isDetached(source)) throw new TypeError(`The buffer “${name}” is detached.`)
  return new Uint8Array(source)
}

/** Detaches buffers from the caller, after their contents were copied. */
export function detach(buffers = []) {
  const list = [...buffers]
  if (new Set(list).size < list.length || list.some((buffer) => isDetached(buffer))) {
    throw new DOMException('A buffer cannot be transferred twice.', 'DataCloneError')
  }
  structuredClone(null, { transfer: list })
}

function isBuffer(value) {
  return value instanceof ArrayBuffer ||
    typeof SharedArrayBuffer !== 'undefined' && value instanceof SharedArrayBuffer
}

/** Whether a buffer was transferred. Engines before 2024 lack the property, but throw for a view of the buffer. */
function isDetached(buffer) {
  if (typeof buffer.detached === 'boolean') return buffer.detached
  try {
    new Uint8Array(buffer)
    return false
  } catch {
    return true
  }
}

// Decoding by the browser, for files that our own reader does not support.

/** The queue of files: decoding needs memory for a whole file, so only one file is decoded at a time. */
let queue = Promise.resolve()

/**
 * Decodes a file of a certain `kind`, at the audio's own rate. `readerError` is the error message of our reader;
 * `begin` is called when decoding starts. Throws an error with a human-readable message.
 */
export async function decode(file, kind, readerError, begin) {
  const before = queue
  let release
  queue = new Promise(resolve => { release = resolve })
  await before
  try {
    begin()
    const bytes = await readable(file.arrayBuffer(), file)
    return await new OfflineAudioContext(1, 1, kind.sampleRate).decodeAudioData(bytes)
      .catch(() => { throw new Error(undecodable(file, kind.format, readerError)) })
  } finally {
    release()
  }
}

let unevenness = null

/**
 * Returns whether this browser scales 16-bit samples above zero slightly more than samples below, so that
 * 32767 becomes 1. Undoing that restores the exact samples of a lossless file.
 */
export function isUneven() {
  unevenness ??= probe().catch(() => false)
  return unevenness
}

/** Decodes a WAV file with a single sample, 16384, which becomes 0.5 or slightly more. */
async function probe() {
  const view = new DataView(new ArrayBuffer(46))
  const text = (at, word) => [...word].forEach((letter, index) =>
    view.setUint8(at + index, letter.charCodeAt(0)))
  text(0, 'RIFF')
  view.setUint32(4, 38, true)
  text(8, 'WAVEfmt ')
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, 1, true)
  view.setUint32(24, 48_000, true)
  view.setUint32(28, 96_000, true)
  view.setUint16(32, 2, true)
  view.setUint16(34, 16, true)
  text(36, 'data')
  view.setUint32(40, 2, true)
  view.setInt16(44, 16_384, true)
  const sound = await new OfflineAudioContext(1, 1, 48_000).decodeAudioData(view.buffer)
  return sound.getChannelData(0)[0] > 0.5
}

function undecodable(file, format, readerError) {
  const guess = format ? `it looks like ${format}` : 'its format is unknown'
  const tried = readerError ? `${readerError} This browser cannot decode it either.`
    : `This browser cannot decode it (${guess}).`
  return `“${file.name}” cannot be converted. ${tried} Try another browser, or convert it to WAV `
    + 'with another program.'
}

/** Awaits a read of a file; an error has a human-readable message. */
export async function readable(promise, file) {
  try {
    return await promise
  } catch {
    throw new Error(`“${file.name}” cannot be read. It may have been moved or changed since it was `
      + 'chosen, or be too large for this browser. Choose it again.')
  }
}

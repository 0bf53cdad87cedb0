// Files that our own reader does not take, decoded by the browser.

/** Decoding takes the memory of a whole file, so one file is decoded at a time. */
let turn = Promise.resolve()

/**
 * Decodes a file that is of such a `kind`, at the rate of its own sound. `refusal` is what our own
 * reader said; `begin` is called when it is this file's turn. A failure is a sentence.
 */
export async function decode(file, kind, refusal, begin) {
  const before = turn
  let release
  turn = new Promise(resolve => { release = resolve })
  await before
  try {
    begin()
    const bytes = await readable(file.arrayBuffer(), file)
    return await new OfflineAudioContext(1, 1, kind.sampleRate).decodeAudioData(bytes)
      .catch(() => { throw new Error(undecodable(file, kind.format, refusal)) })
  } finally {
    release()
  }
}

let unevenness = null

/**
 * Whether this browser stretches 16-bit samples above zero a little more than those below, so that
 * 32767 becomes 1. With that undone, a file without loss gives the samples that went into it.
 */
export function isUneven() {
  unevenness ??= probe().catch(() => false)
  return unevenness
}

/** Decodes a WAV file of one sample, 16384: a half, or a little more. */
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

function undecodable(file, format, refusal) {
  const looks = format ? `it looks like ${format}` : 'its format is unknown'
  const tried = refusal ? `${refusal} This browser cannot decode it either.`
    : `This browser cannot decode it (${looks}).`
  return `“${file.name}” cannot be converted. ${tried} Try another browser, or convert it to WAV `
    + 'with another program.'
}

/** What is read of a file; a failure is a sentence. */
export async function readable(promise, file) {
  try {
    return await promise
  } catch {
    throw new Error(`“${file.name}” cannot be read. It may have been moved or changed since it was `
      + 'chosen, or be too large for this browser. Choose it again.')
  }
}

// ADTS frames: a header of seven or nine bytes, and a unit.

/** Prepends a header to a unit of a stream with this AudioSpecificConfig. */
export function adtsFrame(audioSpecificConfig, unit) {
  const [first, second] = audioSpecificConfig
  // Five bits of object type, four of rate, four of channels. An ADTS header does not signal SBR.
  const objectType = first >> 3
  const rateIndex = (first & 7) << 1 | second >> 7
  const channels = second >> 3 & 15
  const frame = new Uint8Array(7 + unit.length)
  frame.set([
    0xff, 0xf1,
    objectType - 1 << 6 | rateIndex << 2 | channels >> 2,
    (channels & 3) << 6 | frame.length >> 11,
    frame.length >> 3 & 255,
    // The buffer fullness is unspecified (all ones), as for a variable rate.
    (frame.length & 7) << 5 | 0x1f, 0xfc,
  ])
  frame.set(unit, 7)
  return frame
}

/** Whether bytes begin with the syncword of an ADTS header. */
export function isADTS(bytes) {
  return bytes.length >= 7 && bytes[0] === 0xff && (bytes[1] & 0xf6) === 0xf0
}

/**
 * Parses a frame into its unit, the AudioSpecificConfig equivalent to its header, and the bytes after the
 * frame. Returns null if the bytes are not a complete frame.
 */
export function readADTS(bytes) {
  if (!isADTS(bytes)) return null
  const headerLength = bytes[1] & 1 ? 7 : 9
  const length = (bytes[3] & 3) << 11 | bytes[4] << 3 | bytes[5] >> 5
  // Frames with several raw data blocks do not occur in practice.
  if (length < headerLength || length > bytes.length || bytes[6] & 3) return null
  const objectType = (bytes[2] >> 6) + 1
  const rateIndex = bytes[2] >> 2 & 15
  const channels = (bytes[2] & 1) << 2 | bytes[3] >> 6
  return {
    audioSpecificConfig: Uint8Array.of(
      objectType << 3 | rateIndex >> 1, (rateIndex & 1) << 7 | channels << 3),
    unit: bytes.subarray(headerLength, length),
    rest: bytes.subarray(length),
  }
}

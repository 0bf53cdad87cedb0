// The header of a WAV file with 32-bit floating-point samples.

/** The number of bytes before the first sample. */
export const waveHeaderSize = 94

/**
 * Returns a header for `byteCount` bytes of samples. Beyond 4 GiB it becomes RF64 (EBU Tech 3306). The 64-bit
 * sizes then replace the “JUNK” chunk, so that the samples never have to move.
 */
export function waveHeader({ sampleRate, channels, byteCount }) {
  const bytes = new Uint8Array(waveHeaderSize)
  const view = new DataView(bytes.buffer)
  let at = 0
  const text = word => { for (const letter of word) bytes[at++] = letter.charCodeAt(0) }
  const u16 = value => { view.setUint16(at, value, true); at += 2 }
  const u32 = value => { view.setUint32(at, Math.min(value, 0xffffffff), true); at += 4 }
  const u64 = value => { view.setBigUint64(at, BigInt(value), true); at += 8 }
  const whole = byteCount + waveHeaderSize - 8
  const isLong = whole > 0xffffffff
  const frameCount = byteCount / (4 * channels)

  text(isLong ? 'RF64' : 'RIFF'); u32(isLong ? 0xffffffff : whole); text('WAVE')
  text(isLong ? 'ds64' : 'JUNK'); u32(28)
  if (isLong) {
    u64(whole); u64(byteCount); u64(Math.floor(frameCount))
  }
  at = 12 + 8 + 28
  // Format 3, IEEE floating point, requires the length of an extension and a “fact” chunk.
  text('fmt '); u32(18); u16(3); u16(channels); u32(sampleRate)
  u32(sampleRate * channels * 4); u16(channels * 4); u16(32); u16(0)
  text('fact'); u32(4); u32(isLong ? 0xffffffff : frameCount)
  text('data'); u32(isLong ? 0xffffffff : byteCount)
  return bytes
}

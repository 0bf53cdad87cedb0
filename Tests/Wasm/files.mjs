// Sample files for tests: several kinds of WAV, AIFF and CAF.

/** Returns interleaved samples from −1 to 1 as bytes of a format such as s16le, s24le or f32be. */
export function bytesOf(samples, format) {
  const [, kind, digits, order] = /^([suf])(\d+)(le|be)?$/.exec(format)
  const bits = Number(digits)
  const isLittle = order !== 'be'
  const view = new DataView(new ArrayBuffer(samples.length * bits / 8))
  for (const [index, sample] of samples.entries()) {
    const at = index * bits / 8
    if (kind === 'f') {
      if (bits === 32) view.setFloat32(at, sample, isLittle)
      else view.setFloat64(at, sample, isLittle)
      continue
    }
    // The factor 0.999 makes samples that 16 bits cannot represent, so that the low bits are used.
    const scale = 2 ** (bits - 1)
    let value = Math.max(-scale, Math.min(scale - 1, Math.round(sample * scale * 0.999)))
    if (kind === 'u') value += scale
    for (let byte = 0; byte < bits / 8; byte++) {
      const shift = isLittle ? byte : bits / 8 - 1 - byte
      view.setUint8(at + byte, Math.floor(value / 256 ** shift) & 255)
    }
  }
  return new Uint8Array(view.buffer)
}

/** Returns a WAV file; `mask` specifies the loudspeakers, and `chunks` precede the samples. */
export function wav(samples, { rate, channels, format = 's16le', mask, chunks = [], length }) {
  const data = bytesOf(samples, format)
  const bits = Number(/\d+/.exec(format)[0])
  const isFloat = format.startsWith('f')
  const head = Buffer.alloc(mask === undefined ? 16 : 40)
  head.writeUInt16LE(mask === undefined ? (isFloat ? 3 : 1) : 0xfffe, 0)
  head.writeUInt16LE(channels, 2)
  head.writeUInt32LE(rate, 4)
  head.writeUInt32LE(rate * channels * bits / 8, 8)
  head.writeUInt16LE(channels * bits / 8, 12)
  head.writeUInt16LE(bits, 14)
  if (mask !== undefined) {
    head.writeUInt16LE(22, 16)
    head.writeUInt16LE(bits, 18)
    head.writeUInt32LE(mask, 20)
    head.writeUInt16LE(isFloat ? 3 : 1, 24)
    Buffer.from('000000001000800000aa00389b71', 'hex').copy(head, 26)
  }
  const parts = [chunk('fmt ', head), ...chunks.map(([id, bytes]) => chunk(id, bytes)),
    chunk('data', data, length)]
  const body = Buffer.concat([Buffer.from('WAVE'), ...parts])
  return chunk('RIFF', body)
}

function chunk(id, bytes, length = bytes.length) {
  const head = Buffer.alloc(8)
  head.write(id, 'latin1')
  head.writeUInt32LE(length >>> 0, 4)
  return Buffer.concat([head, bytes, Buffer.alloc(bytes.length & 1)])
}

/** Returns an AIFF file of 16 or 24 bits. */
export function aiff(samples, { rate, channels, format = 's16be' }) {
  const data = bytesOf(samples, format)
  const bits = Number(/\d+/.exec(format)[0])
  const common = Buffer.alloc(18)
  common.writeUInt16BE(channels, 0)
  common.writeUInt32BE(samples.length / channels, 2)
  common.writeUInt16BE(bits, 6)
  // The rate in 80 bits: an exponent, and a mantissa with an explicit first bit.
  const exponent = Math.floor(Math.log2(rate))
  common.writeUInt16BE(16383 + exponent, 8)
  common.writeBigUInt64BE(BigInt(rate) << BigInt(63 - exponent), 10)
  const sound = Buffer.concat([Buffer.alloc(8), data])
  const swap = (part) => {
    part.writeUInt32BE(part.readUInt32LE(4), 4)
    return part
  }
  const body = Buffer.concat([Buffer.from('AIFF'), swap(chunk('COMM', common)),
    swap(chunk('SSND', sound))])
  return swap(chunk('FORM', body))
}

/** Returns a CAF file of little-endian samples with an unknown length, as recorders write it. */
export function caf(samples, { rate, channels, format = 'f32le' }) {
  const data = bytesOf(samples, format)
  const bits = Number(/\d+/.exec(format)[0])
  const description = Buffer.alloc(32)
  description.writeDoubleBE(rate, 0)
  description.write('lpcm', 8)
  description.writeUInt32BE((format.startsWith('f') ? 1 : 0) | 2, 12)
  description.writeUInt32BE(channels * bits / 8, 16)
  description.writeUInt32BE(1, 20)
  description.writeUInt32BE(channels, 24)
  description.writeUInt32BE(bits, 28)
  const header = (id, length) => {
    const head = Buffer.alloc(12)
    head.write(id)
    head.writeBigInt64BE(BigInt(length), 4)
    return head
  }
  return Buffer.concat([Buffer.from('caff\x00\x01\x00\x00', 'latin1'), header('desc', 32),
    description, header('data', -1), Buffer.alloc(4), data])
}

/** Returns an ID3 tag with a chapter of 100 ms for each title. */
export function chapterTag(titles) {
  const frame = (id, content) => {
    const bytes = Buffer.concat([Buffer.from(id), Buffer.alloc(6), content])
    bytes.writeUInt32BE(content.length, 4)
    return bytes
  }
  const content = Buffer.concat(titles.map((title, index) => {
    const times = Buffer.alloc(16, 0xff)
    times.writeUInt32BE(index * 100, 0)
    times.writeUInt32BE(index * 100 + 100, 4)
    return frame('CHAP', Buffer.concat([
      Buffer.from(`c${index}\0`), times, frame('TIT2', Buffer.from(`\x03${title}`))]))
  }))
  const header = Buffer.from('ID3\x03\0\0\0\0\0\0', 'latin1')
  for (let byte = 0; byte < 4; byte++) header[9 - byte] = content.length >> 7 * byte & 0x7f
  return Buffer.concat([header, content])
}

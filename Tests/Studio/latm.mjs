// LATM streams for tests, converted from streams with ADTS headers.

/** A writer of bits, the highest bit of a number first. */
class Bits {
  bytes = []
  count = 0

  put(value, width) {
    for (let bit = width - 1; bit >= 0; bit--) {
      if (this.count % 8 === 0) this.bytes.push(0)
      this.bytes[this.bytes.length - 1] |= (value >> bit & 1) << 7 - this.count % 8
      this.count++
    }
  }
}

/** The access units of a stream with ADTS headers of 7 bytes, and their configuration. */
function unitsOf(adts, objectType) {
  const rateIndex = adts[2] >> 2 & 15
  const channels = (adts[2] & 1) << 2 | adts[3] >> 6
  const units = []
  for (let offset = 0; offset < adts.length;) {
    const length = (adts[offset + 3] & 3) << 11 | adts[offset + 4] << 3 | adts[offset + 5] >> 5
    units.push(adts.subarray(offset + 7, offset + length))
    offset += length
  }
  return { units, configuration: objectType << 11 | rateIndex << 7 | channels << 3 }
}

/**
 * Returns an AudioMuxElement (ISO/IEC 14496-3, 1.7.3); without a configuration it repeats the previous one.
 */
function muxElement(unit, configuration) {
  const bits = new Bits()
  bits.put(configuration === null ? 1 : 0, 1)
  if (configuration !== null) {
    // One program with one layer, with frames of any length, no other data and no checksum.
    bits.put(0, 1)
    bits.put(1, 1)
    bits.put(0, 6 + 4 + 3)
    bits.put(configuration, 16)
    bits.put(0, 3)
    bits.put(0xff, 8)
    bits.put(0, 2)
  }
  for (let rest = unit.length; rest >= 0; rest -= 255) bits.put(Math.min(255, rest), 8)
  for (const byte of unit) bits.put(byte, 8)
  return bits.bytes
}

/**
 * Returns LATM in LOAS frames. Every `stride`-th frame contains the configuration: AAC-LC, or the given
 * object type.
 */
export function latm(adts, stride, objectType = 2) {
  const { units, configuration } = unitsOf(adts, objectType)
  return Buffer.concat(units.map((unit, index) => {
    const element = muxElement(unit, index % stride === 0 ? configuration : null)
    const length = element.length
    return Buffer.from([0x56, 0xe0 | length >> 8, length & 255, ...element])
  }))
}

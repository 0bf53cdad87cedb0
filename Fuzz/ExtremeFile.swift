/// Makes well-formed files whose numbers are extreme; the bytes of an input make all choices.
///
/// Boxes, packets and chunks have valid names and sizes, so that readers get to the numbers in them. Real
/// frames of AAC let them get further than the tables.
struct ExtremeFile {
  var input: FuzzInput
  /// Frames of AAC-LC at 44.1 kHz in stereo.
  let frames: [[UInt8]]
  /// One number of this many is extreme.
  private var rarity = 1

  init(_ bytes: [UInt8], frames: [[UInt8]]) {
    input = FuzzInput(bytes)
    self.frames = frames
  }

  /// The file.
  mutating func make() -> [UInt8] {
    rarity = [3, 10, 30, 100][input.choice(4)]
    return switch input.choice(12) {
    case 0, 1, 2, 3: movie()
    case 4, 5, 6: fragments()
    case 7: transportStream()
    case 8: latm()
    case 9: wav()
    case 10: aiff()
    default: caf()
    }
  }

  // MARK: Numbers

  /// A number at the limit of some type, or near one.
  mutating func extreme() -> UInt64 {
    let limits: [UInt64] = [
      0, 1, 2, 0x7FFF, 0xFFFF, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFE, 0xFFFF_FFFF, 1 << 32,
      0xFFFF_FFFF_FFFF, 1 << 60, 1 << 62, 0x7FFF_FFFF_FFFF_FFFF, 1 << 63, 0xF000_0000_0000_0000,
      .max - 8, .max - 1, .max,
    ]
    switch input.choice(24) {
    case 19: return UInt64(input.byte())
    case 20: return UInt64(input.word())
    case 21: return UInt64(input.word()) << 32 | UInt64(input.word())
    case 22: return 1 << UInt64(input.choice(64))
    case 23: return (1 << UInt64(input.choice(64))) - 1
    case let index: return limits[index]
    }
  }

  /// Mostly a plausible number, else an extreme one.
  mutating func number(_ plausible: Int) -> UInt64 {
    input.choice(rarity) == 0 ? extreme() : UInt64(plausible)
  }

  mutating func number32(_ plausible: Int) -> [UInt8] {
    big(number(plausible), 4)
  }

  func big(_ value: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * (count - 1 - $0))) }
  }

  private func little(_ value: UInt64, _ count: Int) -> [UInt8] { big(value, count).reversed() }

  // MARK: Streams

  /// A frame with an ADTS header.
  private func adts(_ frame: [UInt8]) -> [UInt8] {
    let length = UInt64(frame.count + 7)
    let header = 0xFFF1_5080_001F_FC | length << 13
    return big(header, 7) + frame
  }

  private mutating func transportStream() -> [UInt8] {
    var file: [UInt8] = []
    func section(_ content: [UInt8]) -> [UInt8] {
      var register: UInt32 = .max
      for byte in content {
        register ^= UInt32(byte) << 24
        for _ in 0..<8 { register = register << 1 ^ (register >> 31 != 0 ? 0x04C1_1DB7 : 0) }
      }
      return [0] + content + big(UInt64(register), 4)
    }
    func packet(
      _ identifier: Int, _ number: Int, starts: Bool, _ field: [UInt8], _ payload: [UInt8]
    ) -> [UInt8] {
      let room = 184 - payload.count
      var adaptation: [UInt8] = []
      if room > 0 {
        adaptation = [UInt8(room - 1)] + field.prefix(room - 1)
        adaptation += [UInt8](repeating: 0xFF, count: room - adaptation.count)
      }
      let flags = UInt8(number & 15) | (room > 0 ? 0x30 : 0x10)
      return [0x47] + big(UInt64(identifier) | (starts ? 0x4000 : 0), 2) + [flags] + adaptation
        + payload
    }
    let association = section([0, 0xB0, 13, 0, 1, 0xC1, 0, 0, 0, 1, 0xE1, 0])
    let map = section([2, 0xB0, 18, 0, 1, 0xC1, 0, 0, 0xE1, 1, 0xF0, 0, 0x0F, 0xE1, 1, 0xF0, 0])
    file += packet(0, 0, starts: true, [0], association)
    file += packet(0x100, 0, starts: true, [0], map)
    var continuity = 0
    for _ in 0..<2 + input.choice(12) {
      // The adaptation field contains a clock reference, and the PES header a timestamp.
      let clock = [0x10] + big(number(0), 6)
      let sound = (0..<1 + input.choice(4)).flatMap { adts(frames[$0 % frames.count]) }
      let header: [UInt8] =
        [0, 0, 1, 0xC0] + big(number(sound.count + 8), 2) + [0x80, 0x80]
        + [UInt8(truncatingIfNeeded: number(5))] + big(number(90_000), 5)
      let bytes = header + sound
      for start in stride(from: 0, to: bytes.count, by: 170) {
        let part = Array(bytes[start..<min(bytes.count, start + 170)])
        file += packet(0x101, continuity, starts: start == 0, clock, part)
        continuity += input.choice(16) == 0 ? input.choice(16) : 1
      }
    }
    return file
  }

  private mutating func latm() -> [UInt8] {
    var file: [UInt8] = []
    for _ in 0..<2 + input.choice(8) {
      var bits: [Bool] = []
      func put(_ value: UInt64, _ count: Int) {
        for index in (0..<count).reversed() { bits.append(value >> UInt64(index) & 1 != 0) }
      }
      /// Writes a number after its length in bytes.
      func putValue(_ plausible: Int) {
        let count = input.choice(4)
        put(UInt64(count), 2)
        put(number(plausible), 8 * (count + 1))
      }
      let frame = frames[input.choice(frames.count)]
      put(0, 1)
      let isLater = input.choice(3) == 0
      put(isLater ? 1 : 0, 1)
      if isLater { put(0, 1) }
      if isLater { putValue(0) }
      // allStreamsSameTimeFraming, numSubFrames, then numProgram and numLayer.
      put(1, 1)
      put(input.choice(8) == 0 ? extreme() & 63 : 0, 6)
      put(0, 7)
      if isLater { putValue(16) }
      // The AudioSpecificConfig of AAC-LC at 44.1 kHz in stereo, frameLengthType 0 (any length),
      // latmBufferFullness.
      put(0x1210, 16)
      put(0, 3)
      put(number(0xFF) & 0xFF, 8)
      let hasOther = input.choice(3) == 0
      put(hasOther ? 1 : 0, 1)
      if hasOther {
        if isLater {
          putValue(8)
        } else {
          put(1, 1)
          put(number(0) & 0xFF, 8)
          put(0, 1)
          put(number(8) & 0xFF, 8)
        }
      }
      put(0, 1)
      let length = input.choice(6) == 0 ? Int(extreme() & 0xFFF) : frame.count
      for _ in 0..<length / 255 { put(255, 8) }
      put(UInt64(length % 255), 8)
      for byte in frame { put(UInt64(byte), 8) }
      while bits.count % 8 != 0 { bits.append(false) }
      let payload = stride(from: 0, to: bits.count, by: 8).map { start in
        bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
      }
      file += big(0x56E000 | UInt64(payload.count & 0x1FFF), 3) + payload
    }
    return file
  }

  // MARK: Samples

  private var samples: [UInt8] { (0..<400).map { UInt8(truncatingIfNeeded: $0 &* 37) } }

  private mutating func wav() -> [UInt8] {
    let isLong = input.choice(3) == 0
    let format =
      little(number(1), 2) + little(number(2), 2) + little(number(44_100), 4)
      + little(number(176_400), 4) + little(number(4), 2) + little(number(16), 2)
    var file = Array((isLong ? "RF64" : "RIFF").utf8) + little(isLong ? .max : number(444), 4)
    file += Array("WAVE".utf8)
    if isLong {
      file += Array("ds64".utf8) + little(28, 4) + little(number(480), 8) + little(number(400), 8)
      file += little(number(100), 8) + little(0, 4)
    }
    file += Array("fmt ".utf8) + little(16, 4) + format
    if input.choice(4) == 0 {
      file += Array("fact".utf8) + little(number(4), 4) + little(number(100), 4)
    }
    return file + Array("data".utf8) + little(isLong ? 0xFFFF_FFFF : number(400), 4) + samples
  }

  private mutating func aiff() -> [UInt8] {
    let isCompressed = input.flag()
    var common = big(number(2), 2) + number32(100) + big(number(16), 2)
    // The sample rate as an 80-bit float: 44.1 kHz, or extreme bytes.
    common +=
      input.choice(4) == 0
      ? big(extreme(), 2) + big(extreme(), 8) : [0x40, 0x0E] + big(0xAC44_0000_0000_0000, 8)
    let types = ["NONE", "sowt", "fl32", "fl64", "ulaw", "raw ", "in24"]
    if isCompressed { common += Array(types[input.choice(types.count)].utf8) + [0, 0] }
    var file = Array("FORM".utf8) + number32(450) + Array((isCompressed ? "AIFC" : "AIFF").utf8)
    file += Array("COMM".utf8) + big(UInt64(common.count), 4) + common
    if input.choice(4) == 0 {
      file += Array("CHAN".utf8) + big(12, 4) + number32(0x65_0002) + number32(0) + number32(0)
    }
    return file + Array("SSND".utf8) + number32(408) + number32(0) + number32(0) + samples
  }

  private mutating func caf() -> [UInt8] {
    let rates = [44_100, 0.5, 4_294_967_295.5, -1, 1e300, .infinity, .nan, .leastNonzeroMagnitude]
    let rate = input.choice(4) == 0 ? rates[input.choice(rates.count)] : rates[0]
    var file = Array("caff".utf8) + big(0x1_0000, 4)
    file += Array("desc".utf8) + big(32, 8) + big(rate.bitPattern, 8) + Array("lpcm".utf8)
    file += number32(2) + number32(4) + number32(1) + number32(2) + number32(16)
    if input.choice(3) == 0 {
      file += Array("chan".utf8) + big(12, 8) + number32(0x65_0002) + number32(0) + number32(0)
    }
    if input.choice(3) == 0 { file += Array("free".utf8) + big(number(4), 8) + big(0, 4) }
    return file + Array("data".utf8) + big(number(404), 8) + big(0, 4) + samples
  }
}

// Files of MP4 with tables or fragments.
extension ExtremeFile {
  private func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
    big(UInt64(content.count + 8), 4) + Array(name.utf8) + content
  }

  private func full(
    _ name: String, version: UInt8 = 0, flags: UInt64 = 0, _ content: [UInt8]
  ) -> [UInt8] {
    box(name, [version] + big(flags, 3) + content)
  }

  /// A number that takes four bytes in version 0 and eight in version 1.
  private mutating func sized(_ plausible: Int, _ version: UInt8) -> [UInt8] {
    big(number(plausible), version == 1 ? 8 : 4)
  }

  private mutating func version() -> UInt8 { input.choice(3) == 0 ? 1 : 0 }

  /// The frames to put into a file, and their bytes.
  private mutating func content() -> (sizes: [Int], bytes: [UInt8]) {
    let count = input.choice(4) == 0 ? input.choice(3) : 4 + input.choice(40)
    let chosen = (0..<count).map { frames[$0 % frames.count] }
    var bytes = chosen.flatMap { $0 }
    // Damage makes a repair search for frames.
    if input.choice(3) == 0, !bytes.isEmpty {
      let start = Int(input.word()) % bytes.count
      for index in start..<min(bytes.count, start + Int(input.byte())) { bytes[index] = 0xA5 }
    }
    return (chosen.map(\.count), bytes)
  }

  mutating func movie() -> [UInt8] {
    let (sizes, bytes) = content()
    let front = box("ftyp", Array("M4A \0\0\0\0isom".utf8))
    let media = box("mdat", bytes)
    let tables = movieBox(sizes, at: front.count + 8, isFragmented: false)
    return front + media + tables
  }

  mutating func fragments() -> [UInt8] {
    var file = box("ftyp", Array("iso5\0\0\0\0isom".utf8))
    file += movieBox([], at: 0, isFragmented: true)
    if input.flag() { file += box("free", [UInt8](repeating: 0, count: 200)) }
    var time = 0
    for number in 0..<1 + input.choice(6) {
      let (sizes, bytes) = content()
      file += fragment(sizes, number: number, at: file.count, time: time) + box("mdat", bytes)
      time += 1024 * sizes.count
    }
    return file
  }

  private mutating func fragment(
    _ sizes: [Int], number index: Int, at start: Int, time: Int
  ) -> [UInt8] {
    let hasBase = input.choice(3) == 0
    let hasDuration = input.flag()
    let hasSize = input.choice(4) == 0
    var header = number32(1)
    if input.choice(4) != 0 { header = big(1, 4) }
    // Offsets and times are extreme more often: gaps between fragments are computed from both.
    let isFar = input.choice(6) == 0
    if hasBase { header += big(isFar ? extreme() : number(start), 8) }
    if hasDuration { header += number32(1024) }
    if hasSize { header += number32(sizes.first ?? 0) }
    let flags: UInt64 = (hasBase ? 1 : 0) | (hasDuration ? 8 : 0) | (hasSize ? 0x10 : 0)
    var traf = full("tfhd", flags: flags | 0x20000, header)
    if input.choice(8) != 0 {
      let version = isFar ? 1 : version()
      traf += full(
        "tfdt", version: version, isFar && input.flag() ? big(extreme(), 8) : sized(time, version))
    }
    for _ in 0..<1 + (input.choice(6) == 0 ? input.choice(3) : 0) {
      let hasSizes = input.choice(5) != 0
      let hasDurations = input.choice(4) == 0
      let entries = sizes.flatMap { size -> [UInt8] in
        (hasDurations ? number32(1024) : []) + (hasSizes ? number32(size) : [])
      }
      // The data offset counts from the beginning of the fragment; `length` is the size of the
      // fragment.
      let length = 8 + 16 + 8 + traf.count + 20 + entries.count
      let run = number32(sizes.count) + number32(length + 8) + entries
      let flags: UInt64 = 1 | (hasDurations ? 0x100 : 0) | (hasSizes ? 0x200 : 0)
      traf += full("trun", flags: flags, run)
    }
    return box("moof", full("mfhd", big(UInt64(index), 4)) + box("traf", traf))
  }

  private mutating func movieBox(_ sizes: [Int], at offset: Int, isFragmented: Bool) -> [UInt8] {
    let version = version()
    var moov = full(
      "mvhd", version: version,
      sized(0, version) + sized(0, version) + number32(44_100)
        + sized(1024 * sizes.count, version) + [UInt8](repeating: 0, count: 80))
    moov += track(sizes, at: offset, isFragmented: isFragmented)
    if isFragmented {
      moov += box(
        "mvex", full("trex", big(1, 4) + big(1, 4) + number32(1024) + number32(0) + big(0, 4)))
    }
    if input.flag() { moov += userData() }
    return box("moov", moov)
  }

  private mutating func track(_ sizes: [Int], at offset: Int, isFragmented: Bool) -> [UInt8] {
    let version = version()
    var trak = full(
      "tkhd", version: version, flags: 7,
      sized(0, version) + sized(0, version) + big(1, 4) + big(0, 4) + sized(1024, version)
        + [UInt8](repeating: 0, count: 60))
    if input.flag() { trak += edits() }
    let clock = full(
      "mdhd", version: version,
      sized(0, version) + sized(0, version) + number32(44_100)
        + sized(1024 * sizes.count, version) + big(0x55C4_0000, 4))
    let handler = full("hdlr", big(0, 4) + Array("soun".utf8) + [UInt8](repeating: 0, count: 13))
    let tables = box("stbl", sampleTables(sizes, at: offset))
    trak += box("mdia", clock + handler + box("minf", full("smhd", big(0, 4)) + tables))
    return box("trak", trak)
  }

  private mutating func edits() -> [UInt8] {
    let version = version()
    let count = 1 + (input.choice(3) == 0 ? input.choice(5) : 0)
    var list = number32(count)
    for index in 0..<count {
      list += sized(10_000, version) + sized(1024 + 12_000 * index, version) + big(0x10000, 4)
    }
    return box("edts", full("elst", version: version, list))
  }

  private mutating func sampleTables(_ sizes: [Int], at offset: Int) -> [UInt8] {
    // Explicit rates take 24 bits.
    let rate = input.choice(6) == 0 ? extreme() & 0xFF_FFFF : 0
    let configuration: [UInt8] =
      rate == 0
      ? [0x12, 0x10]
      : [
        0x17, 0x80 | UInt8(truncatingIfNeeded: rate >> 17), UInt8(truncatingIfNeeded: rate >> 9),
        UInt8(truncatingIfNeeded: rate >> 1), UInt8(truncatingIfNeeded: rate << 7) | 0x10, 0,
      ]
    let count = UInt8(configuration.count)
    let decoder = [4, 15 + count, 0x40, 0x15] + big(number(1536), 3) + number32(0) + number32(0)
    let descriptor = [3, 23 + count, 0, 1, 0] + decoder + [5, count] + configuration + [6, 1, 2]
    let entry = box(
      "mp4a",
      [UInt8](repeating: 0, count: 6) + big(1, 2) + big(0, 8) + big(number(2), 2) + big(16, 2)
        + big(0, 4) + big(number(44_100), 2) + big(0, 2) + full("esds", descriptor))
    var stbl = full("stsd", big(1, 4) + entry)
    stbl += full("stts", times(sizes.count))
    let perChunk = max(1, 1 + input.choice(20))
    stbl += full("stsc", number32(1) + number32(1) + number32(perChunk) + big(1, 4))
    let common = input.choice(5) == 0
    stbl += full(
      "stsz",
      (common ? number32(sizes.first ?? 1) : big(0, 4)) + number32(sizes.count)
        + (common ? [] : sizes.flatMap { number32($0) }))
    var offsets: [UInt8] = []
    let isWide = input.flag()
    var chunkOffset = offset
    var chunkCount = 0
    for start in stride(from: 0, to: sizes.count, by: perChunk) {
      offsets += big(number(chunkOffset), isWide ? 8 : 4)
      chunkOffset += sizes[start..<min(sizes.count, start + perChunk)].reduce(0, +)
      chunkCount += 1
    }
    return stbl + full(isWide ? "co64" : "stco", number32(chunkCount) + offsets)
  }

  private mutating func times(_ count: Int) -> [UInt8] {
    if input.choice(3) != 0 { return big(1, 4) + number32(count) + number32(1024) }
    let half = count / 2
    return number32(3) + number32(half) + number32(1024) + number32(1) + number32(0)
      + number32(count - half) + number32(1024)
  }

  private mutating func userData() -> [UInt8] {
    func hexadecimal(_ value: UInt64, _ digits: Int) -> String {
      let text = String(value, radix: 16)
      return " " + String(repeating: "0", count: max(0, digits - text.count)) + text.suffix(digits)
    }
    let gapless =
      hexadecimal(0, 8) + hexadecimal(number(2112), 8) + hexadecimal(number(100), 8)
      + hexadecimal(number(20_000), 16)
    let exact = hexadecimal(number(2112), 16) + hexadecimal(number(10_000), 16)
    func tag(_ meaning: String, _ name: String, _ text: String) -> [UInt8] {
      box(
        "----",
        full("mean", Array(meaning.utf8)) + full("name", Array(name.utf8))
          + box("data", big(1, 4) + big(0, 4) + Array(text.utf8)))
    }
    var items = tag("com.apple.iTunes", "iTunSMPB", gapless)
    if input.flag() { items += tag("org.aacorn", "parts", exact) }
    let gap = #"[{"position":\#(extreme()),"length":\#(extreme()),"filled":true}]"#
    if input.flag() { items += tag("org.aacorn", "gaps", gap) }
    let handler = full("hdlr", big(0, 4) + Array("mdir".utf8) + [UInt8](repeating: 0, count: 13))
    let chapters = number32(2) + big(number(0), 8) + [1, 65] + big(number(5_000_000), 8) + [1, 66]
    return box(
      "udta",
      full("meta", handler + box("ilst", items))
        + full("chpl", version: 1, big(0, 1) + chapters))
  }
}

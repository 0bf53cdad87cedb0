import AacornCodec

/// The values for frames of a fragmented track unless their fragment overrides them.
struct FragmentDefaults: Sendable {
  var track: UInt32 = 0
  /// Ticks per frame.
  var duration: UInt32 = 0
  /// Bytes per frame.
  var size: UInt32 = 0

  /// Transfers the fields of `trex` after version and flags (14496-12, 8.8.3).
  mutating func transfer(_ box: inout some BoxFields) {
    box.field(&track, bits: 32)
    // The sample description.
    box.put(1, bits: 32)
    box.field(&duration, bits: 32)
    box.field(&size, bits: 32)
    // Flags: a sample that does not depend on others.
    box.put(0x0200_0000, bits: 32)
  }
}

/// Parses a `moof` box in memory (ISO/IEC 14496-12, 8.8).
struct FragmentParser {
  let bytes: [UInt8]
  /// The file offset of the content.
  let fileOffset: UInt64
  /// The file offset of the box; offsets in the fragment count from there.
  let boxOffset: UInt64
  /// The track to read.
  let defaults: FragmentDefaults
  /// The maximum number of frames in all fragments; each frame has at least one byte in the file.
  let sampleLimit: Int
  var damage: DamageLog
  /// The frames of the track; new ones are added.
  var samples: SampleTable
  var hasRollGroups = false

  mutating func parse() {
    var list = BoxList(bytes, in: 0..<bytes.count, fileOffset: fileOffset)
    while let box = list.next(&damage) {
      if box.type == .trackFragment { readTrackFragment(box) }
    }
  }

  private mutating func readTrackFragment(_ fragment: Box) {
    var current = defaults
    var isOurs = false
    var base = boxOffset
    var time: UInt64?
    var runEnd: UInt64?
    var list = BoxList(bytes, in: fragment.content, fileOffset: fileOffset)
    while let box = list.next(&damage) {
      var reader = BitReader(bytes, range: box.content)
      let version = reader.read(8)
      let flags = reader.read(24)
      if box.type == .trackFragmentHeader {
        isOurs = reader.read(32) == defaults.track
        if flags & 0x01 != 0 { base = reader.readLong(64) }
        if flags & 0x02 != 0 { reader.skip(32) }
        if flags & 0x08 != 0 { current.duration = reader.read(32) }
        if flags & 0x10 != 0 { current.size = reader.read(32) }
      }
      guard isOurs else { continue }
      if box.type == .trackFragmentDecodeTime {
        time = reader.readLong(version == 1 ? 64 : 32)
      } else if box.type == .sampleToGroup {
        if reader.readCode() == .roll { hasRollGroups = true }
      } else if box.type == .trackRun {
        runEnd = readRun(
          box, flags: flags, &reader, current, base: base, previousEnd: runEnd, time: time)
        time = nil
      }
    }
  }

  /// Reads one run and returns the file offset of the end of its frames.
  private mutating func readRun(
    _ box: Box, flags: UInt32, _ reader: inout BitReader, _ current: FragmentDefaults,
    base: UInt64, previousEnd: UInt64?, time: UInt64?
  ) -> UInt64 {
    let claimed = reader.read(32)
    var offset = previousEnd ?? base
    if flags & 0x01 != 0 {
      offset = base &+ UInt64(bitPattern: Int64(Int32(bitPattern: reader.read(32))))
    }
    if flags & 0x04 != 0 { reader.skip(32) }
    // Duration, size, flags and composition offset of every frame, each optional.
    let entryBits = 32 * ((flags >> 8) & 15).nonzeroBitCount
    let fits = entryBits == 0 ? sampleLimit : reader.remaining / entryBits
    let room = min(fits, sampleLimit - samples.sizes.count)
    if UInt64(claimed) > UInt64(max(0, room)) {
      damage.add(
        .countExceedsBox, offset: fileOffset + UInt64(box.start),
        length: UInt64(box.content.upperBound - box.start))
    }
    let count = Int(min(UInt64(claimed), UInt64(max(0, room))))
    var time = time
    for _ in 0..<count {
      let duration = flags & 0x100 != 0 ? reader.read(32) : current.duration
      samples.append(size: flags & 0x200 != 0 ? reader.read(32) : current.size)
      reader.skip(32 * ((flags >> 10) & 3).nonzeroBitCount)
      samples.time(1, duration: duration, from: time)
      time = nil
    }
    return samples.place(count, at: offset)
  }
}

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

/// The fields of `trun` (14496-12, 8.8.8): those of the run, then those of every frame.
struct TrackRun {
  /// The fields that exist: a data offset (1), the flags of the first frame (4), and for every
  /// frame a duration (0x100), a size (0x200), flags (0x400) and a composition offset (0x800).
  let flags: UInt32
  var unitCount: UInt32 = 0
  /// The distance of the audio from the start of the fragment.
  var dataOffset: Int32 = 0

  /// The length of the fields of a frame in bits.
  var entryBits: Int { 32 * ((flags >> 8) & 15).nonzeroBitCount }

  /// Transfers the fields of the run after version and flags.
  mutating func transfer(_ box: inout some BoxFields) {
    box.field(&unitCount, bits: 32)
    if flags & 0x01 != 0 { box.field(&dataOffset, bits: 32) }
    if flags & 0x04 != 0 { box.put(0, bits: 32) }
  }

  /// Transfers the fields of a frame; those that do not exist keep their values.
  func transfer(_ box: inout some BoxFields, duration: inout UInt32, size: inout UInt32) {
    if flags & 0x100 != 0 { box.field(&duration, bits: 32) }
    if flags & 0x200 != 0 { box.field(&size, bits: 32) }
    box.put(0, bits: 32 * ((flags >> 10) & 3).nonzeroBitCount)
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
          box, flags: flags, from: &reader, defaults: current, base: base, previousEnd: runEnd,
          time: time)
        time = nil
      }
    }
  }

  /// Reads one run and returns the file offset of the end of its frames.
  private mutating func readRun(
    _ box: Box, flags: UInt32, from reader: inout BitReader, defaults current: FragmentDefaults,
    base: UInt64, previousEnd: UInt64?, time: UInt64?
  ) -> UInt64 {
    var run = TrackRun(flags: flags)
    run.transfer(&reader)
    var offset = previousEnd ?? base
    if flags & 0x01 != 0 { offset = base &+ UInt64(bitPattern: Int64(run.dataOffset)) }
    let fits = run.entryBits == 0 ? sampleLimit : reader.remaining / run.entryBits
    let room = min(fits, sampleLimit - samples.sizes.count)
    if UInt64(run.unitCount) > UInt64(max(0, room)) {
      damage.add(
        .countExceedsBox, offset: fileOffset + UInt64(box.start),
        length: UInt64(box.content.upperBound - box.start))
    }
    let count = Int(min(UInt64(run.unitCount), UInt64(max(0, room))))
    var time = time
    for _ in 0..<count {
      var (duration, size) = (current.duration, current.size)
      run.transfer(&reader, duration: &duration, size: &size)
      samples.append(size: size)
      samples.time(1, duration: duration, from: time)
      time = nil
    }
    return samples.place(count, at: offset)
  }
}

public import AacornCodec

/// The loudness of an AAC stream over time, measured without decoding it to audio.
///
/// A frame's spectrum has as much energy as its samples (Parseval), so its level requires no
/// transform. A full-scale sine has level 255 at any frequency. Other audio has the level of an
/// equally strong sine.
///
///     var envelope = SoundEnvelope(configuration)
///     for unit in units { envelope.append(unit) }
///     let levels = envelope.levels(400)
///
/// Frames that cannot be read count as silence. Memory does not grow with the stream.
public struct SoundEnvelope: Sendable {
  private var reader: FrameReader
  private var decoder: LineDecoder
  /// The lines of an element's channels.
  private var first: [Float]
  private var second: [Float]
  /// The number of previous readable frames, which seeds the noise.
  private var frameCount = 0
  /// The energy of the previous frame in each channel.
  private var energies: [Float] = []
  private(set) var list: LevelList

  /// Creates an envelope of a stream.
  public init(_ configuration: AudioSpecificConfig) {
    self.init(configuration, list: LevelList())
  }

  /// Creates an envelope that continues another envelope's levels.
  init(_ configuration: AudioSpecificConfig, list: LevelList) {
    self.list = list
    let reader = FrameReader(configuration, keepsSpectrum: true)
    decoder = LineDecoder(reader)
    first = [Float](repeating: 0, count: decoder.lineCount)
    second = first
    self.reader = reader
  }

  /// Appends the next frame.
  public mutating func append(_ accessUnit: [UInt8]) {
    do throws(ParseError) {
      try reader.read(accessUnit)
      append(reader.block)
    } catch {
      appendUnreadable()
    }
  }

  /// Returns levels from 0 to 255, linear in amplitude: the maximum in each of `count` equal parts,
  /// at most 2²⁰.
  public func levels(_ count: Int) -> [UInt8] { list.levels(count) }

  mutating func appendUnreadable() {
    energies.removeAll(keepingCapacity: true)
    list.append(0)
  }

  /// Appends a frame that was parsed with its spectrum.
  mutating func append(_ block: ParsedBlock) {
    if energies.count != block.channelCount {
      energies = [Float](repeating: 0, count: block.channelCount)
    }
    var maximum: Float = 0
    for element in block.elements where element.kind != .coupling && element.channelCount > 0 {
      decoder.decode(block, element, unit: frameCount, left: &first, right: &second)
      for index in 0..<element.channelCount {
        let channel = element.firstChannel + index
        let isShort = block.channels[channel].window.isShort
        // A short window spreads its energy over an eighth of the lines of a long one.
        let energy = Self.energy(index == 0 ? first : second) * (isShort ? 8 : 1)
        // Two frames overlap at any time, and their energies vary with the phase of a tone.
        maximum = max(maximum, (energies[channel] + energy) / 2)
        energies[channel] = energy
      }
    }
    frameCount += 1
    list.append(Self.byte(maximum, lineCount: decoder.lineCount))
  }

  /// Returns the sum of the squares of all lines, whose number is a multiple of four.
  private static func energy(_ lines: [Float]) -> Float {
    // Four interleaved sums, which the compiler can vectorize.
    var sums = SIMD4<Float>.zero
    var index = 0
    while index < lines.count {
      let four = SIMD4(lines[index], lines[index + 1], lines[index + 2], lines[index + 3])
      sums += four * four
      index += 4
    }
    return sums[0] + sums[1] + sums[2] + sums[3]
  }

  /// Converts the energy to a level.
  ///
  /// The squared lines of a sine of amplitude A sum to A² · M², where M is the number of lines.
  private static func byte(_ energy: Float, lineCount: Int) -> UInt8 {
    let amplitude = energy.squareRoot() / (Float(lineCount) * 32_768)
    let level = amplitude * 255 + 0.5
    return level < 255 ? UInt8(max(0, level)) : 255
  }
}

/// Peak levels over time, in constant memory.
///
/// When the list is full, neighbors are joined, and each entry represents twice as many levels.
struct LevelList: Sendable {
  /// The maximum of every `levelsPerEntry` levels.
  private var entries: [UInt8] = []
  private var levelsPerEntry = 1
  /// The number of levels in the last entry.
  private var lastCount = 0

  private static let maxEntryCount = 8192

  mutating func append(_ level: UInt8) {
    if lastCount == levelsPerEntry || entries.isEmpty {
      if entries.count == Self.maxEntryCount { joinNeighbors() }
      entries.append(0)
      lastCount = 0
    }
    entries[entries.count - 1] = max(entries[entries.count - 1], level)
    lastCount += 1
  }

  private mutating func joinNeighbors() {
    for index in 0..<Self.maxEntryCount / 2 {
      entries[index] = max(entries[2 * index], entries[2 * index + 1])
    }
    entries.removeSubrange(Self.maxEntryCount / 2..<Self.maxEntryCount)
    levelsPerEntry *= 2
  }

  /// The maximum number of returned levels, above the width of any screen.
  private static let maxLevelCount = 1 << 20

  /// Returns the maximum level in each of `count` equal parts of the time; at most 2²⁰ levels.
  func levels(_ count: Int) -> [UInt8] {
    let count = min(max(0, count), Self.maxLevelCount)
    var levels: [UInt8] = []
    levels.reserveCapacity(count)
    for part in 0..<count {
      let start = part * entries.count / count
      let end = min(max((part + 1) * entries.count / count, start + 1), entries.count)
      var maximum: UInt8 = 0
      for index in start..<end { maximum = max(maximum, entries[index]) }
      levels.append(maximum)
    }
    return levels
  }
}

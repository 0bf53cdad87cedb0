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
  private let longOffsets: [Int]
  private let shortOffsets: [Int]
  private let longShapingLimit: Int
  private let shortShapingLimit: Int
  private var first = SpectralLines()
  private var second = SpectralLines()
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
    longOffsets = reader.bandOffsets(isShort: false)
    shortOffsets = reader.bandOffsets(isShort: true)
    longShapingLimit = reader.noiseShapingLimit(isShort: false)
    shortShapingLimit = reader.noiseShapingLimit(isShort: true)
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

  /// Appends an unreadable frame.
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
      load(block, element)
      for index in 0..<element.channelCount {
        let channel = element.firstChannel + index
        let isShort = block.channels[channel].window.isShort
        // A short window spreads its energy over an eighth of the lines of a long one.
        let energy = (index == 0 ? first : second).energy * (isShort ? 8 : 1)
        // Two frames overlap at any time, and their energies vary with the phase of a tone.
        maximum = max(maximum, (energies[channel] + energy) / 2)
        energies[channel] = energy
      }
    }
    list.append(Self.byte(maximum, lineCount: longOffsets[longOffsets.count - 1]))
  }

  private mutating func load(_ block: ParsedBlock, _ element: ParsedElement) {
    let one = block.channels[element.firstChannel]
    let offsets = one.window.isShort ? shortOffsets : longOffsets
    first.load(one, offsets: offsets)
    let limit = one.window.isShort ? shortShapingLimit : longShapingLimit
    guard element.channelCount == 2 else {
      return first.shape(one, offsets: offsets, limit: limit)
    }
    let other = block.channels[element.firstChannel + 1]
    let otherOffsets = other.window.isShort ? shortOffsets : longOffsets
    second.load(other, offsets: otherOffsets)
    if element.hasCommonWindow {
      SpectralLines.separate(
        &first, &second, first: one, second: other, offsets: offsets)
    }
    first.shape(one, offsets: offsets, limit: limit)
    let otherLimit = other.window.isShort ? shortShapingLimit : longShapingLimit
    second.shape(other, offsets: otherOffsets, limit: otherLimit)
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

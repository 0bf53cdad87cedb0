import AacornSignal

/// The content of a `chan` chunk in CAF or a CHAN chunk in AIFF: Core Audio's channel layout.
///
///     tag:32 bitmap:32 count:32   count descriptions of 20 bytes: label:32 flags:32 3 floats
struct LayoutDescription: Sendable {
  private let tag: UInt32
  private let bitmap: UInt32
  private let labels: [UInt32]

  /// Returns the number of bytes to read of a chunk with `chunkSize` bytes, which are at least 12.
  static func length(_ chunkSize: UInt64) -> Int {
    Int(min(chunkSize, 12 + 20 * UInt64(PCMFileReader.maximumChannelCount)))
  }

  init(_ field: PCMHeaderField) {
    tag = field.uint32(0)
    bitmap = field.uint32(4)
    var labels: [UInt32] = []
    let count = Int(min(field.uint32(8), UInt32(PCMFileReader.maximumChannelCount)))
    for index in 0..<count where 12 + 20 * index + 20 <= field.count {
      labels.append(field.uint32(12 + 20 * index))
    }
    self.labels = labels
  }

  /// Returns the layout, or nil if it does not describe this many loudspeakers.
  func layout(channelCount: Int) -> ChannelLayout? {
    switch tag {
    case ChannelLayout.tagForDescriptions:
      labels.count == channelCount ? ChannelLayout(coreAudioLabels: labels) : nil
    case ChannelLayout.tagForBitmap:
      ChannelLayout(waveMask: bitmap, channelCount: channelCount)
    default:
      ChannelLayout(coreAudioTag: tag, channelCount: channelCount)
    }
  }

  /// Returns the content of a chunk for a layout: a bit mask if that describes it completely.
  static func content(of layout: ChannelLayout) -> [UInt8] {
    var bytes: [UInt8] = []
    let count = layout.speakers.count
    if ChannelLayout(waveMask: layout.waveMask, channelCount: count) == layout {
      bytes.append(big: ChannelLayout.tagForBitmap)
      bytes.append(big: layout.waveMask)
      bytes.append(big: UInt32(0))
      return bytes
    }
    bytes.append(big: ChannelLayout.tagForDescriptions)
    bytes.append(big: UInt32(0))
    bytes.append(big: UInt32(count))
    for speaker in layout.speakers {
      bytes.append(big: UInt32(speaker.rawValue) + 1)
      bytes.append(contentsOf: repeatElement(0, count: 16))
    }
    return bytes
  }
}

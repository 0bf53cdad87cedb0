extension ChannelLayout {
  /// Reads the layout in the bytes of an `AudioChannelLayout`.
  ///
  /// The result is nil unless the layout names the loudspeakers of this number of channels.
  ///
  ///     0 tag │ 4 bit mask │ 8 count of descriptions │ 12 label, 16 more bytes │ 32 the next …
  package init?(inLayout bytes: UnsafeRawBufferPointer, channelCount: Int) {
    guard bytes.count >= 12 else { return nil }
    let tag = unsafe bytes.loadUnaligned(as: UInt32.self)
    switch tag {
    case Self.tagForBitmap:
      let mask = unsafe bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self)
      self.init(waveMask: mask, channelCount: channelCount)
    case Self.tagForDescriptions:
      let count = unsafe Int(bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
      guard count == channelCount, count <= (bytes.count - 12) / 20 else { return nil }
      var labels: [UInt32] = []
      for index in 0..<count {
        labels.append(
          unsafe bytes.loadUnaligned(fromByteOffset: 12 + index * 20, as: UInt32.self))
      }
      self.init(coreAudioLabels: labels)
    default: self.init(coreAudioTag: tag, channelCount: channelCount)
    }
  }
}

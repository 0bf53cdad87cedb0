#if os(Linux)
import AacornSignal
import CAacornALSA

/// The channel layout of a device, as reported by alsa-lib.
enum ALSAChannels {
  /// Returns the layout of a device that is set up; nil if alsa-lib names no loudspeaker for a
  /// channel.
  static func layout(
    of pcm: OpaquePointer, _ channelCount: Int, _ library: ALSALibrary
  ) -> ChannelLayout? {
    var positions = [UInt32](repeating: 0, count: channelCount)
    let count = unsafe aacorn_alsa_channel_positions(
      library.functions, pcm, &positions, UInt32(channelCount))
    guard Int(count) == channelCount else { return nil }
    return layout(positions)
  }

  /// Returns the layout of these positions (`enum snd_pcm_chmap_position`).
  static func layout(_ positions: [UInt32]) -> ChannelLayout? {
    let speakers = positions.compactMap { Self.speakers[$0] }
    return speakers.count == positions.count ? ChannelLayout(speakers) : nil
  }

  /// Returns, for each channel of a device, the index of the format's channel for it.
  ///
  /// Returns nil if the channels stay unchanged, which is also the case if the layout is unknown.
  static func order(of format: PlaybackFormat, on device: ChannelLayout?) -> [Int]? {
    let layout = format.layout ?? ChannelLayout.standard(channelCount: format.channelCount)
    guard let layout, let device, layout.speakers.count == device.speakers.count else { return nil }
    var order: [Int] = []
    for speaker in device.speakers {
      let index =
        layout.speakers.firstIndex(of: speaker)
        ?? counterpart(of: speaker).flatMap { layout.speakers.firstIndex(of: $0) }
      guard let index, !order.contains(index) else { return nil }
      order.append(index)
    }
    return order == Array(order.indices) ? nil : order
  }

  /// Returns the back loudspeaker for a side loudspeaker, and vice versa.
  ///
  /// A device may have only one of the two kinds: then the result replaces `speaker`.
  private static func counterpart(of speaker: SpeakerPosition) -> SpeakerPosition? {
    switch speaker {
    case .backLeft: .sideLeft
    case .backRight: .sideRight
    case .sideLeft: .backLeft
    case .sideRight: .backRight
    default: nil
    }
  }

  private static let speakers: [UInt32: SpeakerPosition] = [
    2: .frontCenter, 3: .frontLeft, 4: .frontRight, 5: .backLeft, 6: .backRight, 7: .frontCenter,
    8: .lowFrequency, 9: .sideLeft, 10: .sideRight, 11: .backCenter, 12: .frontLeftOfCenter,
    13: .frontRightOfCenter, 21: .topCenter, 22: .topFrontLeft, 23: .topFrontRight,
    24: .topFrontCenter, 25: .topBackLeft, 26: .topBackRight, 27: .topBackCenter,
  ]
}
#endif

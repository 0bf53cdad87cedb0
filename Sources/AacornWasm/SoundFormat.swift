import AacornSignal

/// What samples are that JavaScript receives.
struct SoundFormat: Equatable {
  var sampleRate: Int
  var channelCount: Int
  var layout: ChannelLayout?
}

extension Session {
  /// Outputs a loudspeaker's number for each channel; nothing if they are not known.
  final func putLayout(_ layout: ChannelLayout?) -> Int32 {
    put((layout?.speakers ?? []).map { $0.rawValue })
  }
}

import AacornSignal

/// The format of samples for JavaScript.
struct SoundFormat: Equatable {
  var sampleRate: Int
  var channelCount: Int
  var layout: ChannelLayout?
}

extension Session {
  /// Outputs a speaker number for each channel; outputs nothing if the layout is unknown.
  final func putLayout(_ layout: ChannelLayout?) -> Int32 {
    put((layout?.speakers ?? []).map { $0.rawValue })
  }
}

import AacornCodec

/// The description of the audio for servers and players (FLV 10.1, E.5).
enum RTMPMetadata {
  /// The code of AAC in the list of sound formats (E.4.2.1).
  private static let aac = 10.0

  /// Returns the values of a data message that the server stores for later listeners.
  static func values(
    of stream: LiveStream, playing metadata: LiveMetadata, encoderName: String
  ) -> [AMF0Value] {
    let configuration = stream.configuration
    var properties = [AMF0Property("audiocodecid", .number(aac))]
    if stream.timing.nominalBitrate > 0 {
      // In kilobits per second, like the video bitrate.
      properties.append(
        AMF0Property("audiodatarate", .number(Double(stream.timing.nominalBitrate) / 1000)))
    }
    properties += [
      AMF0Property("audiosamplerate", .number(Double(stream.timing.sampleRate))),
      AMF0Property("audiosamplesize", .number(16)),
      AMF0Property("stereo", .boolean(configuration.outputChannelCount >= 2)),
      AMF0Property("encoder", .string(encoderName)),
    ]
    if let title = metadata.title { properties.append(AMF0Property("title", .string(title))) }
    if let artist = metadata.artist { properties.append(AMF0Property("artist", .string(artist))) }
    return [.string("@setDataFrame"), .string("onMetaData"), .ecmaArray(properties)]
  }
}

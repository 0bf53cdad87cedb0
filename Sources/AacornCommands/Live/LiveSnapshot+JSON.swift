import AacornCodec
import AacornDevices
import AacornRecording
import AacornStreaming

extension LiveSnapshot {
  /// The complete state as JSON, with stable names and order of the keys.
  var json: JSONValue {
    .object([
      .init("healthy", .flag(isHealthy)), .init("stopping", .flag(isStopping)),
      .init("muted", .flag(sound.isMuted)),
      .init("version", .text(RootCommand.version)),
      .init("started", startWallTime == 0 ? .null : .text(Timestamp.iso8601(startWallTime))),
      .init("seconds", .decimal(seconds, 3)), .init("samples", .integer(sound.sampleCount)),
      .init("frames", .integer(frameCount)), .init("sampleRate", .integer(timing.sampleRate)),
      .init("channels", .integer(channelCount)), .init("bitrate", .optional(bitrate)),
      .init(
        "source",
        .object([
          .init("device", .optional(sound.device.map { $0.name.isEmpty ? $0.id : $0.name })),
          .init("lost", .flag(sound.isDeviceLost)),
          .init("flowing", .flag(isFlowing)),
        ])),
      .init("gaps", .integer(sound.gapCount)),
      .init("lostSamples", .integer(sound.filledSampleCount)),
      .init("drift", sound.driftPartsPerMillion.map { .decimal($0, 2) } ?? .null),
      // Silence is −∞ dBFS, which JSON cannot represent, so the value is null.
      .init("levels", .list(levels.map { .decimal($0.level, 1) })),
      .init("clippedSamples", .integer(sound.clippedSampleCount)),
      .init("title", .optional(metadata.title)), .init("artist", .optional(metadata.artist)),
      .init("loudness", .object(sound.loudness.members)),
      .init("outputs", .list(outputs.map { .object($0.members) })),
    ])
  }
}

extension OutputStatus {
  /// The output as JSON members.
  var members: [JSONValue.Member] {
    identity + state.members + [
      .init("frames", .integer(frameCount)), .init("droppedFrames", .integer(droppedFrameCount)),
      .init("bytes", .integer(byteCount)), .init("queuedFrames", .integer(queuedFrameCount)),
      .init("queuedMilliseconds", .integer(queuedMilliseconds)),
      .init("reconnects", .integer(reconnectCount)), .init("segments", .optional(segmentCount)),
      .init("droppedSegments", .optional(droppedSegmentCount)),
    ]
  }

  /// The JSON members that identify the output.
  var identity: [JSONValue.Member] {
    [
      .init("output", .text(id)), .init("kind", .text(kind.rawValue)), .init("name", .text(name)),
    ]
  }
}

extension OutputStatus.State {
  /// The state as JSON members.
  var members: [JSONValue.Member] {
    [
      .init("state", .text(keyword)), .init("attempt", .integer(attempt)),
      .init("error", .optional(problem?.keyword)),
      .init("message", .optional(problem?.message)),
    ]
  }
}

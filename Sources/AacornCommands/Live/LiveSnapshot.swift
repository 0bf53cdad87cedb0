import AacornCodec
import AacornContainers
import AacornDevices
import AacornRecording
import AacornStreaming
import AacornSystem

/// A snapshot of the state of a recording or a stream, for the bottom line, the status page and the
/// metrics.
struct LiveSnapshot: Sendable, Equatable {
  /// The start in nanoseconds since 1970; 0 before the first sample.
  var startWallTime: Int64 = 0
  var timing = StreamTiming(sampleRate: 0, samplesPerUnit: 1)
  /// The timings of outputs with another rendition, by their kind.
  var otherTimings: [OutputStatus.Kind: StreamTiming] = [:]
  var channelCount = 0
  /// The current bitrate in bits per second, if it adapts to the network.
  var bitrate: Int?
  /// The number of encoded frames.
  var frameCount = 0
  var sound = RecordingStatus()
  var levels: [LevelMeterDisplay.Reading] = []
  var trackLevels: [LevelMeterDisplay.Reading] = []
  /// Whether samples have arrived recently.
  var isFlowing = false
  var isStopping = false
  /// Whether the user monitors the audio.
  var isMonitored = false
  /// The number of listeners that the program waits for before it exits.
  var lastListenerCount = 0
  var metadata = LiveMetadata()
  var outputs: [OutputStatus] = []

  /// The duration of the audio in seconds.
  var seconds: Double { timing.seconds(sound.sampleCount) }

  func timing(of output: OutputStatus) -> StreamTiming { otherTimings[output.kind] ?? timing }

  /// Whether the stream is live: audio arrives, and all outputs for listeners work.
  var isHealthy: Bool {
    isFlowing && !sound.isDeviceLost && downOutputs.isEmpty
      && outputs.contains { $0.state == .live }
  }

  /// The outputs for listeners that are not live: servers and HLS, but not saved files.
  var downOutputs: [OutputStatus] { outputs.filter { $0.kind != .save && $0.state != .live } }
}

extension LiveSnapshot {
  var json: JSONValue {
    [
      "healthy": .flag(isHealthy), "stopping": .flag(isStopping), "muted": .flag(sound.isMuted),
      "version": .text(RootCommand.version),
      "started": startWallTime == 0 ? .null : .text(Timestamp.iso8601(startWallTime)),
      "seconds": .decimal(seconds, 3), "samples": .integer(sound.sampleCount),
      "frames": .integer(frameCount), "sampleRate": .integer(timing.sampleRate),
      "channels": .integer(channelCount), "bitrate": .optional(bitrate),
      "source": [
        "device": .optional(sound.device.map { $0.name.isEmpty ? $0.id : $0.name }),
        "lost": .flag(sound.isDeviceLost && !sound.isStalled), "flowing": .flag(isFlowing),
        "silent": .flag(sound.isSilent),
      ],
      "gaps": .integer(sound.gapCount), "lostSamples": .integer(sound.filledSampleCount),
      "drift": .optional(sound.driftPartsPerMillion, 2),
      // Silence is −∞ dBFS, which JSON cannot represent, so the value is null.
      "levels": .list(levels.map { .decimal($0.level, 1) }),
      "clippedSamples": .integer(sound.clippedSampleCount), "title": .optional(metadata.title),
      "artist": .optional(metadata.artist), "loudness": sound.loudness.json,
      "outputs": .list(outputs.map { $0.json }),
    ]
  }
}

extension OutputStatus {
  var json: JSONValue {
    identity + state.json + [
      "frames": .integer(frameCount), "droppedFrames": .integer(droppedFrameCount),
      "bytes": .integer(byteCount), "queuedFrames": .integer(queuedFrameCount),
      "queuedMilliseconds": .integer(queuedMilliseconds), "reconnects": .integer(reconnectCount),
      "segments": .optional(segmentCount), "droppedSegments": .optional(droppedSegmentCount),
    ]
  }

  var identity: JSONValue {
    ["output": .text(id), "kind": .text(kind.rawValue), "name": .text(name)]
  }
}

extension OutputStatus.State {
  var json: JSONValue {
    [
      "state": .text(keyword), "attempt": .integer(attempt), "error": .optional(problem?.keyword),
      "message": .optional(problem?.message),
    ]
  }
}

// An output drops frames or segments while its server is unavailable or rejects them, or while the
// network is too slow. All outputs report the drops in the same form. They affect the exit code only
// if an output has dropped more than it has sent.

extension OutputStatus {
  /// Whether the output drops complete HLS segments, and not frames.
  var dropsSegments: Bool { droppedSegmentCount != nil }

  /// The name of the dropped unit, in the singular.
  var droppedUnit: String { dropsSegments ? "segment" : "frame" }

  var droppedCount: Int { droppedSegmentCount ?? droppedFrameCount }

  /// The number of units that were sent, and not dropped.
  private var sentCount: Int { dropsSegments ? segmentCount ?? 0 : frameCount }

  /// Whether the output has dropped more than half of its audio.
  var isIncomplete: Bool { droppedCount > sentCount }

  /// The dropped share, such as “990 of 1000 frames”; nil if nothing was dropped.
  var droppedShare: String? {
    if droppedCount == 0 { return nil }
    return "\(droppedCount) of \(QuantityText.count(droppedCount + sentCount, droppedUnit))"
  }
}

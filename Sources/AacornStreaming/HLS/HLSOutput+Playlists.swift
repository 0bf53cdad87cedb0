import AacornCodec
import AacornRecording
import AacornSystem

extension HLSOutput {
  /// Creates a rendition for each format.
  mutating func makeRenditions(
    _ formats: [PacketFormat], _ wallTime: Int64
  ) throws(OutputError) {
    // Segment numbers of a live playlist increase with the clock, so that they do not decrease when
    // the program is restarted: connected listeners would treat that as an error (RFC 8216, 6.2.1).
    // A segment may be up to a third shorter than requested if parts do not divide it. The numbers
    // therefore advance at least twice per requested duration, faster than segments are completed.
    let milliseconds = Int(max(0, wallTime / 1_000_000))
    let firstNumber =
      configuration.kind == .live
      ? milliseconds / min(1000, configuration.segmentDuration.milliseconds / 2) : 0
    let streams = try streams(formats)
    guard let alignment = SegmentAlignment(streams, in: configuration.media) else {
      throw OutputError(
        .unsupported,
        "HLS renditions with different sampling rates or frame lengths cannot have common segment "
          + "boundaries. Choose the same for all.")
    }
    let grid = HLSGrid(
      configuration, streams[alignment.leader].timing, entryDistance: alignment.entryDistance,
      slack: alignment.slack)
    self.grid = grid
    leader = alignment.leader
    let writers = try writers(streams)
    for (index, stream) in streams.enumerated() {
      renditions.append(
        HLSRendition(
          names: HLSNames(configuration, rendition: index, time: wallTime),
          stream: stream.configuration, timing: stream.timing, step: alignment.steps[index],
          writer: writers[index],
          playlist: HLSMediaPlaylist(configuration, grid, firstNumber: firstNumber)))
    }
    if Set(renditions.map(\.names.playlist)).count < renditions.count {
      throw OutputError(
        .unsupported, "Two HLS renditions have the same name. Choose another for one of them.")
    }
  }

  /// Continues the existing renditions with new encoders.
  mutating func replaceWriters(_ formats: [PacketFormat]) throws(OutputError) {
    for (index, writer) in try writers(streams(formats)).enumerated()
    where renditions.indices.contains(index) {
      renditions[index].writer = writer
    }
  }

  private typealias Stream = (configuration: AudioSpecificConfig, timing: StreamTiming)

  private func streams(_ formats: [PacketFormat]) throws(OutputError) -> [Stream] {
    var streams: [Stream] = []
    for format in formats {
      guard case .aac(let stream, let timing) = format else {
        throw OutputError(
          .unsupported,
          "HLS carries only AAC, and “\(name)” was set to receive samples. Choose AAC.")
      }
      streams.append((stream, timing))
    }
    return streams
  }

  /// Returns writers that continue the output of the current ones.
  ///
  /// The same moment of the audio has the same time in all renditions.
  private func writers(_ streams: [Stream]) throws(OutputError) -> [HLSMediaWriter] {
    let end = renditions.map(\.writer.time).max() ?? 0
    let maxPriming = streams.map { $0.timing.priming }.max() ?? 0
    var writers: [HLSMediaWriter] = []
    for (index, stream) in streams.enumerated() {
      let previous = renditions.indices.contains(index) ? renditions[index].writer : nil
      let time =
        switch configuration.media {
        // An edit list skips the encoder's delay, so the time continues where the previous encoder
        // ended.
        case .fragmentedMP4: previous?.time ?? 0
        // The format cannot skip the delay, so the rendition with the shortest delay must start
        // latest.
        case .packedAudio: end + UInt64(maxPriming - stream.timing.priming)
        }
      writers.append(
        try HLSMediaWriter(
          configuration.media, stream.configuration, stream.timing, at: time, after: previous,
          name: name))
    }
    return writers
  }

  /// Publishes the playlists of an ongoing presentation, and removes expired files.
  mutating func publish(isSegmentComplete: Bool) {
    guard configuration.kind != .vod else { return }
    for storeIndex in monitoredStores.indices
    where isSegmentComplete || monitoredStores[storeIndex].store.servesParts {
      publishMedia(on: storeIndex, isComplete: false)
    }
    let entries = masterEntries(isComplete: false)
    if entries.map(\.bandwidth.peak) != master.map(\.bandwidth.peak) {
      master = entries
    }
    for storeIndex in monitoredStores.indices
    where isSegmentComplete || monitoredStores[storeIndex].store.servesParts {
      publishMaster(on: storeIndex, isComplete: false)
    }
    for index in renditions.indices {
      for file in renditions[index].playlist.takeExpired() {
        for monitored in monitoredStores where !file.isPart || monitored.store.servesParts {
          monitored.store.remove(file.name)
        }
      }
    }
  }

  /// Publishes the final playlists, if a segment or part was ever published.
  mutating func publishEnd() {
    guard renditions.first?.playlist.hasBegun == true else { return }
    master = masterEntries(isComplete: true)
    for storeIndex in monitoredStores.indices {
      publishMedia(on: storeIndex, isComplete: true)
      publishMaster(on: storeIndex, isComplete: true)
    }
  }

  private mutating func publishMedia(on storeIndex: Int, isComplete: Bool) {
    for (index, rendition) in renditions.enumerated() {
      var options = HLSMediaPlaylist.TextOptions()
      options.hasParts = monitoredStores[storeIndex].store.servesParts
      options.isComplete = isComplete
      options.limit = monitoredStores[storeIndex].limit
      options.hint = rendition.nextPart
      options.others = renditions.indices.filter { $0 != index }.map {
        renditions[$0].names.playlist
      }
      monitoredStores[storeIndex].publish(
        rendition.playlist.text(options), as: rendition.names.playlist,
        rendition.playlist.contents(options))
    }
  }

  private mutating func publishMaster(on storeIndex: Int, isComplete: Bool) {
    let limit = monitoredStores[storeIndex].limit
    guard let edge = renditions.first?.playlist.edge(isComplete: isComplete, limit: limit) else {
      return
    }
    monitoredStores[storeIndex].publishMaster(
      HLSMasterPlaylist.text(master), as: HLSNames.masterPlaylist(configuration),
      HLSPlaylistContents(edge: edge, names: master.map(\.playlist)))
  }

  private mutating func masterEntries(isComplete: Bool) -> [HLSMasterPlaylist.Entry] {
    guard let grid else { return [] }
    return renditions.indices.map { index in
      HLSMasterPlaylist.Entry(
        playlist: renditions[index].names.playlist, stream: renditions[index].stream,
        bandwidth: renditions[index].bandwidth(grid, isComplete: isComplete))
    }
  }
}

/// The master playlist: it lists the renditions for the player to choose from (RFC 8216, 4.3.4).
enum HLSMasterPlaylist {
  /// A rendition in the playlist.
  struct Entry: Sendable {
    var playlist: String
    var stream: AudioSpecificConfig
    /// The peak and mean bitrates in bits per second.
    var bandwidth: (peak: Int, average: Int)
  }

  /// Returns the text of the playlist.
  static func text(_ entries: [Entry]) -> String {
    var text = "#EXTM3U\n#EXT-X-INDEPENDENT-SEGMENTS\n"
    for entry in entries {
      text += "#EXT-X-STREAM-INF:BANDWIDTH=\(entry.bandwidth.peak)"
      text += ",AVERAGE-BANDWIDTH=\(entry.bandwidth.average)"
      // RFC 6381, 3.3: 0x40 is MPEG-4 audio, then its object type; 5 and 29 are HE-AAC.
      text += ",CODECS=\"mp4a.40.\(entry.stream.profile.rawValue)\"\n\(entry.playlist)\n"
    }
    return text
  }
}

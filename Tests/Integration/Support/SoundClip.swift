import AacornCodec
import AacornContainers
import Foundation
import TestSignals
import Testing

/// A recording in the folder `Sound` for measuring the encoder's quality.
struct SoundClip: Sendable {
  /// The folder of the clips and of their scores.
  static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Sound")

  let name: String
  let sound: Sound

  /// All clips, sorted by name.
  static func all() throws -> [SoundClip] {
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    return try files.filter { $0.hasSuffix(".flac") }.sorted().map {
      try SoundClip(name: String($0.dropLast(5)))
    }
  }

  private init(name: String) throws {
    let work = WorkFolder()
    let file = Self.folder.appendingPathComponent("\(name).flac").path
    let facts = try Decoders.probe(file, in: work)
    let rate = try #require(facts["sample_rate"].flatMap { Int($0) })
    let channelCount = try #require(facts["channels"].flatMap { Int($0) })
    self.name = name
    sound = Sound(
      channels: try Decoders.ffmpeg(file, channels: channelCount, in: work), rate: rate)
  }

  /// The first channel alone.
  var mono: SoundClip {
    SoundClip(name: name, sound: Sound(channels: [sound.channels[0]], rate: sound.rate))
  }

  private init(name: String, sound: Sound) {
    self.name = name
    self.sound = sound
  }

  /// The audio after encoding, and decoding with ffmpeg.
  func coded(_ configuration: AACEncoder.Configuration) throws -> [[Float]] {
    let work = WorkFolder()
    let count = sound.channels.count
    let coded = try sound.coded(configuration)
    var writer = try ADTSWriter(configuration: coded.stream)
    var bytes: [UInt8] = []
    for unit in coded.units { try writer.append(unit, to: &bytes) }
    try work.write(bytes, to: "clip.aac")
    // ffmpeg decodes one channel of HE-AAC to two equal ones, because it might be parametric stereo.
    let isDoubled = count == 1 && configuration.profile == .highEfficiency
    let channels = try Decoders.ffmpeg("clip.aac", channels: isDoubled ? 2 : count, in: work)
    return try channels.prefix(count).map { decoded in
      try #require(decoded.count >= coded.trim.priming + sound.frameCount)
      return Array(decoded.dropFirst(coded.trim.priming).prefix(sound.frameCount))
    }
  }
}

extension Sound {
  /// The access units of the sound, the samples to trim, and the decoder's configuration.
  func coded(
    _ configuration: AACEncoder.Configuration
  ) throws -> (units: [AccessUnit], trim: StreamTrim, stream: AudioSpecificConfig) {
    var encoder = try AACEncoder(configuration)
    let count = channels.count
    let samples = (0..<frameCount * count).map { channels[$0 % count][$0 / count] }
    encoder.encode(interleaved: samples.span)
    let trim = encoder.finish()
    var units: [AccessUnit] = []
    while let unit = encoder.nextAccessUnit() { units.append(unit) }
    return (units, trim, encoder.audioSpecificConfig)
  }
}

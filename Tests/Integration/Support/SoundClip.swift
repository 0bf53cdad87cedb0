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

  /// The audio after encoding at 48 kb/s per channel and decoding with ffmpeg.
  func coded(effort: AACEncoder.Effort) throws -> [[Float]] {
    let work = WorkFolder()
    let count = sound.channels.count
    let coded = try sound.coded(
      AACEncoder.Configuration(
        sampleRate: sound.rate, channelCount: count,
        rateControl: .constant(bitsPerSecond: 48_000 * count), effort: effort))
    var writer = try ADTSWriter(configuration: coded.stream)
    var bytes: [UInt8] = []
    for unit in coded.units { try writer.append(unit, to: &bytes) }
    try work.write(bytes, to: "clip.aac")
    return try Decoders.ffmpeg("clip.aac", channels: count, in: work).map { decoded in
      try #require(decoded.count >= 1024 + sound.frameCount)
      return Array(decoded.dropFirst(1024).prefix(sound.frameCount))
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

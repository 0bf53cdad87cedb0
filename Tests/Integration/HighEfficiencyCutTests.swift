import AacornCodec
import AacornContainers
import AacornSignal
import AacornSoundFiles
import Foundation
import TestSignals
import Testing

/// Cuts of HE-AAC files, played by ffmpeg like the corresponding part of the original.
@Suite struct HighEfficiencyCutTests {
  private let folder = WorkFolder()

  /// Creates a file of six seconds with a core at 24 kHz, and band replication to 48 kHz.
  init() throws {
    var settings = AACEncoder.Configuration(sampleRate: 24_000, channelCount: 2, bitrate: 96_000)
    // Decoders generate substituted noise randomly, so the comparison excludes it.
    settings.tools = .all.subtracting(.noiseSubstitution)
    let coded = try Sound.music(frames: 144_000, rate: 24_000, channels: 2).coded(settings)
    var config = coded.stream
    config.extensionSampleRate = 48_000
    config.signaling = .backwardCompatible
    var writer = try CodedFileWriter(CodedFileWriter.Configuration(.m4a, stream: config))
    var bytes: [UInt8] = []
    for unit in coded.units { try writer.append(unit, to: &bytes) }
    let timing = StreamTiming(config)
    let all = timing.trim(of: coded.units.count * timing.samplesPerUnit)
    if let finish = try writer.finish(all, to: &bytes) {
      for write in finish { write.apply(to: &bytes) }
    }
    try folder.write(Data(bytes), to: "whole.m4a")
  }

  @Test(arguments: [(250, 5500), (1000, 2500), (3017, 4001)])
  func aCutIsThatPartOfTheWholeFile(start: Int, end: Int) throws {
    try folder.aacorn(
      "cut", "-q", "whole.m4a", "--start", "\(Double(start) / 1000)", "--end",
      "\(Double(end) / 1000)", "-o", "part.m4a")
    let facts = try Decoders.probe("part.m4a", in: folder)
    #expect(facts["start_pts"] == "0" && facts["time_base"] == "1/24000")
    let whole = try Decoders.ffmpeg("whole.m4a", channels: 2, in: folder)
    let part = try Decoders.ffmpeg("part.m4a", channels: 2, in: folder)
    let range = start * 48..<end * 48
    for (all, copy) in zip(whole, part) {
      // ffmpeg plays the complete last frame.
      #expect(copy.count >= range.count && copy.count < range.count + 2048)
      #expect(Sound.signalToNoise(all[range], copy[..<range.count]) > 80)
    }
  }
}

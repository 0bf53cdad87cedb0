import AacornCodec
import AacornContainers
import AacornSignal
import Testing

@testable import AacornStudio

@Suite("Profiles in the library") struct LibraryProfileTests {
  /// The entry lists the output channels: parametric stereo decodes one channel to two.
  @Test func parametricStereoHasTwoChannels() throws {
    var encoder = try AACEncoder(AACEncoder.Configuration(sampleRate: 24_000, channelCount: 1))
    encoder.encode(interleaved: [Float](repeating: 0.1, count: 48_000).span)
    _ = encoder.finish()
    var stream = encoder.audioSpecificConfig
    stream.extensionSampleRate = 48_000
    stream.hasParametricStereo = true
    stream.signaling = .backwardCompatible
    let timing = StreamTiming(stream, priming: 3010)
    var writer = try CodedFileWriter(CodedFileWriter.Configuration(.m4a, stream: stream))
    var bytes: [UInt8] = []
    var count = 0
    while var unit = encoder.nextAccessUnit() {
      unit.samplePosition = count * timing.samplesPerUnit - timing.priming
      try writer.append(unit, to: &bytes)
      count += 1
    }
    let sampleCount = count * timing.samplesPerUnit - timing.priming
    if var finish = try writer.finish(timing.trim(of: sampleCount), to: &bytes) {
      while let write = finish.next() { write.apply(to: &bytes) }
    }
    let rig = try LibraryRig()
    try rig.put(bytes, "talk.m4a")
    let entry = rig.known("talk.m4a")
    #expect(entry["status"] as? String == "fine", "\(entry)")
    #expect(entry["channels"] as? Int == 2 && entry["sampleRate"] as? Int == 48_000)
  }

  /// ADTS cannot signal SBR or parametric stereo, so that only the frames reveal them, even in a
  /// damaged file.
  @Test(arguments: [
    (AACEncoder.Profile.highEfficiencyV2, 2), (AACEncoder.Profile.highEfficiency, 2),
    (AACEncoder.Profile.highEfficiency, 1),
  ])
  func implicitProfileOfADTSIsListed(profile: AACEncoder.Profile, channelCount: Int) throws {
    var encoder = try AACEncoder(
      AACEncoder.Configuration(
        sampleRate: 48_000, channelCount: channelCount, rateControl: nil, effort: .fast,
        profile: profile))
    var writer = try ADTSWriter(configuration: encoder.audioSpecificConfig)
    var samples: [Float] = []
    for index in 0..<96_000 * channelCount { samples.append(Float(index % 101) / 200 - 0.25) }
    encoder.encode(interleaved: samples.span)
    _ = encoder.finish()
    var bytes: [UInt8] = []
    while let unit = encoder.nextAccessUnit() { try writer.append(unit, to: &bytes) }
    let rig = try LibraryRig()
    try rig.put(bytes, "whole.aac")
    try rig.put(Array(bytes.prefix(bytes.count * 6 / 10)), "cut.aac")
    for (name, status) in [("whole.aac", "fine"), ("cut.aac", "damaged")] {
      let entry = rig.known(name)
      #expect(entry["status"] as? String == status, "\(entry)")
      #expect(entry["channels"] as? Int == channelCount && entry["sampleRate"] as? Int == 48_000)
    }
    #expect(abs((rig.known("whole.aac")["seconds"] as? Double ?? 0) - 2) < 0.15)
  }

  /// The tables of an MP4 file need not signal SBR or parametric stereo either.
  @Test(arguments: [
    (AACEncoder.Profile.highEfficiencyV2, 2), (AACEncoder.Profile.highEfficiency, 1),
  ])
  func implicitProfileOfM4AIsListed(
    profile: AACEncoder.Profile, channelCount: Int
  ) throws {
    var choice = AACEncoder.Configuration(
      sampleRate: 48_000, channelCount: channelCount, rateControl: nil, effort: .fast,
      profile: profile)
    choice.signaling = .implicit
    var encoder = try AACEncoder(choice)
    var configuration = CodedFileWriter.Configuration(.m4a, stream: encoder.audioSpecificConfig)
    configuration.timing = encoder.timing
    var writer = try CodedFileWriter(configuration)
    let samples = (0..<96_000 * channelCount).map { Float($0 % 101) / 200 - 0.25 }
    encoder.encode(interleaved: samples.span)
    let trim = encoder.finish()
    var bytes: [UInt8] = []
    while let unit = encoder.nextAccessUnit() { try writer.append(unit, to: &bytes) }
    if var finish = try writer.finish(trim, to: &bytes) {
      while let write = finish.next() { write.apply(to: &bytes) }
    }
    let rig = try LibraryRig()
    try rig.put(bytes, "talk.m4a")
    let entry = rig.known("talk.m4a")
    #expect(entry["status"] as? String == "fine", "\(entry)")
    #expect(entry["channels"] as? Int == channelCount && entry["sampleRate"] as? Int == 48_000)
    #expect(abs((entry["seconds"] as? Double ?? 0) - 2) < 0.001, "\(entry)")
  }
}

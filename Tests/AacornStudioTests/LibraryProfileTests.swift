import AacornCodec
import AacornContainers
import AacornSignal
import AacornSoundFiles
import Testing

@testable import AacornStudio

/// The library lists the output channels and rate: parametric stereo decodes one channel to two.
@Suite("Profiles in the library") struct LibraryProfileTests {
  /// Returns a file of two seconds.
  private static func file(
    _ format: CodedFileWriter.Format, _ profile: AACEncoder.Profile, _ channelCount: Int,
    _ signaling: AudioSpecificConfig.Signaling?
  ) throws -> [UInt8] {
    var choice = AACEncoder.Configuration(
      sampleRate: 48_000, channelCount: channelCount, rateControl: nil, effort: .fast,
      profile: profile)
    choice.signaling = signaling
    var encoder = try AACEncoder(choice)
    var configuration = CodedFileWriter.Configuration(format, stream: encoder.audioSpecificConfig)
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
    return bytes
  }

  private func expect(
    _ status: String, _ entry: [String: Any], channelCount: Int,
    seconds: ClosedRange<Double>? = nil
  ) {
    #expect(entry["status"] as? String == status, "\(entry)")
    #expect(entry["channels"] as? Int == channelCount && entry["sampleRate"] as? Int == 48_000)
    if let seconds { #expect(seconds.contains(entry["seconds"] as? Double ?? 0), "\(entry)") }
  }

  /// ADTS cannot signal SBR or parametric stereo, so that only the frames reveal them, even in a
  /// damaged file.
  @Test(arguments: [
    (AACEncoder.Profile.highEfficiencyV2, 2), (.highEfficiency, 2), (.highEfficiency, 1),
  ])
  func implicitProfileOfADTSIsListed(profile: AACEncoder.Profile, channelCount: Int) throws {
    let bytes = try Self.file(.adts(), profile, channelCount, nil)
    let rig = try LibraryRig()
    try rig.put(bytes, "whole.aac")
    try rig.put(Array(bytes.prefix(bytes.count * 6 / 10)), "cut.aac")
    expect("fine", rig.known("whole.aac"), channelCount: channelCount, seconds: 1.85...2.15)
    expect("damaged", rig.known("cut.aac"), channelCount: channelCount)
  }

  /// The tables of an MP4 file need not signal SBR or parametric stereo either.
  @Test(arguments: [
    (AACEncoder.Profile.highEfficiencyV2, 2, AudioSpecificConfig.Signaling.implicit),
    (.highEfficiencyV2, 2, .backwardCompatible), (.highEfficiency, 1, .implicit),
  ])
  func profileOfM4AIsListed(
    profile: AACEncoder.Profile, channelCount: Int, signaling: AudioSpecificConfig.Signaling
  ) throws {
    let rig = try LibraryRig()
    try rig.put(try Self.file(.m4a, profile, channelCount, signaling), "talk.m4a")
    expect("fine", rig.known("talk.m4a"), channelCount: channelCount, seconds: 1.999...2.001)
  }
}

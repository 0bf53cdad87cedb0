import AacornCodec
import AacornContainers
import AacornRecording
import AacornSignal
import AacornSoundFiles

/// The access units of a constant signal.
struct CodedSignal {
  let units: [AccessUnit]
  let stream: AudioSpecificConfig
  let trim: StreamTrim

  init(rate: Int, channels: Int = 1, level: Float = 0.1, seconds: Int = 1) throws {
    var encoder = try AACEncoder(.init(sampleRate: rate, channelCount: channels))
    let samples = [Float](repeating: level, count: channels * rate * seconds)
    encoder.encode(interleaved: samples.span)
    trim = encoder.finish()
    stream = encoder.audioSpecificConfig
    var units: [AccessUnit] = []
    while let unit = encoder.nextAccessUnit() { units.append(unit) }
    self.units = units
  }
}

/// A file of silence with a core at 24 kHz, whose rate a decoder doubles by band replication.
struct ReplicatedFile {
  private(set) var bytes: [UInt8] = []
  let timing: StreamTiming
  let unitCount: Int
  /// The samples that M4A states.
  let sampleCount: Int

  init(
    _ format: CodedFileWriter.Format, channels: Int, seconds: Int, hasParametricStereo: Bool = false
  ) throws {
    let signal = try CodedSignal(rate: 24_000, channels: channels, level: 0, seconds: seconds)
    var stream = signal.stream
    stream.extensionSampleRate = 48_000
    stream.hasParametricStereo = hasParametricStereo
    stream.signaling = .backwardCompatible
    timing = StreamTiming(stream, priming: 3010)
    unitCount = signal.units.count
    sampleCount = unitCount * timing.samplesPerUnit - timing.priming - 1000
    var writer = try CodedFileWriter(CodedFileWriter.Configuration(format, stream: stream))
    for (index, var unit) in signal.units.enumerated() {
      unit.samplePosition = index * timing.samplesPerUnit - timing.priming
      try writer.append(unit, to: &bytes)
    }
    if var finish = try writer.finish(timing.trim(of: sampleCount), to: &bytes) {
      while let write = finish.next() { write.apply(to: &bytes) }
    }
  }
}

import AacornCodec
import AacornContainers
import AacornSignal

@testable import AacornApple

/// Fuzzes descriptions of buffers, and magic cookies.
///
/// A described buffer either returns the described number of samples or is rejected. A magic cookie
/// is either parsed or invalid. An input is flags, channels, bits, bytes per frame, frames, and the
/// memory of the buffer.
func fuzzBuffer(_ bytes: [UInt8]) {
  fuzzCookie(bytes)
  fuzzLayout(bytes)
  fuzzTimes(bytes)
  var input = FuzzInput(bytes)
  let flags = UInt32(input.byte()) << 8 | UInt32(input.byte())
  let channelCount = UInt32(input.byte())
  let bitCount = UInt32(input.byte())
  let bytesPerFrame = UInt32(input.byte())
  let frameCount = Int(input.byte())
  let description = try? PCMDescription(
    sampleRate: 48_000, formatID: PCMDescription.linearPCM, formatFlags: flags,
    bytesPerFrame: bytesPerFrame, framesPerPacket: 1, channelsPerFrame: channelCount,
    bitsPerChannel: bitCount)
  guard let description else { return }
  let area = input.rest
  var buffer = SoundBuffer(description, frameCount: frameCount, layout: nil, time: nil)
  for index in 0..<description.bufferCount {
    do throws(PCMBufferError) {
      try buffer.fill(index, from: area.span, as: description)
      require(area.count >= frameCount * Int(bytesPerFrame), "samples beyond the area")
    } catch {
      require(area.count < frameCount * Int(bytesPerFrame), error.message)
    }
  }
  require(buffer.frameCount == frameCount, "\(buffer.frameCount) frames")
}

private func fuzzCookie(_ bytes: [UInt8]) {
  guard let configuration = MagicCookie.configuration(in: bytes) else { return }
  let description = CodedAudioDescription(configuration, StreamTiming(configuration))
  // The parser skips some fields of other object types, so a copy lacks them.
  if (1...4).contains(configuration.objectType.rawValue) {
    let copy = MagicCookie.configuration(in: description.magicCookie)
    require(copy == configuration, "\(configuration) came back as \(String(describing: copy))")
  }
  guard var decoder = try? PacketDecoder(configuration) else { return }
  let sizes = bytes.suffix(4).map { Int($0) }
  let packets = PacketDecoder.ranges(sizes: sizes, byteCount: bytes.count) ?? [0..<bytes.count]
  let sound = decoder.decode(bytes, packets: packets, leadingTrim: sizes.first ?? 0)
  require(sound.map { $0.samples.allSatisfy(\.isFinite) } ?? true, "a sample that is not finite")
}

private func fuzzLayout(_ bytes: [UInt8]) {
  let channelCount = Int(bytes.last ?? 0)
  let layout = unsafe bytes.withUnsafeBytes {
    unsafe ChannelLayout(inLayout: $0, channelCount: channelCount)
  }
  require(
    layout.map { $0.speakers.count == channelCount } ?? true, "a layout with a wrong channel count")
}

private func fuzzTimes(_ bytes: [UInt8]) {
  var input = FuzzInput(bytes)
  var clock = PresentationClock()
  while !input.isEmpty {
    let value = Int64(bitPattern: UInt64(input.word()) << 32 | UInt64(input.word()))
    let time = MediaTime(value: value, timescale: Int32(bitPattern: input.word()))
    let step = clock.append(time, frameCount: Int(input.byte()), sampleRate: 1 + Int(input.byte()))
    if case .gap(let count) = step { require(count > 0, "a gap of \(count) frames") }
    require(clock.lead >= 0, "a negative lead")
    _ = time?.adding(frames: value, sampleRate: 44_100).nanoseconds
  }
}

import AacornCodec
import AacornContainers
import AacornInspection
import AacornSignal

/// Decodes a file with known and unknown length, and after a seek.
///
/// The number of frames must not exceed the capacity of the bytes. A seek must leave exactly the
/// remaining frames.
func fuzzCodedSound(_ bytes: [UInt8]) {
  let whole = decode(bytes, byteCount: UInt64(bytes.count), seeking: nil)
  require(whole.frameCount <= 8192 * (bytes.count + 1), "more audio than the bytes can contain")
  if whole.frameCount > 0 {
    var random = FuzzRandom(bytes)
    let frame = random.below(whole.frameCount)
    let rest = decode(bytes, byteCount: UInt64(bytes.count), seeking: frame)
    require(
      !rest.hasMoved || rest.frameCount == whole.frameCount - frame,
      "\(rest.frameCount) frames from \(frame) on, of \(whole.frameCount)")
  }
  _ = decode(bytes, byteCount: nil, seeking: nil)
  measure(bytes, frameCount: whole.frameCount)
}

/// Measures a file.
///
/// The report must cover all frames, and silence must not exceed the length.
private func measure(_ bytes: [UInt8], frameCount: Int) {
  var inspector = AudioInspector(byteCount: UInt64(bytes.count))
  do throws(CodedAudioError) {
    while case .need(let offset, let count) = try inspector.step() {
      let start = Int(min(offset, UInt64(bytes.count)))
      inspector.supply(Array(bytes[start..<min(start + count, bytes.count)]))
    }
  } catch {
    return
  }
  let report = inspector.report
  if report.formatChangeCount == 0 {
    require(report.frameCount == Int64(frameCount), "\(report.frameCount) of \(frameCount) frames")
  }
  require(report.truePeak >= report.peak, "a true peak below the peak")
  require(report.peak <= 10, "a peak of \(report.peak)")
  require(
    report.peak <= AudioReport.maxAllowedPeak || report.burstPosition != nil,
    "a peak of \(report.peak) that is not reported")
  let longest = report.longestSilence?.length ?? 0
  require(longest <= report.frameCount, "more silence than audio")
  require(
    report.leadingSilence <= longest && report.trailingSilence <= longest,
    "a silence longer than the longest")
}

/// Decodes a file from the start, or from a frame on once the format is known.
private func decode(
  _ bytes: [UInt8], byteCount: UInt64?, seeking frame: Int?
) -> (frameCount: Int, hasMoved: Bool) {
  var reader = CodedAudioReader(byteCount: byteCount)
  var frameCount = 0
  var channelCount = 0
  var formatCount = 0
  var hasMoved = false
  do throws(CodedAudioError) {
    while true {
      switch try reader.step() {
      case .need(let offset, let count):
        require(count > 0, "no bytes are requested")
        let start = Int(min(offset, UInt64(bytes.count)))
        reader.supply(Array(bytes[start..<min(start + count, bytes.count)]))
      case .format(let rate, let channels, let layout):
        require(rate > 0 && channels > 0, "an empty format")
        require(layout == nil || layout?.speakers.count == channels, "a layout that does not fit")
        channelCount = channels
        formatCount += 1
        if let frame, formatCount == 1 { hasMoved = reader.seek(toFrame: frame) }
      case .samples(let count):
        require(count > 0 && reader.samples.count == count * channelCount, "samples are missing")
        frameCount += count
      case .concealed(let position):
        require(position >= 0, "a negative position")
      case .damage:
        break
      case .end:
        // After a change of format, units have different lengths.
        return (frameCount, hasMoved && formatCount == 1)
      }
    }
  } catch {
    return (frameCount, false)
  }
}

import AacornRecording
import Testing

/// The scanner finds frames of MPEG audio at any position, and has no false positives.
@Suite struct MPEGAudioScannerTests {
  /// A frame of layer III at 128 kb/s and 44.1 kHz, in stereo: 417 bytes.
  private static let frame = [0xFF, 0xFB, 0x90, 0] + [UInt8](repeating: 0, count: 413)
  /// A frame at 48 kHz in mono: 384 bytes.
  private static let other = [0xFF, 0xFB, 0x94, 0xC0] + [UInt8](repeating: 0, count: 380)

  private static func frames(_ count: Int, _ frame: [UInt8] = frame) -> [UInt8] {
    (0..<count).flatMap { _ in frame }
  }

  /// Returns an ID3v2 tag of `count` bytes, whose content looks like a frame header.
  private static func tag(_ count: Int) -> [UInt8] {
    let size = count - 10
    let head: [UInt8] = [0x49, 0x44, 0x33, 3, 0, 0, 0, 0, UInt8(size >> 7), UInt8(size & 0x7F)]
    return head + (0..<size).map { frame[$0 % 4] }
  }

  private func scan(_ bytes: [UInt8]) -> MPEGAudioFrames? {
    var scanner = MPEGAudioScanner<Never>(byteCount: bytes.count) { offset, count in
      Array(bytes.dropFirst(offset).prefix(count))
    }
    let frames = scanner.frames()
    #expect(scanner.hasFrames() == (frames != nil))
    return frames
  }

  @Test func framesAloneAreOnePiece() {
    let found = scan(Self.frames(1000))
    #expect(found?.pieces == [0..<417_000])
    let seconds = 1000 * 1152 / 44_100.0
    #expect(abs((found?.duration ?? 0) - seconds) < 1e-6)
    // A single frame is a file as well; a truncated frame is not a frame.
    #expect(scan(Self.frame)?.pieces == [0..<417])
    #expect(scan(Self.frames(3) + Self.frame.prefix(300))?.pieces == [0..<1251])
  }

  @Test(arguments: [0, 1, 10, 417, 60_000])
  func tagsAndZerosBeforeThemAreLeftOut(zeros: Int) {
    let padding = [UInt8](repeating: 0, count: zeros)
    let tags = Self.tag(2000) + Self.tag(5000) + padding
    #expect(scan(padding + Self.frames(9))?.pieces == [zeros..<zeros + 3753])
    #expect(scan(tags + Self.frames(9))?.pieces == [tags.count..<tags.count + 3753])
  }

  @Test func scannerSkipsBytesBetweenAndAfterFrames() {
    let junk = (0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 197 >> 3) }
    let end = Array("TAG".utf8) + [UInt8](repeating: 0x41, count: 125)
    let bytes = Self.frames(4) + junk + Self.frames(2) + Self.tag(300) + Self.frames(1) + end
    #expect(scan(bytes)?.pieces == [0..<1668, 6668..<7502, 7802..<8219])
  }

  @Test func aChangeOfTheRateIsFollowed() {
    let found = scan(Self.frames(10) + Self.frames(20, Self.other))
    #expect(found?.pieces == [0..<4170 + 7680])
    #expect(abs((found?.duration ?? 0) - (11_520 / 44_100.0 + 0.48)) < 1e-6)
  }

  @Test func dataWithoutFramesIsRejectedAsMPEGAudio() {
    #expect(scan([]) == nil)
    #expect(scan([0xFF, 0xFB]) == nil)
    #expect(scan([UInt8](repeating: 0xFF, count: 9000)) == nil)
    // A single header, and headers of two different streams.
    #expect(scan(Self.frame + [1]) == nil)
    #expect(scan(Self.frame + Self.other + [1]) == nil)
    // Too far from the beginning.
    #expect(scan([UInt8](repeating: 0, count: 70_000) + Self.frames(9)) == nil)
  }
}

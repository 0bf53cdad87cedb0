import Testing

@testable import AacornCommands

/// Files that are shorter than their headers announce, and files that only seem shorter.
@Suite struct EncodeShortfallTests {
  private let folder = TemporaryFolder()
  private let captured = CapturedConsole()

  @Test func aFileThatIsCutShortIsEncodedAndCalledDamaged() throws {
    let input = try folder.write(Array(wavFile(frames: 9000).prefix(20_001)), to: "a.wav")
    captured.aacorn("encode", "--json", input, status: .failed)
    captured.expectErrors("is 16.0 kB shorter than its header")
    captured.expectOutput(#""status":"damaged""#, #""samples":4989,"#, #""warnings":["“"#)
    // The cause of the exit code is printed even with `--quiet`, and nothing else is.
    let quiet = CapturedConsole(running: ["encode", "-fq", input], status: .failed)
    #expect(quiet.errors.contains("is 16.0 kB shorter than its header") && quiet.output.isEmpty)
    #expect(quiet.errors.split(separator: "\n").count == 1)
    #expect(try folder.read("a.m4a").count > 1000)
  }

  /// A length that was unknown when the header was written does not count as announced.
  @Test(arguments: [UInt32(0), 0xFFFF_FFFF, 0xFFFF_F000, 0x7FFF_FFFF, 0x8000_0000])
  func unfilledLengthIsUnknown(length: UInt32) throws {
    var bytes = wavFile(frames: 3000)
    for index in 0..<4 {
      let byte = UInt8(truncatingIfNeeded: length >> (8 * UInt32(index)))
      bytes[4 + index] = byte
      bytes[40 + index] = byte
    }
    let input = try folder.write(bytes, to: "a.wav")
    captured.aacorn("encode", "--json", input)
    #expect(captured.errors.isEmpty)
    captured.expectOutput(#""status":"ok""#, #""samples":3000,"#)
  }

  /// Some writers include the padding byte of an odd length in the size; many omit the byte.
  @Test(arguments: [(3001, true), (3002, true), (3003, false)])
  func missingPadByteIsAccepted(announced: Int, isComplete: Bool) throws {
    var bytes = wavFile(frames: 3001, channels: 1)
    // 8 bits per sample.
    for (index, byte) in [(28, 0x44), (29, 0xAC), (32, 1), (34, 8)] { bytes[index] = UInt8(byte) }
    bytes[40] = UInt8(truncatingIfNeeded: announced)
    bytes[41] = UInt8(truncatingIfNeeded: announced >> 8)
    let input = try folder.write(Array(bytes.prefix(44 + 3001)), to: "a.wav")
    #expect(captured.run(["encode", "--json", input]) == (isComplete ? .success : .failed))
    #expect(captured.errors.isEmpty == isComplete)
    captured.expectOutput(#""samples":3001,"#)
  }
}

import AacornSystem
import Testing

@Suite struct SHA256Tests {
  // The examples of FIPS 180-4, and one million letters a.
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ])
  func knownDigests(text: String, digest: String) {
    #expect(SHA256.text(SHA256.digest(of: Array(text.utf8))) == digest)
  }

  @Test func instructionsOfTheProcessorMakeNoDifference() {
    let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 40_503 >> 5) }
    for count in [0, 1, 63, 64, 65, 128, 1000, 100_000] {
      var loop = SHA256(usesInstructions: false)
      loop.append(bytes[..<count])
      #expect(loop.finish() == SHA256.digest(of: Array(bytes[..<count])))
    }
  }

  @Test func piecesMakeNoDifference() {
    let bytes = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000)
    for size in [1, 63, 64, 65, 100_000] {
      var digest = SHA256()
      for start in stride(from: 0, to: bytes.count, by: size) {
        digest.append(bytes[start..<min(start + size, bytes.count)])
      }
      let expected = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
      #expect(SHA256.text(digest.finish()) == expected)
    }
  }
}

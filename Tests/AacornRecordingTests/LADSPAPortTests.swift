import AacornSystem
import Testing

@testable import AacornRecording

/// What plugins say of their ports, and where they are looked for.
@Suite struct LADSPAPortTests {
  private func port(
    _ usual: LADSPAPort.Usual?, lower: Double? = nil, upper: Double? = nil
  ) -> LADSPAPort {
    var port = LADSPAPort(name: "Cutoff, in Hz", kind: .control)
    port.lower = lower
    port.upper = upper
    port.usual = usual
    return port
  }

  @Test func namesAreWordsWithoutSeparators() {
    #expect(port(nil).word == "cutoff__in_hz")
    #expect(EffectPlugin.word(for: "A=b\t#2") == "a_b__2")
  }

  @Test func usualValuesFollowTheHints() {
    #expect(port(.lowest, lower: 2, upper: 10).usualValue(sampleRate: 100) == 2)
    #expect(port(.low, lower: 2, upper: 10).usualValue(sampleRate: 100) == 4)
    #expect(port(.middle, lower: 2, upper: 10).usualValue(sampleRate: 100) == 6)
    #expect(port(.high, lower: 2, upper: 10).usualValue(sampleRate: 100) == 8)
    #expect(port(.highest, lower: 2, upper: 10).usualValue(sampleRate: 100) == 10)
    #expect(port(.number(440), lower: 2, upper: 1000).usualValue(sampleRate: 100) == 440)
    #expect(port(nil, lower: 2, upper: 10).usualValue(sampleRate: 100) == 2)
    #expect(port(nil, lower: -2, upper: 10).usualValue(sampleRate: 100) == 0)
    #expect(port(.highest).usualValue(sampleRate: 100) == 0)
  }

  @Test func logarithmicOnesAreBetweenByTheirRatios() {
    var port = port(.middle, lower: 1, upper: 10_000)
    port.isLogarithmic = true
    #expect(abs(port.usualValue(sampleRate: 100) - 100) < 1e-6)
    port.usual = .low
    #expect(abs(port.usualValue(sampleRate: 100) - 10) < 1e-6)
    // There is no logarithm of 0.
    port.lower = 0
    #expect(port.usualValue(sampleRate: 100) == 2500)
  }

  @Test func boundsMayBePartsOfTheSamplingRate() {
    var port = port(.middle, lower: 0, upper: 0.5)
    port.isRelative = true
    #expect(port.usualValue(sampleRate: 48_000) == 12_000)
    #expect(port.allows(24_000, sampleRate: 48_000))
    #expect(!port.allows(24_001, sampleRate: 48_000) && !port.allows(-1, sampleRate: 48_000))
    #expect(port.choice(sampleRate: 48_000) == "Choose from 0 to 24000.")
  }

  @Test func wholeNumbersAndSwitchesAreTheirOwn() {
    var port = port(.middle, lower: -0.1, upper: 3.2)
    port.isWhole = true
    #expect(port.usualValue(sampleRate: 100) == 2 && !port.isSmooth)
    var other = self.port(.number(1), lower: 0, upper: 0)
    other.isSwitch = true
    #expect(other.usualValue(sampleRate: 100) == 1 && !other.isSmooth)
  }

  @Test func boundsAreWhatRoundingMakesOfThem() {
    let port = port(nil, lower: Double(Float(0.1)), upper: 5)
    #expect(port.allows(0.1, sampleRate: 100) && !port.allows(0.0999, sampleRate: 100))
    // Some plugins mix them up.
    #expect(self.port(nil, lower: 5, upper: 1).nearest(to: 9, sampleRate: 100) == 5)
  }

  @Test func filesAreLookedForInTheOrderOfTheFolders() throws {
    let (first, second) = (try Folder(), try Folder())
    let one = try first.write([0], to: "both.so")
    _ = try second.write([0], to: "both.so")
    let other = try second.write([0], to: "other.so")
    let folders = LADSPAFolders("\(first.file("")):\(second.file("")):")
    #expect(folders.file("other").map(Self.plain) == Self.plain(other))
    #expect(folders.file("other.so").map(Self.plain) == Self.plain(other))
    #expect(folders.file("both").map(Self.plain) == Self.plain(one))
    #expect(folders.file(other) == other && folders.file("missing") == nil)
    let names = folders.files.map(Self.plain)
    #expect(names.contains(Self.plain(one)) && names.contains(Self.plain(other)))
    #expect(names.filter { $0.hasSuffix("/both.so") }.count == 1)
    #expect(LADSPAFolders(nil).paths.contains("/usr/lib/ladspa"))
    withExtendedLifetime((first, second)) {}
  }

  /// Folders may end with a slash.
  private static func plain(_ path: String) -> String {
    path.split(separator: "/").joined(separator: "/")
  }
}

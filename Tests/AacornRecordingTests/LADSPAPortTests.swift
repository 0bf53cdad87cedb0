import Testing

@testable import AacornRecording

/// The port properties of plugins, and the search for plugin files.
@Suite struct LADSPAPortTests {
  private func port(
    _ defaultHint: LADSPAPort.DefaultHint?, lower: Double? = nil, upper: Double? = nil
  ) -> LADSPAPort {
    var port = LADSPAPort(name: "Cutoff, in Hz", kind: .control)
    port.lower = lower
    port.upper = upper
    port.defaultHint = defaultHint
    return port
  }

  @Test func namesAreWordsWithoutSeparators() {
    #expect(port(nil).word == "cutoff__in_hz")
    #expect(EffectPlugin.word(for: "A=b\t#2") == "a_b__2")
  }

  @Test func defaultValuesFollowHints() {
    let hints: [(LADSPAPort.DefaultHint?, lower: Double?, upper: Double?, value: Double)] = [
      (.lowest, 2, 10, 2), (.low, 2, 10, 4), (.middle, 2, 10, 6), (.high, 2, 10, 8),
      (.highest, 2, 10, 10), (.number(440), 2, 1000, 440), (nil, 2, 10, 2), (nil, -2, 10, 0),
      (.highest, nil, nil, 0),
    ]
    for (hint, lower, upper, value) in hints {
      #expect(port(hint, lower: lower, upper: upper).defaultValue(sampleRate: 100) == value)
    }
  }

  @Test func logarithmicOnesAreBetweenByTheirRatios() {
    var port = port(.middle, lower: 1, upper: 10_000)
    port.isLogarithmic = true
    #expect(abs(port.defaultValue(sampleRate: 100) - 100) < 1e-6)
    port.defaultHint = .low
    #expect(abs(port.defaultValue(sampleRate: 100) - 10) < 1e-6)
    // The logarithm of 0 does not exist, so the scale is linear.
    port.lower = 0
    #expect(port.defaultValue(sampleRate: 100) == 2500)
  }

  @Test func boundsMayBePartsOfTheSamplingRate() {
    var port = port(.middle, lower: 0, upper: 0.5)
    port.isRelative = true
    #expect(port.defaultValue(sampleRate: 48_000) == 12_000)
    #expect(port.allows(24_000, sampleRate: 48_000))
    #expect(!port.allows(24_001, sampleRate: 48_000) && !port.allows(-1, sampleRate: 48_000))
    #expect(port.rangeHint(sampleRate: 48_000) == "Choose from 0 to 24000.")
  }

  @Test func wholeNumbersAndSwitchesAreTheirOwn() {
    var port = port(.middle, lower: -0.1, upper: 3.2)
    port.isInteger = true
    #expect(port.defaultValue(sampleRate: 100) == 2 && !port.isSmooth)
    var other = self.port(.number(1), lower: 0, upper: 0)
    other.isSwitch = true
    #expect(other.defaultValue(sampleRate: 100) == 1 && !other.isSmooth)
  }

  @Test func wholeNumbersHaveNoFractions() {
    // The LADSPA interface asks for bounds slightly wider than the integers.
    var port = port(.highest, lower: -0.1, upper: 3.2)
    port.isInteger = true
    #expect(port.rangeHint(sampleRate: 100) == "Choose a whole number from 0 to 3.")
    for value in 0...3 { #expect(port.allows(Double(value), sampleRate: 100)) }
    for value in [-1, -0.1, 0.5, 2.999, 3.2, 4] {
      #expect(!port.allows(value, sampleRate: 100), "\(value)")
    }
    #expect(port.nearest(to: 1.6, sampleRate: 100) == 2)
    #expect(port.defaultValue(sampleRate: 100) == 3)
    port.upper = nil
    #expect(port.rangeHint(sampleRate: 100) == "Choose a whole number of at least 0.")
    #expect(!port.allows(1_000_000.5, sampleRate: 100))
    port.lower = nil
    #expect(port.rangeHint(sampleRate: 100) == "Choose a whole number.")
    // Bounds that were rounded to single precision are restored.
    port.isRelative = true
    (port.lower, port.upper) = (Double(Float(0.1)), 0.299_999_99)
    #expect(port.rangeHint(sampleRate: 48_000) == "Choose a whole number from 4800 to 14400.")
  }

  static let states: [(LADSPAPort.DefaultHint, Double)] = [
    (.lowest, 0), (.low, 0), (.high, 1), (.highest, 1), (.number(0), 0), (.number(1), 1),
    (.number(100), 1),
  ]

  @Test(arguments: states)
  func switchesAreOnOrOff(defaultHint: LADSPAPort.DefaultHint, wanted: Double) {
    var port = port(defaultHint)
    port.isSwitch = true
    #expect(port.defaultValue(sampleRate: 100) == wanted)
    #expect(port.allows(0, sampleRate: 100) && port.allows(1, sampleRate: 100))
    #expect(!port.allows(0.5, sampleRate: 100) && !port.allows(2, sampleRate: 100))
    #expect(port.rangeHint(sampleRate: 100) == "Choose on or off.")
  }

  @Test func logarithmicPartsOfTheSamplingRateAreThoseOfTheRateInUse() {
    var port = port(.middle, lower: 0.0001, upper: 0.49)
    (port.isRelative, port.isLogarithmic) = (true, true)
    for sampleRate in [8000, 44_100, 96_000] {
      let wanted = 0.007 * Double(sampleRate)
      #expect(abs(port.defaultValue(sampleRate: sampleRate) - wanted) < 1e-6 * wanted)
    }
    port.defaultHint = .number(440)
    #expect(port.defaultValue(sampleRate: 96_000) == 440)
    #expect(port.rangeHint(sampleRate: 44_100) == "Choose from 4.41 to 21609.")
  }

  @Test func boundsRoundTripFromFloat() {
    #expect(LADSPAPort.bound(0.1) == 0.1 && LADSPAPort.bound(-1e-5) == -0.00001)
    #expect(LADSPAPort.bound(.infinity) == nil && LADSPAPort.bound(.nan) == nil)
    // A bound this large is omitted from the message.
    let port = port(nil, lower: 0, upper: LADSPAPort.bound(.greatestFiniteMagnitude))
    #expect(port.rangeHint(sampleRate: 100) == "Choose at least 0.")
  }

  // MARK: - Ports of a plugin

  private func plugin(
    _ names: [String], _ change: (inout [LADSPAPort]) -> Void = { _ in }
  ) -> LADSPAPlugin {
    var ports = names.map { LADSPAPort(name: $0, kind: .control) }
    ports.append(LADSPAPort(name: "Input", kind: .audioInput))
    ports.append(LADSPAPort(name: "Gain", kind: .audioOutput))
    change(&ports)
    return LADSPAPlugin(
      path: "/a/b.so", index: 0, label: "l", name: "Name", maker: "", ports: ports)
  }

  private func values(_ plugin: LADSPAPlugin, _ text: String) throws(EffectError) -> [Double] {
    let effects = try EffectDescription.parse("ladspa b:l " + text)
    guard let choice = effects[0].plugin else { return [] }
    return try plugin.controls(set: choice, sampleRate: 48_000).map(\.value)
  }

  private func mistake(_ plugin: LADSPAPlugin, _ text: String) -> String? {
    do throws(EffectError) {
      _ = try values(plugin, text)
      return nil
    } catch {
      #expect(error.kind == .invalidDescription)
      return error.message
    }
  }

  @Test func portsWithEqualNamesAreNumbered() throws {
    let plugin = plugin(["Gain", "gain", "Gain_2", "GAIN", "Mix"])
    #expect(plugin.textualPortNames.prefix(5) == ["gain", "gain_3", "gain_2", "gain_4", "mix"])
    #expect(try values(plugin, "gain=1 gain_2=2 gain_3=3 gain_4=4") == [1, 3, 2, 4, 0])
    let installed = try #require(InstalledPlugin(plugin))
    #expect(installed.ports.map(\.word) == ["gain", "gain_3", "gain_2", "gain_4", "mix"])
    #expect(installed.ports[1].name == "gain")
    #expect(
      mistake(plugin, "ga=1") == "The plugin l has several ports that begin with “ga”. "
        + "They are gain, gain_3, gain_2 and gain_4.")
  }

  @Test func aPortIsNamedAsItMustBeWritten() {
    let plugin = plugin(["Gain", "gain"]) { ports in
      for index in 0..<2 { ports[index].upper = 1 }
    }
    let words = "The plugin l cannot have a value of 5 for"
    #expect(mistake(plugin, "gain_2=5") == words + " “gain_2”. Choose at most 1.")
    #expect(mistake(plugin, "gain=5") == words + " “Gain”. Choose at most 1.")
  }

  @Test func switchesHaveWordsAndOthersHaveNone() throws {
    let plugin = plugin(["Soft Knee", "Level", "Voices"]) { ports in
      ports[0].isSwitch = true
      ports[2].isInteger = true
      (ports[2].lower, ports[2].upper) = (1, 8)
    }
    #expect(try values(plugin, "soft=On") == [1, 0, 1])
    #expect(try values(plugin, "soft_knee=off voices=8") == [0, 0, 8])
    #expect(try values(plugin, "soft=1") == [1, 0, 1])
    for (text, wanted) in [
      ("soft=0.5", "0.5 for “Soft Knee”. Choose on or off."),
      ("level=on", "on for “Level”. Choose a number."),
      ("voices=2.5", "2.5 for “Voices”. Choose a whole number from 1 to 8."),
    ] {
      #expect(mistake(plugin, text) == "The plugin l cannot have a value of " + wanted)
    }
    // During processing, the nearest valid value is used.
    let choice = try #require(
      try EffectDescription.parse("ladspa b:l soft=0.5 voices=2.6")[0].plugin)
    #expect(plugin.values(nearestTo: choice, sampleRate: 48_000) == [1, 0, 3])
    let ports = try #require(InstalledPlugin(plugin)).ports
    #expect(ports.map(\.values) == [.switch, .number, .whole])
  }

  @Test func boundsAllowRoundedValues() {
    let port = port(nil, lower: Double(Float(0.1)), upper: 5)
    #expect(port.allows(0.1, sampleRate: 100) && !port.allows(0.0999, sampleRate: 100))
    // Some plugins swap their bounds.
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

  /// A path without a trailing slash.
  private static func plain(_ path: String) -> String {
    path.split(separator: "/").joined(separator: "/")
  }
}

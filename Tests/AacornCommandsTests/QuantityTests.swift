import AacornSystem
import Testing

@testable import AacornCommands

@Suite struct QuantityTests {
  @Test(arguments: [
    ("128k", 128_000), ("128000", 128_000), ("0.128M", 128_000), ("44.1k", 44_100), ("1K", 1000),
    ("0", 0), ("5.0", 5), ("007", 7), ("0.0005M", 500),
  ])
  func numbersAreParsedInCommonNotations(text: String, value: Int) {
    #expect(DecimalQuantity.parse(text) == value)
  }

  @Test(arguments: [
    "", "k", ".", "1.", ".5", "-5", "+5", "1e3", "12 k", "0x10", "1.2.3", "0.5", "1.0005k", "５",
    "99999999999999999999", "2000000000", "9999999999M",
  ])
  func invalidQuantityIsRejected(text: String) {
    #expect(DecimalQuantity.parse(text) == nil)
  }

  @Test func secondsHaveThousandths() {
    #expect(DecimalQuantity.parseMilliseconds("2.5") == 2500)
    #expect(DecimalQuantity.parseMilliseconds("0.001") == 1)
    #expect(DecimalQuantity.parseMilliseconds("5k") == nil)
    #expect(DecimalQuantity.parseMilliseconds("0.0001") == nil)
  }

  @Test func fixedPointRounds() {
    #expect(QuantityText.fixed(1.25, decimals: 1) == "1.3")
    #expect(QuantityText.fixed(0.05, decimals: 2) == "0.05")
    #expect(QuantityText.fixed(-0.004, decimals: 2) == "0.00")
    #expect(QuantityText.fixed(-1.5, decimals: 1) == "-1.5")
    #expect(QuantityText.fixed(2.5, decimals: 0) == "3")
    #expect(QuantityText.fixed(1.96, decimals: 1) == "2.0")
    #expect(QuantityText.fixed(-0.5, decimals: 0) == "-1")
    #expect(QuantityText.fixed(1e15, decimals: 0) == "?")
    #expect(QuantityText.fixed(.infinity, decimals: 1) == "?")
    #expect(QuantityText.fixed(.nan, decimals: 1) == "?")
    #expect(QuantityText.fixed(66_666_666_666_666.6, decimals: 6) == "66666666666666.601563")
    #expect(QuantityText.fixed(-6_666_666_666_666.5, decimals: 6) == "-6666666666666.500000")
  }

  @Test(arguments: [
    (0, "0 B"), (999, "999 B"), (1000, "1.00 kB"), (9994, "9.99 kB"), (9996, "10.0 kB"),
    (99_960, "100 kB"), (999_499, "999 kB"), (999_600, "1.00 MB"), (12_345_678, "12.3 MB"),
    (5_000_000_000, "5.00 GB"), (7_000_000_000_000, "7000 GB"),
  ])
  func sizesHaveThreeDigits(bytes: Int, text: String) {
    #expect(QuantityText.size(bytes) == text)
  }

  @Test(arguments: [
    (0.0, "0:00.0"), (5.24, "0:05.2"), (59.96, "1:00.0"), (205.0, "3:25.0"),
    (3723.4, "1:02:03.4"), (-1.0, "?"),
  ])
  func durationsAreFormattedAsClockTimes(seconds: Double, text: String) {
    #expect(QuantityText.duration(seconds) == text)
  }

  @Test func unitsSuitTheirValues() {
    #expect(QuantityText.bitrate(127_940) == "127.9 kb/s")
    #expect(QuantityText.frequency(44_100) == "44.1 kHz")
    #expect(QuantityText.frequency(16_000) == "16 kHz")
    #expect(QuantityText.frequency(440) == "440 Hz")
    #expect(QuantityText.frequency(11_025) == "11.025 kHz")
    #expect(QuantityText.speed(0.5) == "0.50×")
    #expect(QuantityText.speed(152.3) == "152×")
    #expect(QuantityText.count(1, "file") == "1 file")
    #expect(QuantityText.count(0, "file") == "0 files")
  }

  @Test func progressFitsTheTerminal() {
    let progress = ProgressLine.Progress(label: "song.wav", fraction: 0.5, seconds: 30)
    let line = ProgressLine.text(progress, elapsed: 0.25, columns: 80)
    #expect(line.contains("[###############---------------]"))
    #expect(line.contains("50 %  120×  0:00 left"))
    for columns in [1, 10, 40, 80, 200] {
      let long = ProgressLine.Progress(
        label: String(repeating: "x", count: 100), fraction: 0.3, seconds: 3600)
      #expect(ProgressLine.text(long, elapsed: 10, columns: columns).count <= max(columns - 1, 1))
    }
    let unknown = ProgressLine.Progress(label: "-", fraction: nil, seconds: 90)
    #expect(ProgressLine.text(unknown, elapsed: 1, columns: 80) == "-  1:30.0  90.0×")
  }
}

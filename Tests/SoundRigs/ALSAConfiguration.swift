import AacornSystem
public import Foundation

/// A configuration for alsa-lib with devices that need no sound card and fail on demand.
///
/// It has these names beside the system's own:
///
///     default                   a card that is not there
///     testmic                   a device without faults, which shows in lists of inputs
///     testspeaker               another, which shows in lists of outputs
///     fault:ID=…,FAULT=…        the device of Tests/ALSAFaultDriver, see `device`
///     rawfile:FILE=…            what a file holds, without any clock, see `file`
///     pulsemic:SERVER=…,…       a source or sink of a PulseAudio server, see `pulse`
public final class ALSAConfiguration: Sendable {
  /// What a test cannot do without; a sentence.
  public struct Failure: Error, CustomStringConvertible {
    /// What is missing.
    public let description: String
  }

  /// What goes wrong with a device, once in a process; in frames since its first start.
  public enum Fault: Sendable {
    /// A call hangs for a time, in which the device goes on.
    case hang(at: Int, milliseconds: Int)
    /// The device stops with an overrun; started again, it leaves out frames.
    case overrun(at: Int, lost: Int)
    /// The device stops as if it had run dry.
    case underrun(at: Int)
    /// The device goes away for a time, and is not there for others either.
    case disconnection(at: Int, milliseconds: Int)
    /// The device sleeps for a time; afterwards it can resume, or has to be prepared.
    case suspension(at: Int, milliseconds: Int, canResume: Bool)
    /// Reading and writing fail with an error of the system's for a time.
    case error(Int, at: Int, milliseconds: Int)
    /// No samples come or go any more, until the device is opened again.
    case stall(at: Int)
    /// No write is taken as a whole that has more frames.
    case shortWrites(most: Int)

    fileprivate var arguments: String {
      switch self {
      case .hang(let frame, let time): "FAULT=hang,AT=\(frame),AWAY=\(time)"
      case .overrun(let frame, let lost): "FAULT=xrun,AT=\(frame),LOST=\(lost)"
      case .underrun(let frame): "FAULT=xrun,AT=\(frame)"
      case .disconnection(let frame, let time): "FAULT=disconnect,AT=\(frame),AWAY=\(time)"
      case .suspension(let frame, let time, let canResume):
        "FAULT=\(canResume ? "suspend" : "sleep"),AT=\(frame),AWAY=\(time)"
      case .error(let code, let frame, let time):
        "FAULT=error,CODE=\(code),AT=\(frame),AWAY=\(time)"
      case .stall(let frame): "FAULT=stall,AT=\(frame)"
      case .shortWrites(let most): "FAULT=short,LOST=\(most)"
      }
    }
  }

  /// The folder with the configuration and the driver.
  public let folder: URL

  private init() throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("alsa-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    do {
      try buildDriver()
      try text.write(to: file, atomically: true, encoding: .utf8)
    } catch {
      remove()
      throw error
    }
  }

  /// Deletes the folder; a driver in use goes on.
  public func remove() {
    try? FileManager.default.removeItem(at: folder)
  }

  // MARK: Use

  private static let installed = Result {
    let configuration = try ALSAConfiguration()
    unsafe setenv("ALSA_CONFIG_PATH", configuration.file.path, 1)
    onExit(remove: configuration)
    return configuration
  }

  /// Has this process use the configuration; before its first call of alsa-lib.
  @discardableResult
  public static func install() throws -> ALSAConfiguration {
    try installed.get()
  }

  /// What another program needs in its environment to use the configuration.
  public var environment: [String: String] { ["ALSA_CONFIG_PATH": file.path] }

  /// The name of a device whose samples tell the number of their frame, see `frame(of:)`, and which
  /// looks whether what is played on it is numbered so, see `playedCount`.
  ///
  /// `id` makes it another device than the others, `latency` is how many frames pass from a
  /// sample's capture until it can be read, or from the end of the buffer until it sounds, and `buffer` how many the device holds at most; `map` says
  /// what its channels are for, such as `FL-FR-FC`.
  public static func device(
    _ id: String, rate: Int = 48000, channels: Int = 2, format: String = "S32_LE",
    latency: Int = 0, buffer: Int = 48000, map: String? = nil, fault: Fault? = nil
  ) -> String {
    "fault:ID=\(id),RATE=\(rate),CHANNELS=\(channels),FORMAT=\(format),LATENCY=\(latency),"
      + "BUFFER=\(buffer)" + (map.map { ",MAP=\($0)" } ?? "")
      + (fault.map { ",\($0.arguments)" } ?? "")
  }

  /// The name of a device that delivers a file of bare 32-bit samples, at any rate and in as many
  /// channels as asked for, then its end again and again.
  public static func file(_ url: URL) -> String {
    "rawfile:FILE='\(url.path)'"
  }

  /// How often a device was called by the library since it was first opened.
  ///
  /// That shows busy waiting where processor time would be that of other tests, too.
  public func callCount(ofDevice id: String) -> Int {
    number("aacornfault_call_count", ofDevice: id)
  }

  /// Whether anybody has a device open.
  public func isOpen(device id: String) -> Bool {
    number("aacornfault_open_count", ofDevice: id) > 0
  }

  /// Whether what is to go wrong with a device has begun.
  public func hasFailed(device id: String) -> Bool {
    number("aacornfault_has_failed", ofDevice: id) > 0
  }

  /// How long, in seconds, nobody looked at a device that ran, at worst: at once, or in rests of over 20 ms
  /// between two reads.
  ///
  /// Longer than its buffer, and samples are lost through no fault of the program's: the machine had other
  /// things to do, or the device hung.
  public func longestRest(ofDevice id: String) -> Double {
    Double(number("aacornfault_longest_rest", ofDevice: id)) * 1e-9
  }

  /// How many frames with a number were played on a device.
  public func playedCount(ofDevice id: String) -> Int {
    number("aacornfault_played_count", ofDevice: id)
  }

  /// How many frames of silence were played after the first that had a number.
  public func silentCount(ofDevice id: String) -> Int {
    number("aacornfault_silent_count", ofDevice: id)
  }

  /// How often the number of a frame that was played did not follow the one before, or did not fit
  /// in all channels.
  public func breakCount(ofDevice id: String) -> Int {
    number("aacornfault_break_count", ofDevice: id)
      + number("aacornfault_wrong_count", ofDevice: id)
  }

  /// When a device was first started, in nanoseconds of the monotonic clock; 0 before.
  public func startTime(ofDevice id: String) -> Int64 {
    Int64(number("aacornfault_start_time", ofDevice: id))
  }

  /// What a function of the driver says of a device.
  private func number(_ name: String, ofDevice id: String) -> Int {
    guard let library = unsafe dlopen(driver.path, RTLD_NOW | RTLD_NOLOAD) else { return 0 }
    defer { unsafe dlclose(library) }
    guard let symbol = unsafe dlsym(library, name) else { return 0 }
    typealias Function = @convention(c) (UnsafePointer<CChar>) -> Int
    let function = unsafe unsafeBitCast(symbol, to: Function.self)
    return unsafe function(id)
  }

  /// The name of a source or sink of a PulseAudio server, by way of the plug-in for that.
  public static func pulse(_ source: String, server: String) -> String {
    "pulsemic:SERVER='\(server)',SOURCE='\(source)'"
  }

  /// The samples that a device with `format` gives for a frame.
  public static func samples(
    ofFrame frame: Int, channels: Int = 2, format: String = "S32_LE"
  ) -> [Float] {
    (0..<channels).map { channel in
      format == "S16_LE"
        ? Float((channel % 2 == 0 ? frame : frame >> 15) & 0x7FFF) * 0x1p-15
        : Float((frame * channels + channel) & 0x7FFFFF) * 0x1p-23
    }
  }

  /// The number of the frame that a device gave these samples, in a range of some millions.
  public static func frame(
    of samples: ArraySlice<Float>, format: String = "S32_LE"
  ) -> Int {
    guard let first = samples.first else { return 0 }
    if format != "S16_LE" { return Int(first * 0x1p23) / samples.count }
    return Int(first * 0x1p15) | Int((samples.dropFirst().first ?? 0) * 0x1p15) << 15
  }

  // MARK: Making

  private var file: URL { folder.appendingPathComponent("asound.conf") }
  private var driver: URL {
    folder.appendingPathComponent("libasound_module_pcm_aacornfault.so")
  }

  private func buildDriver() throws {
    let source = Self.tests.appendingPathComponent("ALSAFaultDriver/aacornfault.c")
    let complaints = try Self.compile([
      "-O1", "-shared", "-fPIC", "-DPIC", "-o", driver.path, source.path, "-lasound",
    ])
    if !FileManager.default.fileExists(atPath: driver.path) {
      throw Failure(description: "The ALSA driver of the tests does not compile:\n\(complaints)")
    }
  }

  /// Compares the declarations of the target CAacornALSA with the library's header files; what is wrong.
  public static func checkDeclarations() throws -> String {
    let header = tests.deletingLastPathComponent().appendingPathComponent(
      "Sources/CAacornALSA/include")
    let check = tests.appendingPathComponent("CAacornALSAHeaderCheck/check.c")
    return try compile(["-fsyntax-only", "-Werror", "-I", header.path, check.path])
  }

  private static var tests: URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  }

  /// Runs the C compiler and tells what it complains of.
  private static func compile(_ arguments: [String]) throws -> String {
    guard FileManager.default.fileExists(atPath: "/usr/include/alsa/asoundlib.h") else {
      throw Failure(description: "The ALSA tests need the package libasound2-dev.")
    }
    let compiler = Process()
    compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    compiler.arguments = ["cc"] + arguments
    let output = Pipe()
    compiler.standardError = output
    try compiler.run()
    let words = output.fileHandleForReading.readDataToEndOfFile()
    compiler.waitUntilExit()
    return String(decoding: words, as: UTF8.self)
  }

  private var text: String {
    """
    </usr/share/alsa/alsa.conf>
    pcm_type.aacornfault { lib "\(driver.path)" }
    pcm.!default { type hw card 31 }
    pcm.testmic {
      type aacornfault id testmic rate 44100 channels 1 format S16_LE direction capture
      hint { show on description "A microphone of the tests" }
    }
    pcm.testspeaker {
      type aacornfault id testspeaker rate 48000 channels 2 format S16_LE direction playback
      hint { show on description "A loudspeaker of the tests" }
    }
    pcm.testsilence { type null }
    pcm.fault {
      @args [ ID RATE CHANNELS FORMAT FAULT AT LOST AWAY CODE LATENCY BUFFER MAP ]
      @args.ID { type string default "plain" }
      @args.RATE { type integer default 48000 }
      @args.CHANNELS { type integer default 2 }
      @args.FORMAT { type string default "S32_LE" }
      @args.FAULT { type string default "none" }
      @args.AT { type integer default 0 }
      @args.LOST { type integer default 0 }
      @args.AWAY { type integer default 0 }
      @args.CODE { type integer default 5 }
      @args.LATENCY { type integer default 0 }
      @args.BUFFER { type integer default 48000 }
      @args.MAP { type string default "none" }
      type aacornfault
      id $ID rate $RATE channels $CHANNELS format $FORMAT
      fault $FAULT at $AT lost $LOST away $AWAY code $CODE latency $LATENCY buffer $BUFFER map $MAP
    }
    pcm.pulsemic {
      @args [ SERVER SOURCE ]
      @args.SERVER { type string }
      @args.SOURCE { type string }
      type pulse
      server $SERVER
      device $SOURCE
    }
    pcm.rawfile {
      @args [ FILE ]
      @args.FILE { type string }
      type file
      slave.pcm "null"
      file "/dev/null"
      infile $FILE
      format "raw"
    }

    """
  }

  /// The folder that goes when the process ends.
  private static let lastFolder = Lock<URL?>(nil)

  private static func onExit(remove configuration: ALSAConfiguration) {
    lastFolder.withLock { $0 = configuration.folder }
    atexit {
      guard let folder = ALSAConfiguration.lastFolder.withLock({ $0 }) else { return }
      try? FileManager.default.removeItem(at: folder)
    }
  }
}

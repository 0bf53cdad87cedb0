import AacornSystem
public import Foundation

/// A configuration for alsa-lib with devices that need no sound card and fail on demand.
///
/// It adds these names to the system's:
///
///     default                   a card that does not exist
///     testmic                   a device without faults in lists of inputs
///     testspeaker               a device without faults in lists of outputs
///     fault:ID=…,FAULT=…        the device of Tests/ALSAFaultDriver, see `device`
///     rawfile:FILE=…            the content of a file, without a clock, see `file`
///     pulsemic:SERVER=…,…       a source or sink of a PulseAudio server, see `pulse`
public final class ALSAConfiguration: Sendable {
  /// A missing requirement of a test, as a message.
  public struct Failure: Error, CustomStringConvertible {
    /// The message.
    public let description: String
  }

  /// The fault of a device, once per process, at a number of frames since its first start.
  public enum Fault: Sendable {
    /// A call hangs for a time, during which the device continues.
    case hang(at: Int, milliseconds: Int)
    /// The device stops with an overrun; after a restart, it skips frames.
    case overrun(at: Int, lost: Int)
    /// The device stops with an underrun.
    case underrun(at: Int)
    /// The device is disconnected for a time, also for other programs.
    case disconnection(at: Int, milliseconds: Int)
    /// The device is suspended for a time. Then it can resume, or must be prepared again.
    case suspension(at: Int, milliseconds: Int, canResume: Bool)
    /// Reading and writing fail with a system error for a time.
    case error(Int, at: Int, milliseconds: Int)
    /// Samples stop until the device is reopened.
    case stall(at: Int)
    /// A write accepts at most this number of frames.
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

  /// Deletes the folder; a loaded driver continues to work.
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

  /// Makes this process use the configuration; call it before the first call of alsa-lib.
  @discardableResult
  public static func install() throws -> ALSAConfiguration {
    try installed.get()
  }

  /// The environment variables of another program that uses the configuration.
  public var environment: [String: String] { ["ALSA_CONFIG_PATH": file.path] }

  /// Returns the name of a device with numbered frames, see `frame(of:)`, which checks the numbers
  /// of played frames, see `playedCount`.
  ///
  /// `id` distinguishes the device from others. `latency` is the number of frames between a
  /// sample's capture and the time at which it can be read, or between the end of the buffer and
  /// the time at which it is audible. `buffer` is the maximum number of frames in the buffer, and
  /// `map` has the positions of the channels, such as `FL-FR-FC`.
  public static func device(
    _ id: String, rate: Int = 48000, channels: Int = 2, format: String = "S32_LE",
    latency: Int = 0, buffer: Int = 48000, map: String? = nil, fault: Fault? = nil
  ) -> String {
    "fault:ID=\(id),RATE=\(rate),CHANNELS=\(channels),FORMAT=\(format),LATENCY=\(latency),"
      + "BUFFER=\(buffer)" + (map.map { ",MAP=\($0)" } ?? "")
      + (fault.map { ",\($0.arguments)" } ?? "")
  }

  /// Returns the name of a device that delivers a file of bare 32-bit samples, at any rate and with
  /// any number of channels.
  ///
  /// Then it reports the end repeatedly.
  public static func file(_ url: URL) -> String {
    "rawfile:FILE='\(url.path)'"
  }

  /// Returns the number of library calls for a device since it was first opened.
  ///
  /// A large number shows a busy loop. Processor time would include other tests.
  public func callCount(ofDevice id: String) -> Int {
    number("aacornfault_call_count", ofDevice: id)
  }

  /// Returns whether any client has a device open.
  public func isOpen(device id: String) -> Bool {
    number("aacornfault_open_count", ofDevice: id) > 0
  }

  /// Returns whether the fault of a device has begun.
  public func hasFailed(device id: String) -> Bool {
    number("aacornfault_has_failed", ofDevice: id) > 0
  }

  /// Returns the longest time in seconds for which a running device was not polled: a single pause,
  /// or the sum of pauses of over 20 ms between two reads.
  ///
  /// If it is longer than the device's buffer, samples are lost through no fault of the program:
  /// the machine was busy, or the device hung.
  public func maxIdleSeconds(ofDevice id: String) -> Double {
    Double(number("aacornfault_longest_rest", ofDevice: id)) * 1e-9
  }

  /// Returns the number of numbered frames that were played on a device.
  public func playedCount(ofDevice id: String) -> Int {
    number("aacornfault_played_count", ofDevice: id)
  }

  /// Returns the number of silent frames that were played after the first numbered one.
  public func silentCount(ofDevice id: String) -> Int {
    number("aacornfault_silent_count", ofDevice: id)
  }

  /// Returns the number of played frames whose number did not follow the previous one or differed
  /// between channels.
  public func breakCount(ofDevice id: String) -> Int {
    number("aacornfault_break_count", ofDevice: id)
      + number("aacornfault_wrong_count", ofDevice: id)
  }

  /// Returns the time of a device's first start in nanoseconds of the monotonic clock; 0 before it.
  public func startTime(ofDevice id: String) -> Int64 {
    Int64(number("aacornfault_start_time", ofDevice: id))
  }

  /// Calls a function of the driver with the name of a device.
  private func number(_ name: String, ofDevice id: String) -> Int {
    guard let library = unsafe dlopen(driver.path, RTLD_NOW | RTLD_NOLOAD) else { return 0 }
    defer { unsafe dlclose(library) }
    guard let symbol = unsafe dlsym(library, name) else { return 0 }
    typealias Function = @convention(c) (UnsafePointer<CChar>) -> Int
    let function = unsafe unsafeBitCast(symbol, to: Function.self)
    return unsafe function(id)
  }

  /// Returns the name of a source or sink of a PulseAudio server, used through ALSA's plug-in.
  public static func pulse(_ source: String, server: String) -> String {
    "pulsemic:SERVER='\(server)',SOURCE='\(source)'"
  }

  /// Returns the samples of a frame from a device with `format`.
  public static func samples(
    ofFrame frame: Int, channels: Int = 2, format: String = "S32_LE"
  ) -> [Float] {
    (0..<channels).map { channel in
      format == "S16_LE"
        ? Float((channel % 2 == 0 ? frame : frame >> 15) & 0x7FFF) * 0x1p-15
        : Float((frame * channels + channel) & 0x7FFFFF) * 0x1p-23
    }
  }

  /// Returns the number of the frame with these samples, in a range of some millions.
  public static func frame(
    of samples: ArraySlice<Float>, format: String = "S32_LE"
  ) -> Int {
    guard let first = samples.first else { return 0 }
    if format != "S16_LE" { return Int(first * 0x1p23) / samples.count }
    return Int(first * 0x1p15) | Int((samples.dropFirst().first ?? 0) * 0x1p15) << 15
  }

  // MARK: Creation

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

  /// Compares the declarations of the target CAacornALSA with the library's header files; returns
  /// the differences.
  public static func checkDeclarations() throws -> String {
    let header = tests.deletingLastPathComponent().appendingPathComponent(
      "Sources/CAacornALSA/include")
    let check = tests.appendingPathComponent("CAacornALSAHeaderCheck/check.c")
    return try compile(["-fsyntax-only", "-Werror", "-I", header.path, check.path])
  }

  private static var tests: URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  }

  /// Runs the C compiler and returns its messages.
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

  /// The folder that is deleted when the process ends.
  private static let lastFolder = Lock<URL?>(nil)

  private static func onExit(remove configuration: ALSAConfiguration) {
    lastFolder.withLock { $0 = configuration.folder }
    atexit {
      guard let folder = ALSAConfiguration.lastFolder.withLock({ $0 }) else { return }
      try? FileManager.default.removeItem(at: folder)
    }
  }
}

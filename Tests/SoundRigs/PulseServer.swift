package import Foundation

/// A test's own PulseAudio server, which needs no sound card or session and leaves no files behind.
///
/// Clients connect to `address`.
package final class PulseServer: RigServer {
  /// A module to load: its name and arguments.
  package typealias Module = String

  /// The modules that the start loads.
  private let modules: [Module]

  /// Starts a server with these modules and the one for clients.
  package init(modules: [Module] = []) throws {
    self.modules = modules
    try super.init(named: "pulse")
    try start()
  }

  /// The address for clients.
  package var address: String { "unix:\(folder.path)/socket" }

  /// The environment variables of programs that use only this server.
  package var environment: [String: String] {
    [
      "PULSE_SERVER": address, "XDG_RUNTIME_DIR": folder.path, "HOME": folder.path,
      "PULSE_RUNTIME_PATH": folder.path, "PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C",
      "DBUS_SESSION_BUS_ADDRESS": "disabled:",
    ]
  }

  /// Returns a module with an output without a device, whose monitor delivers the played audio.
  package static func nullSink(
    _ name: String, format: String = "s16le"
  ) -> Module {
    // Without norewinds, a monitor may be silent for its first seconds.
    "module-null-sink sink_name=\(name) norewinds=1 rate=48000 channels=2 format=\(format)"
  }

  /// Returns a module with an input that delivers the audio written to a pipe, see `feed`.
  package static func pipeSource(_ name: String) -> Module {
    "module-pipe-source source_name=\(name) file=FOLDER/\(name).pipe format=s16le"
      + " rate=48000 channels=2"
  }

  /// Returns the pipe of a pipe source.
  package func pipe(of source: String) -> URL { folder.appendingPathComponent("\(source).pipe") }

  private func located(_ module: Module) -> Module {
    module.replacingOccurrences(of: "FOLDER", with: folder.path)
  }

  // MARK: Start and end

  private func start() throws {
    let program = try findProgram("pulseaudio", package: "pulseaudio")
    var arguments = [
      program, "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no",
      "--disallow-exit=yes", "--log-target=stderr",
      "-L", "module-native-protocol-unix socket=\(folder.path)/socket auth-anonymous=1",
    ]
    for module in modules { arguments += ["-L", located(module)] }
    try """
    default-sample-rate = 48000
    avoid-resampling = yes
    flat-volumes = no
    high-priority = yes
    realtime-scheduling = yes

    """.write(
      to: folder.appendingPathComponent("daemon.conf"), atomically: true, encoding: .utf8)

    let isReady = try launch(
      arguments,
      environment: environment.merging(["PULSE_CONFIG": folder.path + "/daemon.conf"]) { $1 }
    ) { (try? control("info")) != nil }
    if isReady { return }
    _ = try findProgram("pactl", package: "pulseaudio-utils")
    throw RigFailure("The server does not start. Its output:\n\(log.suffix(2000))")
  }

  // MARK: Control

  /// Loads a module and returns its number.
  @discardableResult
  package func load(_ module: Module) throws -> Int {
    let words = located(module).split(separator: " ").map(String.init)
    let output = try control(["load-module"] + words)
    guard let index = Int(output.trimmingCharacters(in: .whitespacesAndNewlines)) else {
      throw RigFailure("Loading \(module) gave “\(output)”.")
    }
    return index
  }

  /// Unloads the module with this number.
  package func unload(_ module: Int) throws {
    try control("unload-module", String(module))
  }

  /// Makes a source the server's default input.
  package func setDefaultSource(_ name: String) throws {
    try control("set-default-source", name)
  }

  /// Runs `pactl` and returns its output.
  @discardableResult
  package func control(_ arguments: String...) throws -> String {
    try control(arguments)
  }

  private func control(_ arguments: [String]) throws -> String {
    let program = try findProgram("pactl", package: "pulseaudio-utils")
    return try runProgram([program] + arguments, environment: environment, folder: folder)
  }

  // MARK: Audio

  /// Writes samples to the pipe of a pipe source, at the speed of a microphone.
  ///
  /// `sample` receives the frame and the channel. Returns when all samples are written, or the
  /// server has ended. It may be called on any thread, which is why its parameter is the pipe
  /// instead of the server.
  package static func feed(
    _ pipe: URL, frames: Range<Int>, _ sample: (_ frame: Int, _ channel: Int) -> Int16
  ) throws {
    let descriptor = unsafe open(pipe.path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw RigFailure("The pipe \(pipe.path) cannot be opened (errno \(errno)).")
    }
    defer { close(descriptor) }
    // The end of a server must not end the test.
    var pipeSignal = sigset_t()
    var before = sigset_t()
    unsafe sigemptyset(&pipeSignal)
    unsafe sigaddset(&pipeSignal, SIGPIPE)
    unsafe pthread_sigmask(SIG_BLOCK, &pipeSignal, &before)
    defer {
      var nothing = timespec()
      _ = unsafe sigtimedwait(&pipeSignal, nil, &nothing)
      unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
    }
    let start = DispatchTime.now().uptimeNanoseconds
    let (rate, channels) = (48_000, 2)
    let step = rate / 100
    for first in stride(from: frames.lowerBound, to: frames.upperBound, by: step) {
      var bytes: [Int16] = []
      for frame in first..<min(first + step, frames.upperBound) {
        for channel in 0..<channels { bytes.append(sample(frame, channel)) }
      }
      guard write(bytes, to: descriptor) else { return }
      let done = first + step - frames.lowerBound
      let due = start + UInt64(done) * 1_000_000_000 / UInt64(rate)
      let now = DispatchTime.now().uptimeNanoseconds
      if due > now { usleep(UInt32((due - now) / 1000)) }
    }
  }

  /// Returns false if no process reads the samples.
  private static func write(_ samples: [Int16], to descriptor: Int32) -> Bool {
    let deadline = Date() + TestTimeout.seconds
    return unsafe samples.withUnsafeBytes { bytes in
      var offset = 0
      while offset < bytes.count {
        let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[offset...])
        let count = unsafe Foundation.write(descriptor, rest.baseAddress, rest.count)
        if count < 0 && errno != EAGAIN && errno != EINTR { return false }
        if count <= 0 {
          if Date() > deadline { return false }
          usleep(2_000)
        }
        offset += max(0, count)
      }
      return true
    }
  }
}

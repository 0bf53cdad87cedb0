import Foundation

/// Runs a program and measures it.
enum Child {
  struct Usage {
    var userSeconds: Double
    var wallSeconds: Double
    var peakBytes: Int
  }

  /// Returns the path of the first program of this name in PATH.
  static func find(_ name: String) -> String? {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
      .map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// Runs a program to its end; `output` receives standard output and standard error.
  static func run(
    _ path: String, _ arguments: [String], output: String = "/dev/null"
  ) throws
    -> Usage
  {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    var pointers: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) }
    pointers.append(nil)
    defer { for pointer in pointers { free(pointer) } }
    var identifier = pid_t()
    let start = DispatchTime.now()
    guard posix_spawn(&identifier, path, &actions, nil, pointers, environ) == 0 else {
      throw Failure("cannot start \(path)")
    }
    var status: Int32 = 0
    var usage = rusage()
    while wait4(identifier, &status, 0, &usage) < 0 {
      guard errno == EINTR else { throw Failure("cannot wait for \(path)") }
    }
    let wall = DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds
    guard status == 0 else {
      throw Failure("\(path) \(arguments.joined(separator: " ")) failed (status \(status >> 8))")
    }
    #if os(Linux)
    let unit = 1024
    #else
    let unit = 1
    #endif
    return Usage(
      userSeconds: Double(usage.ru_utime.tv_sec) + Double(usage.ru_utime.tv_usec) * 1e-6,
      wallSeconds: Double(wall) * 1e-9, peakBytes: Int(usage.ru_maxrss) * unit)
  }
}

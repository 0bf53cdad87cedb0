package import Foundation

/// A missing requirement of a test, or the failure of a program, as a message with the remedy.
package struct RigFailure: Error, CustomStringConvertible {
  package let description: String
  package init(_ description: String) { self.description = description }
}

/// Returns the path of a program, or throws an error that names its Debian package.
package func findProgram(_ name: String, package: String) throws -> String {
  let folders = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
  for folder in (folders + ":/usr/sbin:/sbin").split(separator: ":") {
    let path = "\(folder)/\(name)"
    if FileManager.default.isExecutableFile(atPath: path) { return path }
  }
  throw RigFailure("There is no \(name). Scripts/setup --tests installs \(package).")
}

/// Runs a program to its end, and returns its output.
///
/// Ends it on timeout. `command` begins with its path. The output is in a temporary file of
/// `folder`, since a full pipe would block the program.
package func runProgram(
  _ command: [String], environment: [String: String]? = nil, folder: URL
) throws -> String {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: command[0])
  process.arguments = Array(command.dropFirst())
  if let environment { process.environment = environment }
  let file = folder.appendingPathComponent("\(UUID().uuidString).out")
  try Data().write(to: file)
  defer { try? FileManager.default.removeItem(at: file) }
  let output = try FileHandle(forWritingTo: file)
  defer { try? output.close() }
  process.standardInput = FileHandle.nullDevice
  process.standardOutput = output
  process.standardError = output
  try process.run()
  let call = command.joined(separator: " ")
  guard eventually({ !process.isRunning }) else {
    _ = kill(process.processIdentifier, SIGKILL)
    throw RigFailure("“\(call)” did not end.")
  }
  let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
  guard process.terminationStatus == 0 else { throw RigFailure("“\(call)” failed: \(text)") }
  return text
}

/// Creates a temporary folder for the files of a program.
package func makeRigFolder(for program: String, mode: Int = 0o700) throws -> URL {
  let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("\(program)-\(UUID().uuidString.prefix(8))")
  try makeFolder(folder, mode: mode)
  return folder
}

/// Creates a folder with permissions, whatever the umask.
package func makeFolder(_ folder: URL, mode: Int) throws {
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder.path)
}

extension URL {
  /// Returns the text of a file in this folder, or an empty string.
  package func text(of name: String) -> String {
    (try? String(contentsOf: appendingPathComponent(name), encoding: .utf8)) ?? ""
  }
}

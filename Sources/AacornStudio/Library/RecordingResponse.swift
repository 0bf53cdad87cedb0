import AacornNetwork
import AacornRecording
import AacornSystem

/// The response with the contents of a recording.
enum RecordingResponse {
  /// Returns the response with a recording's current contents; of a growing file, the bytes present
  /// now.
  static func file(_ file: FileBytes, _ name: RecordingName, isDownload: Bool) -> HTTPResponse {
    var headers = [
      HTTPField("Content-Type", name.format?.contentType ?? "application/octet-stream"),
      HTTPField("ETag", file.version.tag),
      HTTPField("Cache-Control", "no-cache"),
    ]
    if isDownload { headers.append(HTTPField("Content-Disposition", disposition(name.text))) }
    return HTTPResponse(headers: headers, file: file.body)
  }

  /// Returns the header value that makes a browser save the response under a name (RFC 6266 4).
  ///
  /// The plain `filename` is for clients that do not support `filename*`, and omits characters that
  /// they could misinterpret (RFC 6266 appendix D).
  static func disposition(_ name: String) -> String {
    var plain = ""
    // Programs that later show the saved name may hide invisible characters.
    let name = name.replacingUnseen { _ in "" }
    for scalar in name.unicodeScalars {
      let isPrintableASCII = scalar.value >= 0x20 && scalar.value < 0x7F
      let isMark = scalar == "\"" || scalar == "\\" || scalar == "%"
      plain.unicodeScalars.append(isPrintableASCII && !isMark ? scalar : "_")
    }
    // All bytes of the class `attr-char` need no encoding (RFC 8187 3.2.1).
    let encoded = PercentCoding.encode(name, keeping: "!#$&+^`|")
    return "attachment; filename=\"\(plain)\"; filename*=UTF-8''\(encoded)"
  }
}

extension SoundFileFormat {
  /// The media type for browsers (IANA registry, or the type that browsers use if there is no
  /// registered one).
  var contentType: String {
    switch self {
    case .m4a: "audio/mp4"
    case .aac: "audio/aac"
    case .wav: "audio/wav"
    case .caf: "audio/x-caf"
    case .aiff: "audio/aiff"
    case .latm: "audio/MP4A-LATM"
    }
  }
}

extension RecordingVersion {
  /// The entity tag of the state (RFC 9110 8.8.3).
  var tag: String { "\"\(String(size, radix: 16))-\(String(modified, radix: 16))\"" }
}

/// An ordinary file that can be read at any position until the studio stops.
struct FileBytes: Sendable {
  /// The file as a response body; closes the file when the last reference is released.
  let body: HTTPFile
  /// The state of the file when it was opened; later bytes do not count.
  let version: RecordingVersion
  private let descriptor: Int32
  private let isStopped: @Sendable () -> Bool

  init(
    _ path: String, isStopped: @escaping @Sendable () -> Bool = { false }
  ) throws(SystemError) {
    let (descriptor, status) = try System.openOrdinaryFile(path)
    self.descriptor = descriptor
    version = RecordingVersion(size: status.size, modified: status.modified)
    body = HTTPFile(descriptor: descriptor, count: status.size)
    self.isStopped = isStopped
  }

  /// The length when the file was opened.
  var size: Int { version.size }

  /// Reads `count` bytes at `offset`, fewer only at the end of the file.
  ///
  /// Throws `interrupted` if the studio is stopping.
  func read(_ offset: Int, _ count: Int) throws(SystemError) -> [UInt8] {
    if isStopped() { throw .interrupted }
    guard count > 0, offset >= 0, offset < size else { return [] }
    var bytes = [UInt8](repeating: 0, count: min(count, size - offset))
    let filled = try System.fill(&bytes, from: descriptor, at: offset)
    bytes.removeLast(bytes.count - filled)
    return bytes
  }
}

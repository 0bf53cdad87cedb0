import AacornCodec
import AacornContainers
import AacornRecording

@testable import AacornNetwork
@testable import AacornStudio

/// Fuzzes a request to the server: `METHOD target`, headers, an empty line, the body.
func fuzzRequest(_ bytes: [UInt8]) {
  let end = bytes.firstRange(of: [0x0A, 0x0A]) ?? bytes.endIndex..<bytes.endIndex
  let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
  let lines = head.split(separator: "\n", omittingEmptySubsequences: false)
  let first = lines.first.map { $0.split(separator: " ", maxSplits: 1) } ?? []
  let target = first.count > 1 ? String(first[1]) : "/"
  let headers = lines.dropFirst().map { line in
    let sides = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    return HTTPField(String(sides[0]), sides.count > 1 ? String(sides[1].drop { $0 == " " }) : "")
  }
  let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
  let components = checkTarget(parts.first.map(String.init) ?? "")
  var request = HTTPRequest(
    method: first.first.map(String.init) ?? "GET", components: components ?? [], headers: headers,
    body: Array(bytes[end.upperBound...]))
  request.query = HTTPFieldList.query(parts.count > 1 ? parts[1] : "", limit: 16) ?? []
  require(request.query.count <= 16, "more query fields than are allowed")
  checkRules(headers)
  checkAnswer(to: request)
  checkForm(of: request)
  checkGuard(request)
  _ = StudioRouter.rejection(of: request)
  _ = page.answer(to: request)
  require(
    request.description.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F },
    "a description with control characters")
}

private let page = StudioPageFiles()

private func checkTarget(_ target: String) -> [String]? {
  let components = HTTPTarget.components(of: target)
  for component in components ?? [] {
    require(
      !component.isEmpty && component != "." && component != ".."
        && component.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x2F && $0 != 0x5C && $0 != 0x7F },
      "a component that may leave the folder: \(component)")
    if let name = RecordingName(component) {
      require(!name.text.contains("/") && !name.text.hasPrefix("."), "a name that is a path")
      _ = (name.stem, name.suffix, name.format, name.adding("-2"))
      _ = RecordingResponse.disposition(name.text)
    }
    if let name = RecordingName(requestedName: component, suffix: "m4a") {
      require(name.suffix == "m4a", "a name with another suffix: \(name)")
    }
  }
  return components
}

/// Checks that accepted headers specify at most one length, in one form.
private func checkRules(_ headers: [HTTPField]) {
  for version in ["HTTP/1.0", "HTTP/1.1"] {
    let head = HTTPHead(version: version, fields: headers)
    guard (try? head.check()) != nil else { continue }
    let names = headers.map { $0.name.lowercased() }
    require(
      names.count { $0 == "content-length" || $0 == "transfer-encoding" } <= 1, "two lengths")
    require(names.count { $0 == "host" } <= 1, "two hosts")
    if let size = head.bodySize { require(size >= 0, "a negative length") }
  }
}

private func checkAnswer(to request: HTTPRequest) {
  let body = (0..<100).map { UInt8($0) }
  let response = HTTPResponse(headers: [HTTPField("ETag", "\"a-1\"")], body: body)
    .conditioned(by: request)
  guard case .bytes(let part) = response.body else { return require(false, "a different body") }
  switch response.status {
  case 200: require(part == body, "an incomplete body")
  case 206:
    let first = part.first.map(Int.init) ?? -1
    require(part == Array(body[first..<first + part.count]), "a different part")
    require(
      response.headers.first(named: "Content-Range")
        == "bytes \(first)-\(first + part.count - 1)/100", "a part with a wrong offset")
  default: require(part.isEmpty, "a body with status \(response.status)")
  }
  for field in request.headers {
    switch HTTPRange(field.value, of: 100) {
    case .part(let range): require(range.clamped(to: 0..<100) == range && !range.isEmpty, "a range")
    case .everything, .nothing: break
    }
  }
}

private func checkForm(of request: HTTPRequest) {
  var request = request
  request.headers = [HTTPField("Content-Type", "application/x-www-form-urlencoded")]
  require((request.form(limit: 8)?.count ?? 0) <= 8, "more fields than are allowed")
  guard let form = try? FormFields(request), let recordingRequest = try? RecordingRequest(form)
  else { return }
  _ = recordingRequest.json.encoded
  guard let plan = try? RecordingPlan(recordingRequest) else { return }
  _ = plan.configuration.timing.nominalBitrate
}

/// Checks that the guard admits no request without the token.
private func checkGuard(_ request: HTTPRequest) {
  for address in ["127.0.0.1", "0.0.0.0"] {
    let guarding = StudioGuard(
      endpoint: .port(4848, address: address), hostName: "box", access: .token("0123456789abcdef"),
      listeningKey: "fedcba9876543210")
    guard case let admission = guarding.admission(of: request), admission.rejection == nil else {
      continue
    }
    if case .asUnauthenticated = admission {
      // The login page and its check of a token are public.
      require(
        request.components == StudioGuard.loginPath || LoginPage.files.contains(request.path),
        "a client without the token gets a private page")
      continue
    }
    let words = (request.headers + request.query).map(\.value) + request.components
    require(
      words.contains { $0.contains("0123456789abcdef") || $0.contains("fedcba9876543210") },
      "a client without the token is admitted")
    require(
      request.headers.count { $0.name.lowercased() == "host" } == 1, "a request without a host")
  }
}

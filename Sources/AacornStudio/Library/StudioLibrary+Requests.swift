import AacornNetwork
import AacornRecording

extension StudioLibrary {
  /// A function that sends a response.
  typealias Answer = @Sendable (HTTPResponse) -> Void

  /// Handles a request with a path `api/…` or `recordings/…`; returns false if it does not belong
  /// to the library.
  ///
  /// The server calls this method on its own thread, so it must not wait.
  func handle(_ path: [String], _ request: HTTPRequest, _ answer: @escaping Answer) -> Bool {
    let rest = Array(path.dropFirst(2))
    switch (path.first, path.count > 1 ? path[1] : "") {
    case ("recordings", _): serve(Array(path.dropFirst()), request, answer)
    case ("api", "recordings"): handleRecordings(rest, request, answer)
    case ("api", "deleted"): handleDeleted(rest, request, answer)
    case ("api", "uploads"): handleUploads(rest, request, answer)
    default: return false
    }
    return true
  }

  /// Runs `work` on the library's disk thread and responds with its result.
  private func runOnDiskThread(
    _ answer: @escaping Answer,
    _ work: @escaping @Sendable (StudioLibrary) throws(StudioError) -> HTTPResponse
  ) {
    let isTaken = diskWorker.run { [self] in
      do throws(StudioError) {
        answer(try work(self))
      } catch {
        answer(error.response)
      }
    }
    if !isTaken { answer(StudioError.shuttingDown.response) }
  }

  /// Changes a file on the disk thread, rereads the folder, and responds with the result.
  private func changeFile(
    _ answer: @escaping Answer,
    _ work: @escaping @Sendable (StudioLibrary) throws(StudioError) -> JSONValue
  ) {
    runOnDiskThread(answer) { library throws(StudioError) in
      let value = try work(library)
      try? library.readFolder()
      return StudioResponse.json(value.encoded)
    }
  }

  private static let notFound = StudioError(404, "There is nothing here.").response

  // MARK: Files

  private func serve(_ rest: [String], _ request: HTTPRequest, _ answer: @escaping Answer) {
    guard rest.count == 1 else { return answer(Self.notFound) }
    guard request.hasMethod(["GET", "HEAD"], orRespond: answer) else { return }
    let isDownload = request.queryValue("download") != nil
    runOnDiskThread(answer) { library throws(StudioError) in
      let name = try library.name(rest[0])
      return RecordingResponse.file(try library.disk.open(name), name, isDownload: isDownload)
    }
  }

  private func handleRecordings(
    _ rest: [String], _ request: HTTPRequest, _ answer: @escaping Answer
  ) {
    switch (rest.count, rest.last) {
    case (0, _):
      guard request.hasMethod(["GET", "HEAD"], orRespond: answer) else { return }
      runOnDiskThread(answer) { library throws(StudioError) in
        StudioResponse.json(try library.list().encoded)
      }
    case (2, "waveform"):
      guard request.hasMethod(["GET", "HEAD"], orRespond: answer) else { return }
      runOnDiskThread(answer) { library throws(StudioError) in try library.waveform(rest[0]) }
    case (2, "rename"):
      guard request.hasMethod(["POST"], orRespond: answer) else { return }
      let requestedName = request.form()?.first { $0.name == "to" }?.value
      changeFile(answer) { library throws(StudioError) in
        try library.rename(rest[0], to: requestedName)
      }
    case (2, "delete"):
      guard request.hasMethod(["POST"], orRespond: answer) else { return }
      changeFile(answer) { library throws(StudioError) in try library.delete(rest[0]) }
    case (2, "retry"):
      guard request.hasMethod(["POST"], orRespond: answer) else { return }
      changeFile(answer) { library throws(StudioError) in try library.tryAgain(rest[0]) }
    case (2, "repair"):
      guard request.hasMethod(["POST"], orRespond: answer) else { return }
      repair(rest[0], answer)
    default: answer(Self.notFound)
    }
  }

  private func handleDeleted(
    _ rest: [String], _ request: HTTPRequest, _ answer: @escaping Answer
  ) {
    switch (rest.count, rest.last) {
    case (2, "restore"):
      guard request.hasMethod(["POST"], orRespond: answer) else { return }
      changeFile(answer) { library throws(StudioError) in try library.restore(rest[0]) }
    case (2, "erase"):
      guard request.hasMethod(["POST"], orRespond: answer) else { return }
      changeFile(answer) { library throws(StudioError) in try library.erase(rest[0]) }
    default: answer(Self.notFound)
    }
  }

  private func handleUploads(
    _ rest: [String], _ request: HTTPRequest, _ answer: @escaping Answer
  ) {
    switch (rest.count, rest.last) {
    case (0, _):
      guard request.hasMethod(["POST"], orRespond: answer) else { return }
      let requestedName = request.form()?.first { $0.name == "name" }?.value
      changeFile(answer) { library throws(StudioError) in try library.beginUpload(requestedName)
      }
    case (1, _):
      guard request.hasMethod(["PUT", "DELETE"], orRespond: answer) else { return }
      if request.method == "DELETE" {
        return changeFile(answer) { library throws(StudioError) in
          try library.cancelUpload(rest[0])
        }
      }
      let offset = request.queryValue("at")
      runOnDiskThread(answer) { library throws(StudioError) in
        StudioResponse.json(try library.putUpload(rest[0], request.body, at: offset).encoded)
      }
    case (2, "finish"):
      guard request.hasMethod(["POST"], orRespond: answer) else { return }
      changeFile(answer) { library throws(StudioError) in try library.finishUpload(rest[0]) }
    default: answer(Self.notFound)
    }
  }
}

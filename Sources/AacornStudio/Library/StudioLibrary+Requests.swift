import AacornContainers
import AacornNetwork
import AacornSystem

extension StudioLibrary {
  /// A function that sends a response.
  typealias Answer = @Sendable (HTTPResponse) -> Void

  /// Handles a request with a path `api/…` or `recordings/…`; returns false if it does not belong
  /// to the library.
  ///
  /// The server calls this method on its own thread, so it must not wait.
  func handle(_ path: [String], _ request: HTTPRequest, _ answer: @escaping Answer) -> Bool {
    let index = path.first == "api" ? 2 : 1
    let id = path.count > index ? path[index] : ""
    // No component contains a slash.
    var pattern = path
    if path.count > index { pattern[index] = "ID" }
    switch pattern.joined(separator: "/") {
    case "recordings/ID":
      let isDownload = request.queryValue("download") != nil
      runOnDiskThread(request, ["GET", "HEAD"], answer) { library throws(StudioError) in
        let name = try library.name(id)
        return RecordingResponse.file(try library.disk.open(name), name, isDownload: isDownload)
      }
    case "api/recordings":
      runOnDiskThread(request, ["GET", "HEAD"], answer) { library throws(StudioError) in
        StudioResponse.json(try library.list().encoded)
      }
    case "api/recordings/ID/waveform":
      runOnDiskThread(request, ["GET", "HEAD"], answer) { library throws(StudioError) in
        try library.waveform(id)
      }
    case "api/recordings/ID/rename":
      let requestedName = request.form()?.first { $0.name == "to" }?.value
      changeFile(request, answer) { library throws(StudioError) in
        try library.rename(id, to: requestedName)
      }
    case "api/recordings/ID/delete":
      changeFile(request, answer) { library throws(StudioError) in try library.delete(id) }
    case "api/recordings/ID/retry":
      changeFile(request, answer) { library throws(StudioError) in try library.tryAgain(id) }
    case "api/recordings/ID/repair":
      if request.hasMethod(["POST"], orRespond: answer) { repair(id, answer) }
    case "api/deleted/ID/restore":
      changeFile(request, answer) { library throws(StudioError) in try library.restore(id) }
    case "api/deleted/ID/erase":
      changeFile(request, answer) { library throws(StudioError) in try library.erase(id) }
    case "api/uploads":
      let requestedName = request.form()?.first { $0.name == "name" }?.value
      changeFile(request, answer) { library throws(StudioError) in
        try library.beginUpload(requestedName)
      }
    case "api/uploads/ID" where request.method == "DELETE":
      changeFile(request, by: ["DELETE"], answer) { library throws(StudioError) in
        try library.cancelUpload(id)
      }
    case "api/uploads/ID":
      let offset = request.queryValue("at")
      runOnDiskThread(request, ["PUT", "DELETE"], answer) { library throws(StudioError) in
        StudioResponse.json(try library.putUpload(id, request.body, at: offset).encoded)
      }
    case "api/uploads/ID/finish":
      changeFile(request, answer) { library throws(StudioError) in try library.finishUpload(id) }
    default:
      let isOwn =
        path.first == "recordings"
        || path.count > 1 && ["recordings", "deleted", "uploads"].contains(path[1])
      if isOwn { answer(StudioError.nothingHere.response) }
      return isOwn
    }
    return true
  }

  /// Runs `work` on the library's disk thread and responds with its result, if the method is one of
  /// `methods`.
  private func runOnDiskThread(
    _ request: HTTPRequest, _ methods: [String], _ answer: @escaping Answer,
    _ work: @escaping @Sendable (StudioLibrary) throws(StudioError) -> HTTPResponse
  ) {
    guard request.hasMethod(methods, orRespond: answer) else { return }
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
    _ request: HTTPRequest, by methods: [String] = ["POST"], _ answer: @escaping Answer,
    _ work: @escaping @Sendable (StudioLibrary) throws(StudioError) -> JSONValue
  ) {
    runOnDiskThread(request, methods, answer) { library throws(StudioError) in
      let value = try work(library)
      try? library.readFolder()
      return StudioResponse.json(value.encoded)
    }
  }
}

import AacornRecording
import AacornSystem

extension StreamCommand {
  /// Runs or checks the streams of a file.
  func runMany(of path: String, in console: Console) throws(UsageError) -> ExitStatus {
    if let file {
      throw UsageError(
        "With --config, the sources are in its file, but “\(displayed(file))” was also given.",
        hint: "Omit one of them.")
    }
    if let option = givenOptions.subtracting(StreamSettings.allowedWithConfig).min() {
      throw UsageError(
        "With --config, --\(option) belongs in the file.",
        hint: "Write it there as “\(option) = …”, before the first [NAME] for all streams.")
    }
    // From here on, even during the initial read, SIGHUP requests a reload and does not end the
    // program.
    if !checksOnly { console.beginLongWork() }
    let list: StreamList
    do throws(StreamsMistakes) {
      list = try StreamList(readingFrom: path, self)
    } catch {
      report(error, in: console)
      return .usage
    }
    if !checksOnly {
      var run = ManyStreamsRun(self, path, in: console)
      return run.run(list)
    }
    warn(about: list, in: console)
    let count = list.entries.count
    if printsJSON {
      console.print(
        .event("checked", [.init("file", .text(path)), .init("streams", .integer(count))]))
    } else if !isQuiet {
      console.print("\(displayed(path)): \(QuantityText.count(count, "stream")), no mistakes")
    }
    return .success
  }

  /// The warning about a status server that other machines can access; nil if they cannot.
  var statusWarning: String? {
    guard let address = statusAddress, !address.isLoopback else { return nil }
    return
      "--listen-status \(address.authority(port: address.port)) is open to other machines, without a "
      + "password and unencrypted."
  }

  /// Prints warnings about valid but probably unintended settings.
  private func warn(about list: StreamList, in console: Console) {
    if isQuiet { return }
    if let warning = DescriptorEstimate.warning(for: list, besides: self) {
      warn(warning, in: console)
    }
    for notice in list.notices { warn(notice, in: console) }
    for entry in list.entries {
      let missing = entry.plan.sound.filePaths.filter { (try? System.status(of: $0)) == nil }
      let messages = missing.map { path in
        "“\(displayed(path))” does not exist yet. The stream retries until it does."
      }
      var own = console
      own.stream = entry.name
      for message in entry.plan.warnings + messages { warn(message, in: own) }
    }
  }

  private func warn(_ message: String, in console: Console) {
    guard printsJSON else { return console.printError("Warning: " + message) }
    console.print(.event("warning", [.init("message", .text(message))]))
  }

  private func report(_ mistakes: StreamsMistakes, in console: Console) {
    if printsJSON {
      for mistake in mistakes.all {
        console.print(.event("mistake", mistake.members(in: mistakes.path)))
      }
      return
    }
    for message in mistakes.messages { console.printError(message) }
    if mistakes.all.count > 1 {
      console.printError("\(mistakes.all.count) mistakes; nothing was started.")
    }
  }
}

import AacornRecording
import AacornSoundFiles
import AacornSystem

extension BatchWork {
  /// Encodes the output, and adds its properties to the entry.
  func encode(_ entry: inout LedgerEntry) throws(CommandFailure) {
    let command: EncodeCommand
    do throws(UsageError) {
      command = try line.command()
    } catch {
      throw CommandFailure(.unsupported, error.text)
    }
    try refuseToReplace(command)
    // An output in the ledger is replaced. Any other existing file must have identical bytes: a run
    // that was killed may have written it without a ledger entry.
    let mayReplace = !outputWasBusy && (settings.replacesExisting || known?.product.digest != nil)
    let isTrial = !mayReplace && (try? System.statusOfLink(line.output)) != nil
    let trialName = ".aacorn-\(System.processNumber)-line\(line.number).tmp"
    let path =
      isTrial ? FileName.joined(FileName.folder(line.output), trialName) : line.output
    defer { if isTrial { try? System.remove(path) } }
    var request = EncodeRequest(
      .file(line.input), to: path, command.format ?? .m4a, of: command,
      coverImage: try command.loadCover(interruption))
    request.makesFolders = true
    request.options.replacesExisting = mayReplace || isTrial
    var work = try EncodeWork(request, interruption: interruption)
    let summary = try work.run { _, _ in }
    let digest = try FileDigests.digest(of: line.output, interruption)
    if isTrial, try FileDigests.digest(of: path, interruption) != digest {
      throw CommandFailure(
        .exists, "“\(displayed(line.output))” already exists and is not in the ledger.",
        .text("Use --force to replace such files."))
    }
    entry.outcome = summary.isDamaged ? .damaged : .done
    entry.warnings = summary.warnings
    entry.product.size = summary.byteCount
    entry.product.sampleCount = summary.sampleCount
    entry.product.sampleRate = summary.sampleRate
    entry.product.record(try? System.status(of: line.output))
    entry.product.digest = digest
    try requireSameInput(as: entry)
    if settings.verifies { try verify(summary, command.format ?? .m4a, &entry) }
  }

  /// Throws if the output is also read as input, or if it is a file of the run itself.
  private func refuseToReplace(_ command: EncodeCommand) throws(CommandFailure) {
    let advice = CommandFailure.RecoverySuggestion.text("Name another output in the manifest.")
    let own = SourceFiles(settings.ownFiles)
    if let path = [line.output, line.input].first(where: own.contains) {
      throw CommandFailure(
        .exists, "“\(displayed(path))” is a file of this run and cannot be an input or output.",
        advice)
    }
    if SourceFiles([line.input] + [command.coverPath].compactMap(\.self)).contains(line.output) {
      throw .isInput(line.output, advice)
    }
    // Reject a link to a file: through it, the input of another line could be replaced without
    // being detected.
    guard (try? System.statusOfLink(line.output))?.kind == .link,
      let target = try? System.resolved(line.output),
      (try? System.status(of: target))?.kind == .file
    else { return }
    throw CommandFailure(
      .exists,
      "“\(displayed(line.output))” is a symbolic link, and “\(displayed(target))”, to which it "
        + "leads, was left alone.", .text("Remove the link, or name another output."))
  }

  /// Throws if the input has changed since its digest was computed: otherwise the ledger would
  /// attribute the output to other audio.
  func requireSameInput(as entry: LedgerEntry) throws(CommandFailure) {
    let status = try? System.status(of: line.input)
    if let status, status.size == entry.inputSize, status.modified == entry.inputTime { return }
    throw CommandFailure(
      .cannotRead, "“\(displayed(line.input))” was changed by another program while it was read.",
      .text("Encode it when it is complete."))
  }

  /// Decodes the output and compares its number of samples.
  private func verify(
    _ summary: AACFile.Summary, _ format: OutputFormat, _ entry: inout LedgerEntry
  ) throws(CommandFailure) {
    let request = DecodeRequest(line.output, to: "/dev/null", .raw)
    var work = try DecodeWork(request, interruption: interruption)
    let decoded = try work.run { _, _ in }
    let surplus = decoded.sampleCount - summary.sampleCount
    // A raw stream does not state its priming and padding, so all samples of its frames are
    // decoded: at most three HE-AAC frames and the codec's delay.
    let hasExpectedLength = format == .m4a ? surplus == 0 : (0...8192).contains(surplus)
    if hasExpectedLength, !decoded.isDamaged {
      entry.product.isVerified = true
      return
    }
    throw CommandFailure(
      .cannotRead,
      "“\(displayed(line.output))” decodes to \(QuantityText.count(decoded.sampleCount, "sample")) instead of "
        + "\(summary.sampleCount)"
        + (decoded.isDamaged ? ", and is damaged." : "."),
      .text("Check the disk and the memory of this machine."))
  }
}

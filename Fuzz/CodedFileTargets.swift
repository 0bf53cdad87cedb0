import AacornContainers

func fuzzTransportStream(_ bytes: [UInt8]) {
  func events(_ pieces: [[UInt8]]) -> [TransportStreamReader.Event] {
    var reader = TransportStreamReader()
    var events: [TransportStreamReader.Event] = []
    for piece in pieces {
      reader.append(piece)
      while let event = reader.next() { events.append(event) }
    }
    reader.finish()
    while let event = reader.next() { events.append(event) }
    return events
  }

  let whole = events([bytes])
  require(whole.count <= bytes.count, "\(whole.count) events in \(bytes.count) bytes")
  require(whole == events(pieces(of: bytes)), "the events depend on the pieces")
  for case .bytes(let part, let offset) in whole {
    require(
      offset >= 0 && offset + part.count <= bytes.count
        && Array(bytes[offset..<offset + part.count]) == part, "the offset of bytes is wrong")
  }
}

/// Files and pipes must give the same steps, with any announced length.
///
/// MP4 files are excluded, because a pipe may not be able to read them.
func fuzzCodedFile(_ bytes: [UInt8]) {
  let whole = codedFile(bytes, byteCount: UInt64(bytes.count))
  let longer = codedFile(bytes, byteCount: 2 * UInt64(bytes.count) + 1000)
  let piped = codedFile(bytes, byteCount: nil)
  if whole.kind == .mp4 || longer.kind == .mp4 { return }
  require(whole == longer, "the steps depend on the announced length")
  require(whole == piped, "the steps of a pipe differ")
}

/// The result of reading a file.
private struct CodedFile: Equatable {
  var steps: [CodedFileReader.Step] = []
  var kind: CodedFileKind?
  var failure: CodedFileError?
}

private func codedFile(_ bytes: [UInt8], byteCount: UInt64?) -> CodedFile {
  var reader = CodedFileReader(byteCount: byteCount)
  var file = CodedFile()
  var passed: UInt64 = 0
  var hasSeeked = false
  do throws(CodedFileError) {
    while true {
      let step = try reader.step()
      switch step {
      case .need(let offset, let count):
        require(count > 0 && count <= 1 << 21, "\(count) bytes are requested")
        if let byteCount {
          require(offset + UInt64(count) <= byteCount, "bytes beyond the end are requested")
        } else {
          require(offset >= passed, "bytes of a pipe are requested twice")
          passed = offset + UInt64(count)
        }
        let start = min(offset, UInt64(bytes.count))
        reader.supply(Array(bytes[Int(start)...].prefix(count)))
      case .end:
        if let movie = reader.movie, !hasSeeked, movie.unitCount > 0, byteCount != nil {
          hasSeeked = true
          require(reader.seek(toUnit: movie.unitCount - 1), "the last unit cannot be reached")
          continue
        }
        file.kind = reader.kind
        return file
      case .unit(let unit):
        require(unit.bytes.count <= 1 << 17, "a unit of \(unit.bytes.count) bytes")
        file.steps.append(step)
      case .configuration, .damage:
        file.steps.append(step)
      }
      // Frames may be short, but their number must be limited.
      require(file.steps.count < 1 << 22, "the steps do not end")
    }
  } catch {
    file.failure = error
    file.kind = reader.kind
    return file
  }
}

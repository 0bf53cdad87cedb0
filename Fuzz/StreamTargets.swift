import AacornCodec
import AacornContainers
import AacornInspection

// Stream readers must return the same events for every division of the stream into pieces, and no
// more events than bytes.

func fuzzADTS(_ bytes: [UInt8]) {
  func events(_ pieces: [[UInt8]]) -> [ADTSReader.Event] {
    var reader = ADTSReader()
    var events: [ADTSReader.Event] = []
    for piece in pieces {
      reader.append(piece)
      while let event = reader.next() { events.append(event) }
    }
    reader.finish()
    while let event = reader.next() { events.append(event) }
    return events
  }

  let whole = events([bytes])
  require(whole.count <= 2 * bytes.count, "\(whole.count) events in \(bytes.count) bytes")
  require(whole == events(pieces(of: bytes)), "the events depend on the pieces")
  for case .frame(let frame) in whole {
    require(frame.offset >= 0 && frame.offset < bytes.count, "a frame outside the stream")
    _ = frame.headerChecksumMatches
    var frameReader = FrameReader(frame.header.audioSpecificConfig)
    for (index, range) in frame.blocks.enumerated() {
      do throws(ParseError) {
        try frameReader.read(frame.payload, range: range)
        _ = frame.checksumMatches(regions: frameReader.block.protectedRegions, block: index)
      } catch {
        continue
      }
    }
  }
}

func fuzzLATM(_ bytes: [UInt8]) {
  func events(_ pieces: [[UInt8]]) -> [LATMReader.Event] {
    var reader = LATMReader()
    var events: [LATMReader.Event] = []
    for piece in pieces {
      reader.append(piece)
      while let event = reader.next() { events.append(event) }
    }
    reader.finish()
    while let event = reader.next() { events.append(event) }
    return events
  }

  let whole = events([bytes])
  // A LOAS frame of a few bytes may announce 64 empty payloads.
  require(whole.count <= 64 * bytes.count, "\(whole.count) events in \(bytes.count) bytes")
  require(whole == events(pieces(of: bytes)), "the events depend on the pieces")
}

func fuzzInspector(_ bytes: [UInt8]) {
  func report(_ pieces: [[UInt8]]) -> StreamReport {
    var inspector = StreamInspector()
    var rowCount = 0
    for piece in pieces {
      inspector.append(piece)
      while inspector.next() != nil { rowCount += 1 }
    }
    inspector.finish()
    while inspector.next() != nil { rowCount += 1 }
    require(rowCount <= 64 * bytes.count, "\(rowCount) rows in \(bytes.count) bytes")
    return inspector.report
  }

  let whole = report([bytes])
  require(whole.byteCount == Int64(bytes.count), "bytes are missing from the report")
  let other = report(pieces(of: bytes))
  require(
    whole.json == other.json,
    "the report depends on the pieces:\n\(whole.json)\n\(other.json)")
  if StreamInspector.needsSeeking(bytes) { inspectMovie(bytes) }
}

private func inspectMovie(_ bytes: [UInt8]) {
  var inspector = MovieInspector(byteCount: UInt64(bytes.count))
  var rowCount = 0
  while true {
    switch inspector.step() {
    case .need(let offset, let count):
      let start = min(offset, UInt64(bytes.count))
      inspector.supply(Array(bytes[Int(start)...].prefix(count)))
    case .row:
      rowCount += 1
      // Empty frames are possible, but their number is limited: each uses bytes of a table.
      require(rowCount < 1 << 22, "the rows do not end")
    case .finished:
      _ = inspector.report.json
      return
    }
  }
}

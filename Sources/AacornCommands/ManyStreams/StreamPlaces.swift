import AacornRecording
import AacornStreaming
import AacornSystem

/// Where streams write to, each of which takes one of them.
enum StreamPlaces {
  /// A mistake for every stream that would write where one before it does.
  static func clashes(among entries: [StreamEntry]) -> [StreamsMistake] {
    var owners: [String: StreamEntry] = [:]
    var mistakes: [StreamsMistake] = []
    for entry in entries {
      for place in entry.places {
        guard let owner = owners[place.key], owner.name != entry.name else {
          owners[place.key] = entry
          continue
        }
        mistakes.append(
          StreamsMistake(
            line: entry.line, stream: entry.name,
            error: UsageError(
              "It would stream to \(place.words), as [\(owner.name)] in line \(owner.line) does.",
              advice:
                "Choose another place for one of them; \(StreamsFile.placeholder) in a value "
                + "stands for the name.")))
      }
    }
    return mistakes
  }
}

extension StreamEntry {
  /// A place that only one stream can have.
  struct Place: Equatable {
    /// The same for all spellings.
    var key: String
    /// For people.
    var words: String
  }

  /// The places that it takes.
  var places: [Place] {
    var places: [Place] = []
    for output in plan.outputs {
      switch output {
      case .server(let server):
        let words = server.service.name
        // A stream key is what tells two streams of a service apart, and is never shown.
        var key = words
        if case .rtmp(let rtmp) = server { key += " " + rtmp.streamKey }
        places.append(Place(key: "server " + key, words: "“\(displayed(words))”"))
      case .hls(let hls):
        places += hls.folders.map { folder in
          Place(
            key: "folder " + FileName.canonical(folder),
            words: "the folder “\(displayed(folder))”")
        }
        if let address = hls.address, address.port != 0 {
          places.append(Place(key: "port \(address.port)", words: "port \(address.port)"))
        }
      case .save(let path, _, _):
        places.append(
          Place(key: "file " + FileName.canonical(path), words: "“\(displayed(path))”"))
      }
    }
    if let folder = plan.configuration.multitrack?.folder {
      places.append(
        Place(
          key: "tracks " + FileName.canonical(folder), words: "the folder “\(displayed(folder))”"))
    }
    return places
  }
}

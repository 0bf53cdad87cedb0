import AacornSignal

/// The boxes before the first fragment, and how they become those of an ordinary file.
///
///     recording     ftyp  moov[       ]  free[                                   ]  moof  mdat …
///     made ready    ftyp  moov[       ]  free[ moov[ tables ]  free[ ]  mdat[    ]  moof  mdat …
///     complete      ftyp  free[               ]moov[ tables ]  free[ ]  mdat[       moof  mdat … ]
///
/// Everything is prepared where no reader looks; then one write of eight bytes turns the first
/// `moov` into a `free` that ends where the final `moov` begins. If there is no room, the final
/// `moov` is prepared after the audio, and the one write turns the first `moov` into the start of
/// the media:
///
///     complete      ftyp  mdat[                                                     moof  mdat … ]  moov
///
/// A reader that comes at any time, or after a power cut, finds either the one file or the other.
/// Media of more than 4 GiB need a header of sixteen bytes; then the one write is that long.
struct RecordingFront: Equatable, Sendable {
  /// Where the first `moov` begins.
  var movieOffset: UInt64
  /// Its length.
  var movieByteCount: Int
  /// The length of the `free` after it; 0 if there is none.
  var reservedByteCount: Int

  /// The header of a `free` plus a media header with a 64-bit size.
  static let leastReserve = 8 + 16

  /// Where the first fragment begins.
  var mediaOffset: UInt64 { movieOffset + UInt64(movieByteCount + reservedByteCount) }

  /// How many bytes to reserve so that a movie of this length is certain to fit.
  static func reserve(for movieByteCount: Int) -> Int { leastReserve + movieByteCount + 8 }

  /// The writes that complete a file.
  ///
  /// - Parameters:
  ///   - movie: The final movie.
  ///   - tables: The frames, in chunks with a place.
  ///   - tail: What remains to be written at the end of the audio.
  ///   - fileByteCount: The length of the file without the tail.
  /// - Returns: The writes, in order.
  func writes(
    completing movie: Movie, _ tables: MovieTables, tail: [UInt8], fileByteCount: UInt64
  ) -> MovieWrites {
    var writer = BoxWriter()
    movie.write(to: &writer)
    let end = fileByteCount + UInt64(tail.count)
    let mediaHeaderLength: UInt64 = end - mediaOffset + 8 > 0xFFFF_FFFF ? 16 : 8
    let filler = reservedByteCount - 8 - writer.byteCount - Int(mediaHeaderLength)
    let fits = filler == 0 || filler >= 8

    var header = BoxWriter()
    var switchover = BoxWriter()
    let mediaStart = mediaOffset - mediaHeaderLength
    if fits {
      if filler > 0 {
        header.putFreeHeader(byteCount: filler)
        header.putZeros(filler - 8)
      }
      header.putMediaHeader(from: mediaStart, to: end)
      switchover.putFreeHeader(byteCount: movieByteCount + 8)
    } else {
      switchover.putMediaHeader(from: movieOffset, to: end)
    }
    return tables.writes(
      of: movie, writer, at: fits ? movieOffset + UInt64(movieByteCount + 8) : end,
      first: [FileWrite(offset: fileByteCount, bytes: tail)],
      last: [
        FileWrite(offset: mediaStart - UInt64(max(0, filler)), bytes: header.bytes),
        FileWrite(offset: movieOffset, bytes: switchover.bytes, needsSync: true),
      ])
  }
}

import AacornSoundFiles

/// The boxes before the first fragment, and their conversion to the boxes of an ordinary file.
///
///     recording     ftyp  moov[       ]  free[                                   ]  moof  mdat …
///     made ready    ftyp  moov[       ]  free[ moov[ tables ]  free[ ]  mdat[    ]  moof  mdat …
///     complete      ftyp  free[               ]moov[ tables ]  free[ ]  mdat[       moof  mdat … ]
///
/// Everything is prepared in parts of the file that no reader parses. Then one write of eight bytes
/// turns the first `moov` into a `free` that ends where the final `moov` begins. If there is no
/// space, the final `moov` is prepared after the audio. The one write then turns the first `moov`
/// into the start of the media:
///
///     complete      ftyp  mdat[                                                     moof  mdat … ]  moov
///
/// A reader at any time, or after a power failure, finds one complete form or the other. Media of
/// more than 4 GiB need a header of sixteen bytes. The one write then has sixteen bytes.
struct MovieHeaderReservation: Equatable, Sendable {
  /// The file offset of the first `moov`.
  var movieOffset: UInt64
  /// The length of the first `moov` in bytes.
  var movieByteCount: Int
  /// The length of the `free` after it in bytes; 0 without one.
  var reservedByteCount: Int

  /// The minimum space: the header of a `free` and a media header with a 64-bit size.
  static let minReservedByteCount = 8 + 16

  /// The file offset of the first fragment.
  var mediaOffset: UInt64 { movieOffset + UInt64(movieByteCount + reservedByteCount) }

  /// Returns the number of bytes to reserve so that a movie of this length always fits.
  static func reserve(for movieByteCount: Int) -> Int { minReservedByteCount + movieByteCount + 8 }

  /// Returns the writes that complete a file.
  ///
  /// - Parameters:
  ///   - movie: The final movie.
  ///   - tables: The frames, in chunks with offsets.
  ///   - tail: The remaining bytes at the end of the audio.
  ///   - fileByteCount: The length of the file without the tail.
  /// - Returns: The writes, in order.
  func writes(
    completing movie: Movie, _ tables: MovieTables, tail: [UInt8], fileByteCount: UInt64
  ) -> MovieWrites {
    let box = movie.serialized()
    let end = fileByteCount + UInt64(tail.count)
    let mediaHeaderLength: UInt64 = end - mediaOffset + 8 > 0xFFFF_FFFF ? 16 : 8
    let filler = reservedByteCount - 8 - box.byteCount - Int(mediaHeaderLength)
    let fits = filler == 0 || filler >= 8

    let mediaStart = mediaOffset - mediaHeaderLength
    let header = BoxWriter.bytes { box in
      guard fits else { return }
      if filler > 0 { box.box(.free) { $0.putZeros(filler - 8) } }
      box.putHeader(.mediaData, byteCount: end - mediaStart)
    }
    let switchover =
      fits
      ? BoxWriter.header(.free, byteCount: UInt64(movieByteCount + 8))
      : BoxWriter.header(.mediaData, byteCount: end - movieOffset)
    return MovieWrites(
      movie, box: box, tables: tables,
      at: fits ? movieOffset + UInt64(movieByteCount + 8) : end,
      first: [FileWrite(offset: fileByteCount, bytes: tail)],
      last: [
        FileWrite(offset: mediaStart - UInt64(max(0, filler)), bytes: header),
        FileWrite(offset: movieOffset, bytes: switchover, needsSync: true),
      ])
  }
}

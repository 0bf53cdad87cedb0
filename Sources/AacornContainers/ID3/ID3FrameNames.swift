/// Names of ID3v2 frames, with their tags.
enum ID3FrameNames {
  /// Returns the name of a frame in version 2.4.
  static func current(_ name: [UInt8]) -> [UInt8] {
    if name.count == 4 { return name }
    let row = rows.first { $0.old.utf8.elementsEqual(name) }
    return row.map { Array($0.name.utf8) } ?? name
  }

  /// Returns the tag of a text frame, or nil if the frame is unknown.
  static func tag(of name: [UInt8]) -> String? {
    let row = rows.first { $0.name.utf8.elementsEqual(name) }
    guard let row, !row.tag.isEmpty else { return nil }
    return row.tag
  }

  /// The name in version 2.2, the name in later versions, and the tag, which is empty for frames
  /// with their own format.
  private static let rows: [(old: String, name: String, tag: String)] = [
    ("TXX", "TXXX", ""), ("TCO", "TCON", ""), ("TYE", "TYER", ""), ("TDA", "TDAT", ""),
    ("COM", "COMM", ""), ("ULT", "USLT", ""), ("PIC", "APIC", ""), ("WXX", "WXXX", ""),
    ("UFI", "UFID", ""), ("IPL", "IPLS", ""),
    ("TT2", "TIT2", "TITLE"), ("TP1", "TPE1", "ARTIST"), ("TAL", "TALB", "ALBUM"),
    ("TP2", "TPE2", "ALBUMARTIST"), ("TCM", "TCOM", "COMPOSER"), ("", "TDRC", "DATE"),
    ("TRK", "TRCK", "TRACKNUMBER"), ("TPA", "TPOS", "DISCNUMBER"), ("TCP", "TCMP", "COMPILATION"),
    ("TBP", "TBPM", "BPM"), ("TCR", "TCOP", "COPYRIGHT"), ("TT1", "TIT1", "GROUPING"),
    ("GP1", "GRP1", "GROUPING"), ("TT3", "TIT3", "SUBTITLE"), ("TST", "TSOT", "TITLESORT"),
    ("TSP", "TSOP", "ARTISTSORT"), ("TSA", "TSOA", "ALBUMSORT"), ("TS2", "TSO2", "ALBUMARTISTSORT"),
    ("TSC", "TSOC", "COMPOSERSORT"), ("", "XSOT", "TITLESORT"), ("", "XSOP", "ARTISTSORT"),
    ("", "XSOA", "ALBUMSORT"), ("TDS", "TDES", "PODCASTDESC"), ("TPB", "TPUB", "PUBLISHER"),
    ("TRC", "TSRC", "ISRC"), ("TP3", "TPE3", "CONDUCTOR"), ("TP4", "TPE4", "REMIXER"),
    ("TXT", "TEXT", "LYRICIST"), ("TLA", "TLAN", "LANGUAGE"), ("", "TMOO", "MOOD"),
    ("TKE", "TKEY", "INITIALKEY"), ("TMT", "TMED", "MEDIA"), ("", "TSST", "DISCSUBTITLE"),
    ("", "TDOR", "ORIGINALDATE"), ("TOR", "TORY", "ORIGINALDATE"), ("", "TDRL", "RELEASEDATE"),
    ("TOT", "TOAL", "ORIGINALALBUM"), ("TOA", "TOPE", "ORIGINALARTIST"),
    ("TOL", "TOLY", "ORIGINALLYRICIST"), ("MVN", "MVNM", "MOVEMENTNAME"),
    ("MVI", "MVIN", "MOVEMENT"),
    ("TSS", "TSSE", "TSSE"), ("TEN", "TENC", "TENC"), ("TLE", "TLEN", "TLEN"),
    ("TSI", "TSIZ", "TSIZ"),
    ("TFT", "TFLT", "TFLT"), ("TDY", "TDLY", "TDLY"), ("WFD", "WFED", "PODCASTURL"),
  ]
}

/// The numbered genres of ID3v1, with Winamp's later additions.
enum ID3Genres {
  /// Returns the genre of a number, or nil if it is unknown.
  static func name(_ number: Int) -> String? {
    names.indices.contains(number) ? names[number] : nil
  }

  private static let names = [
    "Blues", "Classic Rock", "Country", "Dance", "Disco", "Funk", "Grunge", "Hip-Hop", "Jazz",
    "Metal", "New Age", "Oldies", "Other", "Pop", "R&B", "Rap", "Reggae", "Rock", "Techno",
    "Industrial", "Alternative", "Ska", "Death Metal", "Pranks", "Soundtrack", "Euro-Techno",
    "Ambient", "Trip-Hop", "Vocal", "Jazz+Funk", "Fusion", "Trance", "Classical", "Instrumental",
    "Acid", "House", "Game", "Sound Clip", "Gospel", "Noise", "Alt. Rock", "Bass", "Soul", "Punk",
    "Space", "Meditative", "Instrumental Pop", "Instrumental Rock", "Ethnic", "Gothic", "Darkwave",
    "Techno-Industrial", "Electronic", "Pop-Folk", "Eurodance", "Dream", "Southern Rock", "Comedy",
    "Cult", "Gangsta Rap", "Top 40", "Christian Rap", "Pop/Funk", "Jungle", "Native American",
    "Cabaret", "New Wave", "Psychedelic", "Rave", "Showtunes", "Trailer", "Lo-Fi", "Tribal",
    "Acid Punk", "Acid Jazz", "Polka", "Retro", "Musical", "Rock & Roll", "Hard Rock", "Folk",
    "Folk-Rock", "National Folk", "Swing", "Fast-Fusion", "Bebop", "Latin", "Revival", "Celtic",
    "Bluegrass", "Avantgarde", "Gothic Rock", "Progressive Rock", "Psychedelic Rock",
    "Symphonic Rock", "Slow Rock", "Big Band", "Chorus", "Easy Listening", "Acoustic", "Humour",
    "Speech", "Chanson", "Opera", "Chamber Music", "Sonata", "Symphony", "Booty Bass", "Primus",
    "Porn Groove", "Satire", "Slow Jam", "Club", "Tango", "Samba", "Folklore", "Ballad",
    "Power Ballad", "Rhythmic Soul", "Freestyle", "Duet", "Punk Rock", "Drum Solo", "A Cappella",
    "Euro-House", "Dance Hall", "Goa", "Drum & Bass", "Club-House", "Hardcore", "Terror", "Indie",
    "BritPop", "Afro-Punk", "Polsk Punk", "Beat", "Christian Gangsta Rap", "Heavy Metal",
    "Black Metal", "Crossover", "Contemporary Christian", "Christian Rock", "Merengue", "Salsa",
    "Thrash Metal", "Anime", "JPop", "Synthpop", "Abstract", "Art Rock", "Baroque", "Bhangra",
    "Big Beat", "Breakbeat", "Chillout", "Downtempo", "Dub", "EBM", "Eclectic", "Electro",
    "Electroclash", "Emo", "Experimental", "Garage", "Global", "IDM", "Illbient", "Industro-Goth",
    "Jam Band", "Krautrock", "Leftfield", "Lounge", "Math Rock", "New Romantic", "Nu-Breakz",
    "Post-Punk", "Post-Rock", "Psytrance", "Shoegaze", "Space Rock", "Trop Rock", "World Music",
    "Neoclassical", "Audiobook", "Audio Theatre", "Neue Deutsche Welle", "Podcast", "Indie Rock",
    "G-Funk", "Dubstep", "Garage Rock", "Psybient",
  ]

  /// Returns the genres in an ID3v2 text: a name, a number, or numbers in parentheses before a
  /// name.
  ///
  /// A name after a number describes the same genre more precisely. “((” is an escaped parenthesis.
  static func values(_ text: String) -> [String] {
    var rest = Array(text.utf8)[...]
    var values: [String] = []
    while rest.first == 0x28, rest.dropFirst().first != 0x28, let end = rest.firstIndex(of: 0x29) {
      guard let name = named(rest[rest.startIndex + 1..<end]) else { break }
      values.append(name)
      rest = rest[(end + 1)...]
    }
    if rest.isEmpty { return values }
    if values.isEmpty, let name = named(rest) { return [name] }
    if rest.starts(with: [0x28, 0x28]) { rest.removeFirst() }
    return [String(decoding: rest, as: UTF8.self)]
  }

  /// Returns the genre of a number or of one of two letter codes.
  private static func named(_ code: ArraySlice<UInt8>) -> String? {
    if code.elementsEqual("RX".utf8) { return "Remix" }
    if code.elementsEqual("CR".utf8) { return "Cover" }
    guard (1...3).contains(code.count), code.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return name(code.reduce(0) { 10 * $0 + Int($1 - 0x30) })
  }
}

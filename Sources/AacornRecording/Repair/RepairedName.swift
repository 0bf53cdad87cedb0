/// The names of new files with repaired audio.
package enum RepairedName {
  /// `talk-repaired.m4a` for `talk.m4a`, with or without folders in front.
  package static func of(_ path: String) -> String { FileName.adding("-repaired", to: path) }
}

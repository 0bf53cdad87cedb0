/// The names of new files with repaired audio.
package enum RepairedName {
  /// Returns `talk-repaired.m4a` for `talk.m4a`, including the folders.
  package static func of(_ path: String) -> String { FileName.adding("-repaired", to: path) }
}

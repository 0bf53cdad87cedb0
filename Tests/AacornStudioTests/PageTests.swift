import AacornCodec
import AacornRecording
import AacornStudioPage
import Foundation
import Testing

@testable import AacornStudio

@Suite("The page") struct PageTests {
  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Sources/AacornStudioPage/Public").path

  /// Returns the files of the folder by URL path, and those of the npm package that the page uses.
  private static func sources() throws -> [String: [UInt8]] {
    let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    var files: [String: [UInt8]] = [:]
    for name in names where !name.split(separator: "/").contains(where: { $0.hasPrefix(".") }) {
      var isFolder = ObjCBool(false)
      let path = folder + "/" + name
      guard unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder),
        !isFolder.boolValue
      else { continue }
      files["/" + name] = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    }
    // The folder aacorn is a link to the npm package, which also contains files for other programs.
    for file in held() where file.path.hasPrefix("/aacorn/") {
      files[file.path] = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder + file.path)))
    }
    return files
  }

  /// Returns the files embedded in the program.
  private static func held() -> [(path: String, type: String, bytes: [UInt8])] {
    (0..<aacorn_page_file_count()).map { index in
      let file = unsafe aacorn_page_file_at(index)
      return unsafe (
        String(cString: file.path), String(cString: file.type),
        Array(UnsafeBufferPointer(start: file.bytes, count: file.size))
      )
    }
  }

  @Test func theProgramHoldsEveryFileAndNoOther() throws {
    let sources = try Self.sources()
    let held = Self.held()
    #expect(sources.count > 1)
    #expect(Set(held.map(\.path)).count == held.count, "A file is embedded twice.")
    let missing = Set(sources.keys).subtracting(held.map(\.path))
    #expect(missing.isEmpty, "page.c does not list these files.")
    for file in held {
      let isSame = sources[file.path] == file.bytes
      #expect(isSame, "\(file.path) differs from the file in the folder.")
    }
  }

  @Test func theFormsHaveThePresetsOfTheLibrary() throws {
    let file = try #require(try Self.sources()["/views/coding.js"])
    let lines = String(decoding: file, as: UTF8.self).split(separator: "\n").filter {
      $0.hasPrefix("  ['")
    }
    let presets = AACEncoder.Preset.allCases
    #expect(lines.count == presets.count)
    for (line, preset) in zip(lines, presets) {
      let settings = preset.configuration
      let fields =
        "'\(settings.profile.keyword)', \(settings.rateControl.nominalBitrate), "
        + "\(settings.sampleRate), \(settings.channelCount)]"
      #expect(line.hasPrefix("  ['\(preset.keyword)', "))
      #expect(line.filter { $0 != "_" }.contains(fields), "\(line)")
    }
  }

  @Test func everyFileSaysWhatItIs() {
    let types = [
      "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
      "js": "text/javascript; charset=utf-8", "wasm": "application/wasm",
      "json": "application/json", "svg": "image/svg+xml", "png": "image/png",
      "ts": "text/plain; charset=utf-8",
      "webmanifest": "application/manifest+json", "ico": "image/x-icon",
    ]
    for file in Self.held() {
      let suffix = file.path.split(separator: ".").last.map(String.init) ?? ""
      #expect(file.type == types[suffix], "\(file.path)")
    }
  }

  /// Returns the text files of the page.
  private static func texts() throws -> [(path: String, text: String)] {
    try sources().filter {
      ["html", "css", "js", "svg"].contains($0.key.split(separator: ".").last)
    }
    .map { ($0.key, String(decoding: $0.value, as: UTF8.self)) }
  }

  /// The page loads nothing from other hosts, and links to none.
  @Test func pageNamesNoOtherHost() throws {
    for file in try Self.texts() {
      // The names of XML formats and the placeholder of an address are not loaded.
      let text = file.text.replacing("http://www.w3.org/", with: "")
        .replacing("http://localhost:${location.port", with: "")
      for address in [#"\b(https?|wss?):/"#, #"["'`(=]\s*//[a-z0-9]"#] {
        let found = text.range(of: address, options: [.regularExpression, .caseInsensitive])
        #expect(found == nil, "\(file.path): \(found.map { text[$0] } ?? "")")
      }
    }
  }

  @Test func markupCompliesWithContentPolicy() throws {
    for file in try Self.texts() where file.path.hasSuffix(".html") {
      for forbidden in [
        #"<script(?![^>]*\ssrc=)"#, #"<style"#, #"\sstyle\s*="#, #"\son[a-z]+\s*="#,
      ] {
        #expect(
          file.text.range(of: forbidden, options: [.regularExpression, .caseInsensitive]) == nil,
          "\(file.path): \(forbidden)")
      }
    }
    for file in try Self.texts() where file.path.hasSuffix(".js") {
      for forbidden in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("] {
        #expect(!file.text.contains(forbidden), "\(file.path): \(forbidden)")
      }
    }
  }

  @Test func importedModulesExistAndNoOthersOfThePackage() throws {
    let sources = try Self.sources()
    let pattern = try NSRegularExpression(
      pattern: #"(?:from\s+|import\s+|import\(\s*|new URL\(\s*)["'](\.{1,2}/[^"']+)["']"#)
    var imported: Set<String> = []
    for file in try Self.texts() where file.path.hasSuffix(".js") {
      let text = file.text as NSString
      let whole = NSRange(location: 0, length: text.length)
      for match in pattern.matches(in: file.text, range: whole) {
        let target = text.substring(with: match.range(at: 1))
        let importPath = URL(fileURLWithPath: file.path).deletingLastPathComponent()
          .appendingPathComponent(target).standardizedFileURL.path
        #expect(sources[importPath] != nil, "\(file.path) imports \(target).")
        imported.insert(importPath)
      }
    }
    let unused = sources.keys.filter { $0.hasPrefix("/aacorn/") && !imported.contains($0) }
    #expect(
      unused.isEmpty, "The page imports none of these files, so the program must not contain them.")
    #expect(imported.count > sources.count / 2)
  }
}

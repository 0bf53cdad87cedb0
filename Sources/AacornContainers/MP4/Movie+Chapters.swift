import AacornSignal

extension Movie {
  /// The chapters of the text track that QuickTime players read; empty in a movie box before
  /// fragments, which cannot list chapters.
  private var trackChapters: [MP4Chapter] {
    if isFragmented { return [] }
    let chapters = Array(tags.chapters.prefix(MP4Chapter.writtenLimit))
    // Titles are consecutive from 0, so an empty one fills the time before a later first chapter.
    guard let first = chapters.first, first.start >= Self.chapterTick else { return chapters }
    return [MP4Chapter(start: 0, title: "")] + chapters
  }

  var hasChapterTrack: Bool { !isFragmented && !tags.chapters.isEmpty }

  /// The number of the text track; the audio track is 1.
  static let chapterTrackIdentifier: UInt32 = 2
  /// The timescale of the text track, in ticks per second.
  private static let chapterTimescale: UInt64 = 1000
  /// A tick of the text track, in a chapter's units of time.
  private static let chapterTick = MP4Chapter.unitsPerSecond / chapterTimescale

  /// Writes the chapter titles in a box that readers skip; returns their distance from the start of
  /// all boxes.
  ///
  ///     length   UTF-8 …   size  'encd'  0x00000100 (the text is UTF-8)
  ///     2        length    4     4       4
  func putChapterNames(to box: inout BoxWriter) -> Int {
    let start = box.byteCount + 8
    box.box(.free) { box in
      for chapter in trackChapters {
        let name = chapter.trackTitle
        box.put16(UInt16(name.count))
        box.put(Array(name))
        box.box(.textEncoding) { $0.put32(0x0100) }
      }
    }
    return start
  }

  /// Writes the text track, whose samples are the chapter titles.
  func putChapterTrack(namesAt distance: Int, to box: inout BoxWriter) {
    let durations = chapterDurations
    var total: UInt64 = 0
    for duration in durations { total += duration }
    box.box(.track) { box in
      // Flags: in the movie and in the preview, but not enabled, because players would show the
      // text.
      putTrackHeader(Self.chapterTrackIdentifier, flags: 6, isAudio: false, to: &box)
      box.box(.media) { box in
        putMediaHeader(
          timescale: Self.chapterTimescale, duration: total, timeBits: 64, to: &box)
        box.putHandler(.textHandler, name: "Chapters")
        box.box(.mediaInformation) { box in
          Self.putTextMediaHeader(to: &box)
          Self.putDataInformation(to: &box)
          putChapterTable(durations, namesAt: distance, to: &box)
        }
      }
    }
  }

  /// The duration of every title, in ticks; the first one begins with the audio.
  private var chapterDurations: [UInt64] {
    let end = validCount.rescaled(from: parameters.timescale, to: Self.chapterTimescale)
    var durations: [UInt64] = []
    var start: UInt64 = 0
    for chapter in trackChapters.dropFirst() {
      let next = min(max(start, chapter.start / Self.chapterTick), end)
      durations.append(next - start)
      start = next
    }
    return durations + [end - start]
  }

  /// Writes `stbl`; all titles are in one chunk.
  private func putChapterTable(
    _ durations: [UInt64], namesAt distance: Int, to box: inout BoxWriter
  ) {
    box.box(.sampleTable) { box in
      box.fullBox(.sampleDescription) { box in
        box.put32(1)
        box.box(.text) { box in
          box.putZeros(6)
          box.put16(1)
          // Zeros as the display properties of the text.
          box.putZeros(43)
        }
      }
      box.table(
        .timeToSample, columns: 2, durations.flatMap { [1, UInt32(truncatingIfNeeded: $0)] })
      box.table(.sampleToChunk, columns: 3, [1, UInt32(durations.count), 1])
      box.fullBox(.sampleSizes) { box in
        var sizes = SampleSizes(count: UInt32(durations.count))
        sizes.transfer(&box)
        for chapter in trackChapters { box.put32(UInt32(chapter.trackTitle.count + 14)) }
      }
      box.fullBox(.largeChunkOffsets) { box in
        box.put32(1)
        box.reserveOffset(distance: distance)
      }
    }
  }

  /// Writes `gmhd`, QuickTime's header of media that are neither audio nor video.
  private static func putTextMediaHeader(to box: inout BoxWriter) {
    box.box(.baseMediaHeader) { box in
      box.fullBox(.baseMediaInformation) { box in
        // Graphics mode, three colors, balance and a reserved word.
        for number: UInt16 in [0x40, 0x8000, 0x8000, 0x8000, 0, 0] { box.put16(number) }
      }
      box.box(.text) { $0.putMatrix() }
    }
  }
}

extension Movie {
  /// Writes `stbl`: the samples' format, durations, sizes and offsets (14496-12, 8.5 to 8.9).
  func putSampleTable(to box: inout BoxWriter) {
    box.box(.sampleTable) { box in
      putSampleDescription(to: &box)
      let duration = UInt32(truncatingIfNeeded: parameters.ticksPerUnit)
      box.table(.timeToSample, columns: 2, unitCount > 0 ? [UInt32(unitCount), duration] : [])
      box.table(.sampleToChunk, columns: 3, chunks.runs.flatMap { [$0.first, $0.unitCount, 1] })
      box.fullBox(.sampleSizes) { box in
        var sizes = SampleSizes(count: UInt32(unitCount))
        sizes.transfer(&box)
        box.gap(byteCount: 4 * unitCount)
      }
      box.fullBox(usesLargeOffsets ? .largeChunkOffsets : .chunkOffsets) { box in
        box.put32(UInt32(chunks.chunkCount))
        box.gap(byteCount: (usesLargeOffsets ? 8 : 4) * chunks.chunkCount)
      }
      Self.putRollDescription(to: &box)
      if !isFragmented { Self.putRollAssignment(unitCount: unitCount, to: &box) }
    }
  }

  private func putSampleDescription(to box: inout BoxWriter) {
    box.fullBox(.sampleDescription) { box in
      box.put32(1)
      box.box(.mpegAudio) { box in
        // The entry cannot hold more than 65535 Hz; the configuration has the actual rate.
        var sound = AudioSampleEntry(
          channelCount: parameters.channelCount,
          sampleRate: UInt16(exactly: parameters.statedRate) ?? 0)
        sound.transfer(&box)
        box.fullBox(.elementaryStreamDescriptor) { box in
          let descriptor = ElementaryStreamDescriptor(
            bufferByteCount: parameters.bufferByteCount, maximumBitrate: bitrates.maximum,
            averageBitrate: bitrates.average, decoderSpecificInfo: parameters.decoderSpecificInfo)
          box.put(descriptor.bytes)
        }
      }
    }
  }

  static func putRollDescription(to box: inout BoxWriter) {
    box.fullBox(.sampleGroupDescription, version: 1) { box in
      var roll = RollDescription()
      roll.transfer(&box, version: 1)
    }
  }

  /// Writes `sbgp`: all frames belong to the single group described.
  static func putRollAssignment(unitCount: Int, to box: inout BoxWriter) {
    box.fullBox(.sampleToGroup) { box in
      box.put(.roll)
      guard unitCount > 0 else { return box.put32(0) }
      box.put32(1)
      box.put32(UInt32(unitCount))
      box.put32(1)
    }
  }
}

/// The fields of `stsz` or `stz2` before the table of sizes (14496-12, 8.7.3).
struct SampleSizes {
  /// The size of every frame in bytes, or 0 if a table follows; in `stz2`, the bits of a size in
  /// the table.
  var common: UInt32 = 0
  var count: UInt32 = 0

  /// Transfers the fields after version and flags.
  mutating func transfer(_ box: inout some BoxFields) {
    box.field(&common, bits: 32)
    box.field(&count, bits: 32)
  }
}

/// The fields of `sgpd` for roll groups: to start anywhere, a decoder needs previous frames
/// (14496-12, 8.9.3 and 10.1).
struct RollDescription {
  /// The length of every entry in bytes, or 0 if each entry begins with its length.
  var length: UInt32 = 2
  var count: UInt32 = 1
  /// The negative number of previous frames that a decoder needs.
  var distance: Int16 = -1

  /// Transfers the fields after version and flags, up to the first entry.
  mutating func transfer(_ box: inout some BoxFields, version: UInt32) {
    box.put(UInt64(FourCharacterCode.roll.rawValue), bits: 32)
    // In version 0, the entries have no length.
    if version > 0 { box.field(&length, bits: 32) }
    box.field(&count, bits: 32)
    if length == 0 { box.put(2, bits: 32) }
    box.field(&distance, bits: 16)
  }
}

/// The fields of `mp4a` before its boxes (14496-12, 12.2.3).
struct AudioSampleEntry {
  /// The version, 0 except in QuickTime files.
  var version: UInt16 = 0
  var channelCount: UInt16 = 0
  /// The integer part of the rate in hertz, in 16.16 fixed point.
  var sampleRate: UInt16 = 0

  mutating func transfer(_ box: inout some BoxFields) {
    // Six reserved bytes, and the number of the data reference.
    box.put(1, bits: 64)
    box.field(&version, bits: 16)
    box.put(0, bits: 48)
    box.field(&channelCount, bits: 16)
    // The bits of a sample.
    box.put(16, bits: 16)
    box.put(0, bits: 32)
    box.field(&sampleRate, bits: 16)
    box.put(0, bits: 16)
  }
}

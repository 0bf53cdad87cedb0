extension Movie {
  /// Writes `stbl`: the samples' format, durations, sizes and offsets (14496-12, 8.5 to 8.9).
  func putSampleTable(to box: inout BoxWriter) {
    box.box(.sampleTable) { box in
      putSampleDescription(to: &box)
      let duration = UInt32(truncatingIfNeeded: parameters.ticksPerUnit)
      box.table(.timeToSample, columns: 2, unitCount > 0 ? [UInt32(unitCount), duration] : [])
      box.table(.sampleToChunk, columns: 3, chunks.runs.flatMap { [$0.first, $0.unitCount, 1] })
      box.fullBox(.sampleSizes) { box in
        // 0: the frames have no common size.
        box.put32(0)
        box.put32(UInt32(unitCount))
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

  /// Writes `sgpd`: to start anywhere, a decoder needs the previous frame (14496-12, 10.1).
  static func putRollDescription(to box: inout BoxWriter) {
    box.fullBox(.sampleGroupDescription, version: 1) { box in
      box.put(.roll)
      box.put32(2)
      box.put32(1)
      box.put16(UInt16(bitPattern: -1))
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

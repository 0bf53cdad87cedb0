import AacornCodec
import AacornContainers
import AacornInspection

/// The report of a file as JSON; aacorn.js adds names and completes it.
struct ReportText {
  private var json = JSONText()

  var bytes: [UInt8] { json.bytes }

  /// Writes the report of a stream, or of a movie with its reader.
  init(_ report: StreamReport, _ movie: MP4Reader?) {
    json.object { json in
      Self.putStream(report, &json)
      Self.putSizes(report, &json)
      Self.putTools(report.tools, &json)
      Self.putReplication(report, &json)
      Self.putPlot(report, &json)
      Self.putTags(movie?.tags, &json)
      Self.putCover(movie?.coverImage, &json)
      Self.putNotes(report, &json)
      Self.putFaults(report.faults, &json)
    }
  }

  private static func putStream(_ report: StreamReport, _ json: inout JSONText) {
    json.member("container", report.container.name)
    json.member("profile", report.profile?.name)
    json.member("isMPEG2", report.isMPEG2)
    json.member("isExtensionSignaled", report.isExtensionSignaled)
    json.member("sampleRate", report.outputSampleRate)
    json.member("coreSampleRate", report.sampleRate)
    json.member("channels", report.outputChannelCount)
    json.member("layout", report.outputLayout?.name)
    json.member("frameLength", report.frameLength)
    json.member("frameCount", report.frameCount)
    json.member("unreadableFrameCount", report.unreadableFrameCount)
    json.member("sampleCount", report.sampleCount)
    json.member("trimRate", report.trimRate)
    guard let trim = report.trim else { return json.null("trim") }
    json.object("trim") { json in
      json.member("priming", trim.priming)
      json.member("remainder", trim.remainder)
      json.member("sampleCount", trim.sampleCount)
    }
  }

  private static func putSizes(_ report: StreamReport, _ json: inout JSONText) {
    json.member("byteCount", report.byteCount)
    json.member("payloadByteCount", report.payloadByteCount)
    json.object("bitrate") { json in
      json.member("mean", report.bitrate.mean)
      json.member("minimum", report.bitrate.minimum)
      json.member("maximum", report.bitrate.maximum)
    }
    json.object("largestFrame") { json in
      json.member("byteCount", report.largestFrame.byteCount)
      json.member("number", report.largestFrame.number)
    }
    json.object("decoderBuffer") { json in
      json.member("required", report.decoderBuffer.required)
      json.member("capacity", report.decoderBuffer.capacity)
      json.member("fits", report.decoderBuffer.fits)
    }
    if report.fullness.levelCount == 0 { return json.null("reservoir") }
    json.object("reservoir") { json in
      json.member("minimum", report.fullness.minimum)
      json.member("maximum", report.fullness.maximum)
    }
  }

  private static func putTools(_ tools: ToolCounts, _ json: inout JSONText) {
    json.object("tools") { json in
      json.member("channels", tools.channels)
      json.member("pairs", tools.pairs)
      json.member("long", tools.longChannels)
      json.member("start", tools.startChannels)
      json.member("short", tools.shortChannels)
      json.member("stop", tools.stopChannels)
      json.member("midSidePairs", tools.midSidePairs)
      json.member("noiseShaping", tools.noiseShapingChannels)
      json.member("noise", tools.noiseChannels)
      json.member("intensity", tools.intensityChannels)
      json.member("pulses", tools.pulseChannels)
      json.member("sbrFrames", tools.spectralBandReplicationFrames)
    }
  }

  private static func putReplication(_ report: StreamReport, _ json: inout JSONText) {
    if let frequencies = report.replicatedFrequencies {
      json.object("replicated") { json in
        json.member("from", frequencies.lowerBound)
        json.member("to", frequencies.upperBound)
      }
    } else {
      json.null("replicated")
    }
    put(report.replication, &json)
    put(report.replication.stereo, &json)
  }

  private static func put(_ counts: ReplicationCounts, _ json: inout JSONText) {
    if counts.payloads == 0 { return json.null("replication") }
    json.object("replication") { json in
      json.member("payloads", counts.payloads)
      json.member("unheaded", counts.unheadedPayloads)
      json.member("damaged", counts.damagedPayloads)
      json.member("headerFrames", counts.headerFrames)
      json.member("headerDistance", counts.headerDistance)
      json.member("channels", counts.channels)
      json.member("fixFix", counts.fixFixChannels)
      json.member("fixVar", counts.fixVarChannels)
      json.member("varFix", counts.varFixChannels)
      json.member("varVar", counts.varVarChannels)
      json.member("envelopes", counts.envelopes)
      json.member("pairs", counts.pairs)
      json.member("coupled", counts.coupledPairs)
      json.member("sines", counts.sinePayloads)
      json.member("bits", counts.bits)
    }
  }

  private static func put(_ counts: StereoCounts, _ json: inout JSONText) {
    if counts.payloads == 0 { return json.null("parametricStereo") }
    json.object("parametricStereo") { json in
      json.member("payloads", counts.payloads)
      json.member("unheaded", counts.unheadedPayloads)
      json.member("damaged", counts.damagedPayloads)
      json.member("levelBands", counts.levelBands)
      json.member("fineLevels", counts.hasFineLevels)
      json.member("coherenceBands", counts.coherenceBands)
      json.member("phases", counts.phasePayloads)
      json.member("envelopes", counts.envelopes)
      json.member("bits", counts.bits)
    }
  }

  private static func putPlot(_ report: StreamReport, _ json: inout JSONText) {
    json.object("plot") { json in
      json.member("framesPerBucket", report.plot.framesPerBucket)
      json.member("lastBucketFrames", report.plot.lastBucketFrames)
      json.list("buckets") { json in
        for bits in report.plot.buckets { json.number(bits) }
      }
    }
  }

  private static func putTags(_ tags: MP4Tags?, _ json: inout JSONText) {
    json.object("tags") { json in
      put("title", tags?.title, &json)
      put("artist", tags?.artist, &json)
      put("album", tags?.album, &json)
      put("date", tags?.date, &json)
      put("comment", tags?.comment, &json)
      put("encoder", tags?.encoder, &json)
    }
    json.list("chapters") { json in
      for chapter in tags?.chapters ?? [] {
        json.object { json in
          let unit = MP4Chapter.unitsPerSecond / 1000
          json.member("milliseconds", Int64((chapter.start + unit / 2) / unit))
          json.member("title", Array(chapter.title.utf8))
        }
      }
    }
  }

  private static func putCover(_ range: Range<UInt64>?, _ json: inout JSONText) {
    guard let range else { return json.null("cover") }
    json.object("cover") { json in
      json.member("offset", Int64(clamping: range.lowerBound))
      json.member("length", Int64(clamping: range.upperBound - range.lowerBound))
    }
  }

  private static func putNotes(_ report: StreamReport, _ json: inout JSONText) {
    json.object("checksums") { json in
      json.member("present", report.checksums.present)
      json.member("verified", report.checksums.verified)
      json.member("failed", report.checksums.failed)
    }
    json.list("foreignTags") { json in
      for tag in report.tags {
        json.object { json in
          json.member("offset", tag.offset)
          json.member("length", tag.length)
        }
      }
    }
    json.member("started", report.started.map { Array($0.utf8) })
    json.list("gaps") { json in
      for entry in report.gapEntries { json.text(entry) }
    }
  }

  private static func put(_ name: StaticString, _ text: String?, _ json: inout JSONText) {
    if let text { json.member(name, Array(text.utf8)) }
  }

  private static func putFaults(_ faults: FaultLog, _ json: inout JSONText) {
    json.object("faultCounts") { json in
      json.member("notes", faults.noteCount)
      json.member("warnings", faults.warningCount)
      json.member("errors", faults.errorCount)
    }
    json.list("faults") { json in
      for fault in faults.first {
        json.object { json in
          json.member("severity", fault.severity.name)
          json.member("kind", fault.name)
          json.member("offset", fault.offset)
          json.member("length", fault.length)
          json.member("frame", fault.frame)
          json.member("message", fault.message)
        }
      }
    }
  }
}

import AacornCodec
package import AacornContainers
import AacornSignal

/// The report as JSON, with the keys of `aacorn inspect --json`.
extension StreamReport {
  /// The report as a JSON object; `Documentation/ExitCodes.md` describes its keys.
  public var json: String { object(sound: soundObject()).encoded }

  /// Returns the report as a JSON object, with the result of decoding.
  ///
  /// A browser's module decodes nothing, and omits the code for the result.
  package func object(sound: JSONValue) -> JSONValue {
    streamObject + sizeObject + toolObject + contentObject(sound)
  }

  /// Returns the result of decoding, if requested; `error` is the reason why that is impossible.
  package func soundObject(error: String? = nil) -> JSONValue {
    switch sound {
    case nil: .null
    case .impossible: ["error": .optional(error)]
    case .measured(let sound): sound.object
    }
  }

  private var streamObject: JSONValue {
    [
      "status": .word(isFaultless ? "ok" : "faults"), "container": .word(container.name),
      "profile": .optional(profile?.name), "mpeg2": .flag(isMPEG2),
      "extensionSignaled": .flag(isExtensionSignaled), "sampleRate": .integer(outputSampleRate),
      "coreSampleRate": .integer(sampleRate), "channels": .integer(outputChannelCount),
      "layout": .optional(outputLayout?.name), "frameLength": .integer(frameLength),
      "frames": .integer(frameCount), "unreadableFrames": .integer(unreadableFrameCount),
      "codedSamples": .integer(sampleCount), "duration": .decimal(duration, 6),
      "samples": .optional(trim?.sampleCount), "priming": .optional(trim?.priming),
      "remainder": .optional(trim?.remainder), "trimRate": .integer(trimRate),
    ]
  }

  private var sizeObject: JSONValue {
    [
      "bytes": .integer(byteCount), "payloadBytes": .integer(payloadByteCount),
      "bitrate": .integer(bitrate.mean), "minimumBitrate": .integer(bitrate.minimum),
      "maximumBitrate": .integer(bitrate.maximum),
      "largestFrame": .integer(largestFrame.byteCount),
      "largestFrameNumber": .integer(largestFrame.number),
      "bufferRequired": .integer(decoderBuffer.required),
      "bufferCapacity": .integer(decoderBuffer.capacity),
      "bufferFits": .flag(decoderBuffer.fits),
      "reservoir": fullness.levelCount == 0
        ? .null
        : ["minimum": .integer(fullness.minimum), "maximum": .integer(fullness.maximum)],
    ]
  }

  private var toolObject: JSONValue {
    [
      "windows": [
        "long": .integer(tools.longChannels), "start": .integer(tools.startChannels),
        "short": .integer(tools.shortChannels), "stop": .integer(tools.stopChannels),
      ],
      "tools": [
        "channels": .integer(tools.channels), "pairs": .integer(tools.pairs),
        "midSidePairs": .integer(tools.midSidePairs),
        "noiseShaping": .integer(tools.noiseShapingChannels),
        "noise": .integer(tools.noiseChannels), "intensity": .integer(tools.intensityChannels),
        "pulses": .integer(tools.pulseChannels),
        "sbrFrames": .integer(tools.spectralBandReplicationFrames),
      ],
      "replicatedFrom": .optional(replicatedFrequencies?.lowerBound),
      "replicatedTo": .optional(replicatedFrequencies?.upperBound),
      "replication": replicationObject, "parametricStereo": stereoObject,
      "plot": [
        "framesPerBucket": .integer(plot.framesPerBucket),
        "lastBucketFrames": .integer(plot.lastBucketFrames),
        "buckets": .list(plot.buckets.map { .integer($0) }),
      ],
    ]
  }

  private var replicationObject: JSONValue {
    let counts = replication
    if counts.payloads == 0 { return .null }
    return [
      "payloads": .integer(counts.payloads), "unheaded": .integer(counts.unheadedPayloads),
      "damaged": .integer(counts.damagedPayloads), "headerFrames": .integer(counts.headerFrames),
      "headerDistance": .integer(counts.headerDistance),
      "headerInterval": .decimal(headerInterval, 6), "channels": .integer(counts.channels),
      "fixFix": .integer(counts.fixFixChannels), "fixVar": .integer(counts.fixVarChannels),
      "varFix": .integer(counts.varFixChannels), "varVar": .integer(counts.varVarChannels),
      "envelopes": .integer(counts.envelopes), "pairs": .integer(counts.pairs),
      "coupled": .integer(counts.coupledPairs), "sines": .integer(counts.sinePayloads),
      "bits": .integer(counts.bits), "bitsPerFrame": .decimal(bitsPerFrame(counts.bits), 1),
      "share": .decimal(share(of: counts.bits), 4),
    ]
  }

  private var stereoObject: JSONValue {
    let stereo = replication.stereo
    if stereo.payloads == 0 { return .null }
    return [
      "payloads": .integer(stereo.payloads), "unheaded": .integer(stereo.unheadedPayloads),
      "damaged": .integer(stereo.damagedPayloads), "levelBands": .integer(stereo.levelBands),
      "fineLevels": .flag(stereo.hasFineLevels), "coherenceBands": .integer(stereo.coherenceBands),
      "phases": .integer(stereo.phasePayloads), "envelopes": .integer(stereo.envelopes),
      "bits": .integer(stereo.bits), "bitsPerFrame": .decimal(bitsPerFrame(stereo.bits), 1),
      "share": .decimal(share(of: stereo.bits), 4),
    ]
  }

  private func contentObject(_ sound: JSONValue) -> JSONValue {
    [
      "checksums": [
        "present": .integer(checksums.present), "verified": .integer(checksums.verified),
        "failed": .integer(checksums.failed),
      ],
      "tags": .object(tags.namedTexts.map { .init($0.name, .text($0.text)) }),
      "foreignTags": .list(
        foreignTags.map { ["offset": .integer($0.offset), "length": .integer($0.length)] }),
      "cover": cover?.object ?? .null, "program": program?.object ?? .null,
      "chapters": .list(tags.chapters.map { $0.object }), "statedLoudness": tags.loudnessObject,
      "sound": sound, "started": .optional(started),
      "gaps": .list(gapEntries.map(JSONReader.valueOrText)),
      "errors": .integer(faults.errorCount), "warnings": .integer(faults.warningCount),
      "notes": .integer(faults.noteCount), "faults": .list(faults.first.map { $0.object }),
    ]
  }
}

extension AudioReport {
  fileprivate var object: JSONValue {
    func time(_ frame: Int64) -> JSONValue { .decimal(seconds(frame), 6) }
    return [
      "sampleRate": .integer(sampleRate), "channels": .integer(channelCount),
      "formatChanges": .integer(formatChangeCount), "samples": .integer(frameCount),
      "duration": .decimal(duration, 6), "loudness": .level(loudness),
      "loudnessRange": .level(loudnessRange), "maximumMomentary": .level(maximumMomentary),
      "maximumShortTerm": .level(maximumShortTerm), "peak": .level(Decibels.of(amplitude: peak)),
      "truePeak": .level(Decibels.of(amplitude: truePeak)),
      "clippedSamples": .integer(clippedSampleCount), "excessSamples": .integer(excessSampleCount),
      "silenceAtStart": time(leadingSilence), "silenceAtEnd": time(trailingSilence),
      "longestSilence": time(longestSilence?.length ?? 0),
      "longestSilenceAt": longestSilence.map { time($0.start) } ?? .null,
      "concealedFrames": .integer(concealedCount),
      "concealed": .list(concealedPositions.map { time($0) }),
    ]
  }
}

extension StreamFault {
  fileprivate var object: JSONValue {
    [
      "severity": .word(severity.name), "kind": .word(name), "offset": .integer(offset),
      "length": .integer(length), "frame": .integer(frame),
      "message": .text(String(decoding: message, as: UTF8.self)),
    ]
  }
}

extension CoverImage {
  fileprivate var object: JSONValue {
    [
      "format": .optional(format?.name), "bytes": .integer(byteCount), "width": .optional(width),
      "height": .optional(height), "offset": .integer(range.lowerBound),
    ]
  }
}

extension TransportProgram {
  /// The name of the framing of the AAC, for a report.
  package var framing: StaticString { isLOAS ? "LATM" : "ADTS" }

  fileprivate var object: JSONValue {
    [
      "number": .integer(number), "programs": .integer(programCount),
      "mapPid": .integer(mapIdentifier), "pid": .integer(identifier), "framing": .word(framing),
      "packetBytes": .integer(packetByteCount),
      "streams": .list(
        streams.map { ["type": .integer($0.type), "pid": .integer($0.identifier)] }),
    ]
  }
}

extension MP4Chapter {
  /// The start in seconds.
  package var startSeconds: Double { Double(start) / Double(Self.unitsPerSecond) }

  fileprivate var object: JSONValue {
    ["start": .decimal(startSeconds, 3), "title": .text(title)]
  }
}

extension MP4Tags {
  /// The texts of the entries that are properties, with their names in a report.
  package var namedTexts: [(name: String, text: String)] {
    let texts = [
      ("title", title), ("artist", artist), ("album", album), ("date", date),
      ("comment", comment), ("encoder", encoder),
    ]
    return texts.compactMap { name, text in text.map { (name: name, text: $0) } }
  }

  /// The loudness that the file states; null without any.
  fileprivate var loudnessObject: JSONValue {
    let texts = loudnessTexts
    if loudness == nil && texts.isEmpty { return .null }
    return [
      "integrated": .level(loudness?.integrated), "range": .level(loudness?.range),
      "maximumMomentary": .level(loudness?.maximumMomentary),
      "maximumShortTerm": .level(loudness?.maximumShortTerm), "peak": .level(loudness?.samplePeak),
      "truePeak": .level(loudness?.truePeak),
      "tags": .object(texts.map { .init($0.name, .text($0.text)) }),
    ]
  }
}

import AacornCodec
import AacornContainers
import AacornSoundFiles

/// The reason why a call failed, as the negative number that JavaScript receives.
///
/// The numbers and their messages are also in errors.js.
enum Failure {
  static let sampleRate: Int32 = -1
  static let channelCount: Int32 = -2
  static let bitrate: Int32 = -3
  static let bandwidth: Int32 = -4
  static let level: Int32 = -5
  static let mode: Int32 = -6
  static let effort: Int32 = -7
  static let unknownHandle: Int32 = -8
  static let tooManySamples: Int32 = -9
  /// A call at the wrong time, for example with samples after the end.
  static let wrongState: Int32 = -10
  static let container: Int32 = -11
  static let tagsTooLong: Int32 = -12
  static let frameTooLong: Int32 = -13
  static let tooLong: Int32 = -14
  static let noSamples: Int32 = -15
  /// Channels that cannot be mixed.
  static let mix: Int32 = -16
  /// A channel layout that AAC does not support.
  static let layout: Int32 = -17
  /// A sampling rate that cannot be converted.
  static let conversion: Int32 = -18
  static let profile: Int32 = -19

  static let notRecognized: Int32 = -20
  static let otherFormat: Int32 = -21
  static let compressed: Int32 = -22
  static let bitDepth: Int32 = -23
  static let header: Int32 = -24
  static let noData: Int32 = -25
  static let truncatedHeader: Int32 = -26
  /// Tables that list the same bytes of the file for several units.
  static let sharedBytes: Int32 = -27

  static let objectType: Int32 = -30
  static let decoderChannels: Int32 = -31
  static let configuration: Int32 = -32
  static let noTrack: Int32 = -33
  static let codec: Int32 = -34
  static let encrypted: Int32 = -35

  /// A channel count other than 2 for HE-AAC v2.
  static let stereo: Int32 = -40
  /// Open sessions that use too much memory for another one.
  static let memory: Int32 = -41

  static func of(_ error: EncoderError) -> Int32 {
    switch error {
    case .unsupportedSampleRate, .unsupportedReplicationRate: sampleRate
    case .unsupportedChannelCount: channelCount
    case .unsupportedStereoProfile: stereo
    case .bitrateOutOfRange, .noBitrateToChange: bitrate
    case .signalingWithoutReplication: profile
    case .bandwidthOutOfRange: bandwidth
    case .levelOutOfRange: level
    }
  }

  static func of(_ error: AudioConversion.Failure) -> Int32 {
    switch error {
    case .mix: mix
    case .channelCount: channelCount
    case .layout: layout
    case .rate: conversion
    }
  }

  static func of(_ error: ContainerError) -> Int32 {
    switch error {
    case .frameTooLong: frameTooLong
    case .tagsTooLong: tagsTooLong
    case .tooManyFrames: tooLong
    default: container
    }
  }

  static func of(_ error: PCMFileError) -> Int32 {
    switch error {
    case .notRecognized: notRecognized
    case .otherFormat: otherFormat
    case .compressedWAV, .compressedAIFF, .compressedCAF: compressed
    case .unsupportedBitDepth: bitDepth
    case .unsupportedChannelCount, .unsupportedSampleRate, .malformedChunk, .missingFormat: header
    case .requiresSeeking: header
    case .missingData: noData
    case .truncatedHeader: truncatedHeader
    }
  }

  static func of(_ error: DecoderError) -> Int32 {
    switch error {
    case .unsupportedObjectType: objectType
    case .unsupportedChannels: decoderChannels
    case .invalidConfiguration: configuration
    }
  }

  static func of(_ error: CodedAudioError) -> Int32 {
    switch error {
    case .decoder(let error): of(error)
    case .file(.notAAC(.other)): otherFormat
    case .file(.notAAC), .file(.requiresSeeking): notRecognized
    case .file(.noAudioTrack), .file(.noAudio), .file(.unfinished), .file(.pieceOfFragments):
      noTrack
    case .file(.invalidConfiguration): configuration
    case .file(.unsupportedCodec(.audioObjectType)): objectType
    case .file(.unsupportedCodec): codec
    case .file(.encrypted): encrypted
    }
  }
}

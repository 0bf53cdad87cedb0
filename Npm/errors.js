/** The error of a failed operation: a message in English and a code for programs. */
export class AacornError extends Error {
  constructor(code, message, options) {
    super(message, options)
    this.name = 'AacornError'
    this.code = code
  }
}

// The numbers are defined in Sources/AacornWasm/Failure.swift.
const failures = new Map([
  [-1, ['sample-rate', 'AAC does not support this sampling rate. Choose 8000 to 48000, 64000, ' +
    '88200 or 96000 Hz.']],
  [-2, ['channels', 'AAC supports 1 to 6 channels, or 8.']],
  [-3, ['bitrate', 'The bitrate is out of range for this rate and number of channels.']],
  [-4, ['bandwidth', 'The bandwidth is out of range for this sampling rate.']],
  [-5, ['quality', 'There is no such quality. Choose 1 to 5.']],
  [-6, ['option', 'An option has an unknown value.']],
  [-7, ['effort', 'There is no such effort. Choose fast, balanced or best.']],
  [-8, ['closed', 'This is already closed.']],
  [-9, ['too-much', 'More was passed in than there is room for.']],
  [-10, ['wrong-moment', 'This cannot be done now: the sound has ended, or interleaved samples ' +
    'have ended in the middle of a frame.']],
  [-11, ['container', 'This container cannot carry this sound.']],
  [-12, ['tags-too-long', 'The tags are longer than a file should carry.']],
  [-13, ['frame-too-long', 'A frame is longer than this container allows. Choose a lower ' +
    'bitrate.']],
  [-14, ['too-long', 'This is too long to be counted here.']],
  [-15, ['no-samples', 'The file contains no samples.']],
  [-16, ['mix', 'The channels of the file cannot be mixed to this number. Choose 1 or 2.']],
  [-17, ['layout', 'The channels of the file are in a speaker layout that AAC does not support. ' +
    'Choose 1 or 2 channels.']],
  [-18, ['conversion', 'The sampling rate of the file cannot be converted.']],
  [-19, ['profile', 'There is no such profile. Choose lc, he, he2 or auto.']],
  [-20, ['not-recognized', 'This is neither a file with AAC nor a WAV, ' +
    'AIFF or CAF file.']],
  [-21, ['other-format', 'The file has another format. Convert it to WAV first.']],
  [-22, ['compressed', 'The file contains compressed sound. Convert it to PCM first.']],
  [-23, ['bit-depth', 'The file has samples of an unusual number of bits. Convert it to 16 or 24 ' +
    'first.']],
  [-24, ['header', 'The header of the file is invalid. Check the file.']],
  [-25, ['no-samples', 'The file contains no samples.']],
  [-26, ['cut-off', 'The file ends inside its header. Copy it again.']],
  [-27, ['shared-bytes', 'The tables of the file list the same bytes for many frames. Check the ' +
    'program that created the file.']],
  [-30, ['object-type', 'This type of AAC is not decoded.']],
  [-31, ['channels', 'Channels in this order are not decoded.']],
  [-32, ['configuration', 'The configuration of the stream is invalid.']],
  [-33, ['no-track', 'The file has no track with AAC.']],
  [-34, ['codec', 'The sound of the file is coded in another way than AAC.']],
  [-35, ['encrypted', 'The sound of the file is encrypted.']],
  [-40, ['channels', 'HE-AAC v2 is for 2 channels. Choose HE-AAC for others.']],
  [-41, ['too-many-open', 'The open encoders, decoders and files use all memory of the module. Call ' +
    'close() for those that are finished.']],
])

/** Returns the result of a call; throws for a negative one. */
export function checked(result) {
  if (result >= 0) return result
  const [code, message] = failures.get(result) ?? ['unknown', `Failure ${result}.`]
  throw new AacornError(code, message)
}

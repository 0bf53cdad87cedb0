/** A rate control: bits per second, constant or on average, or a quality of variable rate. */
export type RateControl =
  | { constant: number }
  | { average: number }
  | { variable: 1 | 2 | 3 | 4 | 5 }

export type Effort = 'fast' | 'balanced' | 'best'
/**
 * AAC-LC (the default); HE-AAC for low bitrates, at 16000 to 48000 Hz; HE-AAC v2 for two channels at still
 * lower bitrates; or `auto`, the profile that suits the bitrate (AAC-LC at variable rate).
 */
export type Profile = 'lc' | 'he' | 'he2' | 'auto'
export type Container = 'm4a' | 'adts'

export interface SoundOptions {
  /** 7350 to 96000 Hz, one of the thirteen sampling rates of AAC. */
  sampleRate: number
  /** 1 to 6, or 8, in the channel order of a WAV file. */
  channels: number
  /** Constant bits per second. Short for `rateControl: { constant: … }`; set only one of them. */
  bitrate?: number
  /** By default constant: 64 kb/s per channel for AAC-LC, 32 kb/s for HE-AAC, less for HE-AAC v2. */
  rateControl?: RateControl
  effort?: Effort
  profile?: Profile
}

export interface Tags {
  title?: string
  artist?: string
  album?: string
  date?: string
  comment?: string
}

export interface FileOptions extends SoundOptions {
  container: Container
  /**
   * Samples per channel, if known: an M4A file then has its tables before the audio. A wrong number does not
   * make the file invalid.
   */
  frameCount?: number
  /** For M4A files only. */
  tags?: Tags
  /** Tags of another file, as returned by `fileTags`; for M4A only. `tags` take precedence. */
  inputTags?: Uint8Array
}

/** Bytes to write at an offset of a file. */
export interface FileWrite {
  offset: number
  bytes: Uint8Array
}

/** The code of an error, for programs. */
export type AacornErrorCode =
  // Options.
  | 'sample-rate' | 'channels' | 'bitrate' | 'quality' | 'effort' | 'profile' | 'option'
  | 'container' | 'bandwidth' | 'tags-too-long'
  // Audio files.
  | 'not-recognized' | 'other-format' | 'compressed' | 'bit-depth' | 'header' | 'cut-off'
  | 'no-samples' | 'mix' | 'layout' | 'conversion' | 'no-track' | 'codec' | 'encrypted'
  | 'shared-bytes'
  // Streams to decode.
  | 'object-type' | 'configuration'
  // The order of calls, or the amount of data.
  | 'closed' | 'wrong-moment' | 'too-much' | 'too-long' | 'frame-too-long' | 'too-many-open'
  // The module.
  | 'not-loaded' | 'version' | 'crashed' | 'unknown'

/**
 * The error of a failed operation: a message in English and a code for programs. After `crashed`, the Aacorn instance
 * and all objects created by it are unusable.
 *
 * A value of the wrong type, such as an array in place of a Float32Array, throws a TypeError instead; so does
 * an option with an unknown name. An operation aborted by its signal throws the signal's reason.
 */
export class AacornError extends Error {
  readonly code: AacornErrorCode
  constructor(code: AacornErrorCode, message: string, options?: { cause?: unknown })
}

/**
 * The source of a module: its bytes, a compiled module, a server's response, or an address. A relative address
 * is resolved against the page or the worker; in Node against aacorn.js, or the bundle that contains it.
 */
export type ModuleSource =
  | BufferSource
  | WebAssembly.Module
  | Response
  | Promise<Response>
  | URL
  | string

export interface LoadOptions {
  /**
   * The module for uncompressed audio, aacorn-samples.wasm: it reads WAV, AIFF and CAF, converts audio and
   * computes columns. It is loaded when it is first needed, with the first audio file.
   */
  samples?: ModuleSource
  /** The decoder module, aacorn-decoder.wasm; it is loaded when it is first needed. */
  decoder?: ModuleSource
  /** The module that reads audio files, aacorn-sound.wasm; it is loaded when it is first needed. */
  sound?: ModuleSource
  /** The inspector module, aacorn-inspector.wasm; it is loaded when it is first needed. */
  inspector?: ModuleSource
}

/**
 * Loads the encoder module; by default the file aacorn.wasm beside this one. If the module cannot be loaded or
 * is invalid, the error is `not-loaded`, with the original error as its cause.
 */
export function load(source?: ModuleSource, options?: LoadOptions): Promise<Aacorn>

/**
 * A loaded module. All objects created by it share its memory, which has room for about a thousand encoders. An
 * object that is not closed keeps its part until it is garbage-collected, which never happens during a loop
 * without `await`. If there is no room for another object, its creation throws `too-many-open`; the others continue.
 */
export class Aacorn {
  /** The compiled module, to send to workers, which can create an Aacorn from it. */
  readonly module: WebAssembly.Module
  /**
   * Creates an instance from a compiled module, for example in a worker from the `module` of the page's
   * instance.
   */
  constructor(module: WebAssembly.Module, options?: LoadOptions)
  /** Returns the constant bitrate that an encoder uses by default, in bits per second. */
  defaultBitrate(options: Pick<SoundOptions, 'sampleRate' | 'channels' | 'profile'>): number
  /** Creates an encoder that returns access units. */
  encoder(options: SoundOptions): Encoder
  /** Creates an encoder that returns the bytes of a file. */
  fileEncoder(options: FileOptions): FileEncoder
  /** Creates a decoder of access units with this configuration. */
  decoder(configuration: DecoderConfiguration, options?: DecoderOptions): Promise<Decoder>
  /** Opens an audio file: any file with AAC, and WAV, AIFF and CAF. */
  soundFile(file: Blob | BufferSource, options?: SoundFileOptions): Promise<SoundFile>
  /**
   * Returns the tags, the cover and the chapters of a FLAC, MP3, Ogg, WAV, AIFF or CAF file in the form of
   * `inputTags`. Empty if there are none.
   */
  fileTags(file: Blob | BufferSource): Promise<Uint8Array>
  /** Creates a source of columns for waveforms and spectrograms, for 1000 to 768000 Hz and 1 to 64 channels. */
  columns(sampleRate: number, channels: number): Promise<SoundColumns>
  /** Analyzes an AAC file completely and reports its contents. */
  inspect(file: Blob | BufferSource, options?: InspectOptions): Promise<Report>
}

/**
 * An encoder from samples to access units. Samples of a Float32Array are in −1…1; NaN becomes silence. After
 * `finish`, more samples throw `wrong-moment`; after `close`, every call throws `closed`.
 */
export class Encoder {
  private constructor()
  /** The AudioSpecificConfig, which a decoder needs before the first unit. */
  readonly audioSpecificConfig: Uint8Array
  /** Encodes any number of interleaved samples, and returns the completed units. */
  encode(interleaved: Int16Array | Float32Array): Uint8Array[]
  /** Encodes the samples of each channel in separate arrays, as in Web Audio. */
  encodePlanar(channels: readonly Float32Array[]): Uint8Array[]
  /** Ends the stream. Returns the last units, and the samples per channel that a decoder must drop. */
  finish(): { units: Uint8Array[]; priming: number; remainder: number }
  /** Releases the memory. */
  close(): void
}

/**
 * An encoder from samples to a file, with the same bytes as from `aacorn encode`. It accepts the same samples
 * as an Encoder.
 */
export class FileEncoder {
  private constructor()
  /** The AudioSpecificConfig, which a decoder needs before the first unit in the file. */
  readonly audioSpecificConfig: Uint8Array
  /** Encodes any number of interleaved samples, and returns the bytes to write. */
  encode(interleaved: Int16Array | Float32Array): FileWrite[]
  /** Encodes the samples of each channel in separate arrays, as in Web Audio. */
  encodePlanar(channels: readonly Float32Array[]): FileWrite[]
  /** Ends the stream, and returns the bytes that complete the file. */
  finish(): FileWrite[]
  /** Releases the memory. */
  close(): void
}

/** Assembles the writes of a file encoder in memory. */
export class FileAssembler {
  /** The length of the file so far, in bytes. */
  readonly byteLength: number
  /** Applies the writes that a file encoder returned, in that order. */
  write(writes: readonly FileWrite[]): void
  /** Returns the file; its type is audio/mp4 by default. */
  blob(type?: string): Blob
}

export interface ConvertOptions {
  container: Container
  /** Constant bits per second. Short for `rateControl: { constant: … }`; set only one of them. */
  bitrate?: number
  rateControl?: RateControl
  effort?: Effort
  profile?: Profile
  tags?: Tags
  /** Whether an M4A file gets the tags, the cover and the chapters of this file (default true). */
  keepTags?: boolean
  /** By default, or for 0, the rate of the file, or the next rate that AAC supports. */
  sampleRate?: number
  /** By default, or for 0, the channels of the file; 1 or 2 mix them. */
  channels?: number
  /** Called with the completed fraction, 0 to 1. */
  onProgress?(fraction: number): void
  /** Called with ranges in which a file with AAC is damaged, as they are decoded. */
  onConcealed?(places: Concealed[]): void
  signal?: AbortSignal
}

/** A range of samples that replaces damaged or missing ones. */
export interface Concealed {
  /** The index of the first sample. */
  position: number
  frameCount: number
  /** The number of damaged units whose audio begins in this range. */
  unitCount: number
}

/** The position of a loudspeaker; low-frequency is the low-frequency effects channel. */
export type Speaker =
  | 'front-left' | 'front-right' | 'front-center' | 'low-frequency' | 'back-left' | 'back-right'
  | 'front-left-of-center' | 'front-right-of-center' | 'back-center' | 'side-left' | 'side-right'
  | 'top-center' | 'top-front-left' | 'top-front-center' | 'top-front-right' | 'top-back-left'
  | 'top-back-center' | 'top-back-right'

/** The bytes of an AudioSpecificConfig, or the rate and channels (1 to 6, or 8) of AAC-LC. */
export type DecoderConfiguration = BufferSource | { sampleRate: number; channels: number }

export interface DecoderOptions {
  /** Applies the stream's dynamic range control, which evens out loud and soft passages. */
  dynamicRange?: boolean
  /**
   * Outputs two channels from the start for mono HE-AAC: parametric stereo may be detected only later in the
   * stream.
   */
  parametricStereo?: boolean
}

/** The decoded samples of a unit. */
export interface DecodedUnit {
  /** In −1…1 or beyond, in the channel order of a WAV file; the arrays share a buffer. */
  channels: Float32Array[]
  /** The rate of the output, which can double with the first unit. */
  sampleRate: number
  /** The loudspeaker of each channel; null if the stream does not specify it. */
  layout: Speaker[] | null
  /** Whether the unit is damaged or missing, and the samples conceal it. */
  isConcealed: boolean
}

/**
 * A decoder from access units to samples: AAC-LC, Main and LTP, and both versions of HE-AAC. Damaged units are
 * concealed by audio similar to the previous one; decoding never stops.
 */
export class Decoder {
  private constructor()
  /** Decodes a unit. */
  decode(unit: BufferSource): DecodedUnit
  /** Returns samples that conceal a missing unit. */
  conceal(): DecodedUnit
  /** Resets the decoder, as after a seek to the unit with this index. */
  reset(unitIndex?: number): void
  /** Releases the memory. */
  close(): void
}

/** Loads the decoder module; by default the file aacorn-decoder.wasm beside this one. */
export function loadDecoder(
  source?: ModuleSource, options?: Pick<LoadOptions, 'sound'>): Promise<AacornDecoder>

/**
 * A loaded decoder module, for programs that only decode: import it from decoder.js. All objects created by it
 * share its memory.
 */
export class AacornDecoder {
  /** The compiled module, to send to workers, which can create an AacornDecoder from it. */
  readonly module: WebAssembly.Module
  /**
   * Creates an instance from a compiled module, for example in a worker from the `module` of the page's
   * instance.
   */
  constructor(module: WebAssembly.Module, options?: Pick<LoadOptions, 'sound'>)
  /** Creates a decoder of access units with this configuration. */
  decoder(configuration: DecoderConfiguration, options?: DecoderOptions): Decoder
  /** Opens an audio file: any file with AAC, and WAV, AIFF and CAF. */
  soundFile(file: Blob | BufferSource, options?: SoundFileOptions): Promise<SoundReader>
}

export interface SoundFileOptions extends DecoderOptions {
  /** Whether to remove the encoder's delay and the final padding that the file specifies (default true). */
  trim?: boolean
}

/** A part of the samples of an audio file. */
export interface SoundPart {
  /** The index of the first sample of each channel. */
  position: number
  /** In −1…1 or beyond. */
  channels: Float32Array[]
  sampleRate: number
  /** The loudspeaker of each channel; null if the file does not specify it. */
  layout: Speaker[] | null
  /** The ranges that replace damaged or missing samples. */
  concealed: Concealed[]
}

/**
 * A reader of the samples of an audio file: AAC in ADTS, LATM, ADIF, MP4 and transport streams, and WAV, AIFF
 * and CAF. The properties for rate, channels and loudspeakers describe the first sample.
 */
export class SoundReader {
  private constructor()
  readonly container: 'wav' | 'aiff' | 'caf' | 'adts' | 'latm' | 'adif' | 'mp4' | 'mpeg-ts'
  readonly sampleRate: number
  readonly channels: number
  /** The loudspeaker of each channel; null if the file does not specify it. */
  readonly layout: Speaker[] | null
  /** Samples per channel; null while unknown, for ADTS and similar formats until the end. */
  readonly frameCount: number | null
  /** The fraction of the file that has been read, 0 to 1. */
  readonly fraction: number
  /**
   * Reads the next samples of each channel, by default all remaining ones; null at the end. It returns fewer
   * samples at the end, and before a change of rate or channels. Read an untrusted file in parts: a few
   * kilobytes of AAC can contain minutes of silence. A file whose tables list the same bytes for many frames
   * throws `shared-bytes`.
   */
  read(frameCount?: number): Promise<SoundPart | null>
  /**
   * Continues at this sample. In MP4, WAV, AIFF and CAF the reader jumps there; in other formats it decodes all
   * samples up to it.
   */
  seek(frame: number): Promise<void>
  /**
   * Returns the tags, the cover and the chapters of an MP4 file in the form of `inputTags`; empty for other files. Without
   * `keepsLoudness`, loudness tags are omitted.
   */
  readTags(keepsLoudness?: boolean): Promise<Uint8Array>
  /** Releases the memory. */
  close(): void
}

/** An audio file with the samples of a SoundReader, which can also be converted. */
export class SoundFile {
  private constructor()
  readonly container: SoundReader['container']
  readonly sampleRate: number
  readonly channels: number
  /** The loudspeaker of each channel; null if the file does not specify it. */
  readonly layout: Speaker[] | null
  /** Samples per channel; null while unknown. */
  readonly frameCount: number | null
  /** Reads the next samples of each channel, like `read` of a SoundReader. */
  read(frameCount?: number): Promise<SoundPart | null>
  /** Continues at this sample. */
  seek(frame: number): Promise<void>
  /**
   * Converts the whole file to AAC. Samples of WAV, AIFF and CAF are used in their stored format, so that none
   * is rounded and the bytes are the same as from `aacorn encode`. `frameCount` is known afterwards.
   */
  convert(options: ConvertOptions): Promise<Blob>
  /** Releases the memory. */
  close(): void
}

/** A source of columns for waveforms and spectrograms: 50 columns per second of 98 bytes each. */
export class SoundColumns {
  private constructor()
  /** The size of a column in bytes. */
  static readonly length: 98
  /** Appends interleaved samples, and returns the completed columns in a single array. */
  append(interleaved: Float32Array): Uint8Array
  /** Releases the memory. */
  close(): void
}

export interface InspectOptions {
  /** Called with batches of frames. */
  onRows?(rows: Row[]): void
  /** Called with the completed fraction, 0 to 1. */
  onProgress?(fraction: number): void
  signal?: AbortSignal
}

/** The properties of a frame. */
export interface Row {
  /** The number of the frame, from 0. */
  number: number
  /** The offset of the container's frame that contains this frame. */
  offset: number
  /** The time of the first sample in seconds, before trimming. */
  time: number
  bytes: number
  /** `long`, `start`, `short` or `stop`; a pair such as `long/short` if the channels differ; or `damaged`. */
  block: string
  profile: string
  sampleRate: number
  channels: number
  /** Bits up to the end element; null if the frame could not be parsed completely. */
  usedBits: number | null
  /** The reservoir's fill level in bits, according to the header; null at variable rate. */
  reservoirBits: number | null
  /** The number of faults in the frame, and between the previous frame and this one. */
  faults: number
}

/** A problem in a file. */
export interface Fault {
  severity: 'note' | 'warning' | 'error'
  /** A word for programs. */
  kind: string
  /** The offset of the first affected byte. */
  offset: number
  /** The number of affected bytes. */
  length: number
  /** The number of the affected frame, or of the next frame. */
  frame: number
  /** A human-readable sentence. */
  message: string
}

/** A gap of a recording, as recorded in the file. */
export interface Gap {
  position: number
  length: number
  cause?: string
  filled?: boolean
  time?: string
  [name: string]: unknown
}

/** The result of an inspection, with the keys of `aacorn inspect --json`. */
export interface Report {
  /** `faults` if there are warnings or errors. */
  status: 'ok' | 'faults'
  container: string
  /** LC, HE-AAC …; null if there are no frames. */
  profile: string | null
  /** Whether the headers indicate MPEG-2. */
  mpeg2: boolean
  /** Whether the container itself signals SBR. */
  extensionSignaled: boolean
  /** The sampling rate of a decoder's output. */
  sampleRate: number
  /** The sampling rate of the core, before SBR. */
  coreSampleRate: number
  channels: number
  /** The loudspeaker layout, such as stereo or 5.1; null if it is not a standard layout. */
  layout: string | null
  /** Samples per frame, before SBR. */
  frameLength: number
  frames: number
  unreadableFrames: number
  /** Samples per channel in all frames, before SBR and trimming. */
  codedSamples: number
  /** The duration of the audible part in seconds. */
  duration: number
  /** The samples per channel to keep, at `trimRate`; null if the container does not specify them. */
  samples: number | null
  /** The samples per channel to trim before and after them. */
  priming: number | null
  remainder: number | null
  trimRate: number
  /** The size of the file, and of the access units. */
  bytes: number
  payloadBytes: number
  /** Bits per second: the mean, and the rates of the seconds with the least and the most bits. */
  bitrate: number
  minimumBitrate: number
  maximumBitrate: number
  /** The size of the largest frame in bytes, and its number. */
  largestFrame: number
  largestFrameNumber: number
  /** The decoder buffer in bits that a transmission at a constant rate requires, and the available one. */
  bufferRequired: number
  bufferCapacity: number
  bufferFits: boolean
  /** The lowest and the highest reservoir level in the headers; null if they specify none. */
  reservoir: { minimum: number; maximum: number } | null
  /** The number of channels with each window sequence. */
  windows: { long: number; start: number; short: number; stop: number }
  /** The number of channels, or of channel pairs, that use each coding tool. */
  tools: {
    channels: number
    pairs: number
    midSidePairs: number
    noiseShaping: number
    noise: number
    intensity: number
    pulses: number
    sbrFrames: number
  }
  /** The frequencies that SBR replicates, according to its first header; null without a header. */
  replicatedFrom: number | null
  replicatedTo: number | null
  /** Statistics of the SBR payloads, one per element and frame; null without SBR. */
  replication: {
    payloads: number
    /** Payloads that could not be parsed: `unheaded` before the first header, `damaged` because of errors. */
    unheaded: number
    damaged: number
    /** Frames at which a decoder can start, and the maximum distance of two of them in frames and seconds. */
    headerFrames: number
    headerDistance: number
    headerInterval: number
    /** The parsed channels by the class of their time grid, and the number of their envelopes. */
    channels: number
    fixFix: number
    fixVar: number
    varFix: number
    varVar: number
    envelopes: number
    /** Channel pairs, and the pairs that code a balance in the second channel. */
    pairs: number
    coupled: number
    /** Payloads that add sinusoids. */
    sines: number
    /** Bits, without parametric stereo: of all payloads, per frame, and as a fraction of the access units. */
    bits: number
    bitsPerFrame: number
    share: number
  } | null
  /** Statistics of the payloads with parametric stereo; null without any. */
  parametricStereo: {
    payloads: number
    unheaded: number
    damaged: number
    /** The maximum numbers of bands for level differences (IID) and coherences (ICC): 10, 20, 34 or 0. */
    levelBands: number
    /** Whether level differences have 31 steps rather than 15. */
    fineLevels: boolean
    coherenceBands: number
    /** Payloads with phases. */
    phases: number
    envelopes: number
    bits: number
    bitsPerFrame: number
    share: number
  } | null
  /** The bits of the file over time: the sum of each bucket of `framesPerBucket` frames. */
  plot: { framesPerBucket: number; lastBucketFrames: number; buckets: number[] }
  checksums: { present: number; verified: number; failed: number }
  tags: Tags & { encoder?: string }
  /** The first hundred tags between the frames, such as ID3. */
  foreignTags: { offset: number; length: number }[]
  /**
   * The cover: its format, `null` for another one; its bytes in the file; its size in pixels, `null` if unknown.
   * Null without a cover.
   */
  cover: {
    format: 'jpeg' | 'png' | null
    offset: number
    bytes: number
    width: number | null
    height: number | null
  } | null
  /** The program of a transport stream that contains the AAC; otherwise null. */
  program: {
    number: number
    /** The number of programs. */
    programs: number
    mapPid: number
    pid: number
    framing: 'ADTS' | 'LATM'
    packetBytes: number
    streams: { type: number; pid: number }[]
  } | null
  /** The starts of the chapters, in seconds from the first played sample, and their titles. */
  chapters: { start: number; title: string }[]
  /** The loudness that the file states: LUFS, LU, dBFS and dBTP, and the texts of tags; null without any. */
  statedLoudness: {
    integrated: number | null
    range: number | null
    maximumMomentary: number | null
    maximumShortTerm: number | null
    peak: number | null
    truePeak: number | null
    tags: Record<string, string>
  } | null
  /** Always null: only the command measures the decoded audio. */
  sound: null
  /** The time at which a recording was started. */
  started: string | null
  gaps: (Gap | string)[]
  /** The number of faults of each severity. */
  errors: number
  warnings: number
  notes: number
  /** The first thousand faults. */
  faults: Fault[]
  /** Peak levels of 400 equal parts of the audio, from 0 to 255, linear in amplitude. */
  waveform: Uint8Array
}

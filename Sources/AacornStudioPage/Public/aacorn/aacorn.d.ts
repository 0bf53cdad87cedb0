/** Bits a second that are kept to at any time or on average, or a quality. */
export type RateControl =
  | { constant: number }
  | { average: number }
  | { variable: 1 | 2 | 3 | 4 | 5 }

export type Effort = 'fast' | 'balanced' | 'best'
/**
 * AAC-LC; for low bitrates HE-AAC, at 16000 to 48000 Hz; HE-AAC v2, for two channels at still lower
 * ones; or what suits the bitrate, AAC-LC if that varies. Without a choice it is AAC-LC.
 */
export type Profile = 'lc' | 'he' | 'he2' | 'auto'
export type Container = 'm4a' | 'adts'

export interface SoundOptions {
  /** 7350 to 96000 Hz, one of the thirteen rates of AAC. */
  sampleRate: number
  /** 1 to 6, or 8, in the order of a WAV file. */
  channels: number
  /** Bits per second, constant. Short for `rateControl: { constant: … }`; give only one of them. */
  bitrate?: number
  /** By default 64 kb/s a channel, 32 of HE-AAC, less of its version 2, constant. */
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
   * Samples a channel, if known: an M4A file then has its tables in front. A number that turns out
   * wrong does no harm.
   */
  frameCount?: number
  /** For M4A only. */
  tags?: Tags
  /** Tags of another file, as `fileTags` gives them; for M4A only. `tags` take precedence. */
  inputTags?: Uint8Array
}

/** Bytes and their place in a file. */
export interface FileWrite {
  offset: number
  bytes: Uint8Array
}

/** What can be wrong, for programs. */
export type AacornErrorCode =
  // with the options
  | 'sample-rate' | 'channels' | 'bitrate' | 'quality' | 'effort' | 'profile' | 'option'
  | 'container' | 'bandwidth' | 'tags-too-long'
  // with a sound file
  | 'not-recognized' | 'other-format' | 'compressed' | 'bit-depth' | 'header' | 'cut-off'
  | 'no-samples' | 'mix' | 'layout' | 'conversion' | 'no-track' | 'codec' | 'encrypted'
  // with a stream to decode
  | 'object-type' | 'configuration'
  // with the order or the amount of what is done
  | 'closed' | 'wrong-moment' | 'too-much' | 'too-long' | 'frame-too-long'
  // with the module
  | 'not-loaded' | 'version' | 'crashed' | 'unknown'

/**
 * Why something could not be done: the message is a sentence, the code a word for programs. After
 * `crashed` the Aacorn, and all that it made, is of no more use.
 *
 * A value of the wrong type, such as an array in place of a Float32Array, is a TypeError instead, as is
 * an option with an unknown name. An operation that its signal ends throws the signal's reason.
 */
export class AacornError extends Error {
  readonly code: AacornErrorCode
  constructor(code: AacornErrorCode, message: string, options?: { cause?: unknown })
}

/**
 * Where a module comes from: its bytes, what was compiled of them, an answer of a server, or an
 * address, from the page's or, in workers, from the worker's own; in node from that of aacorn.js, or of
 * the bundle that it is in.
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
   * The module for stored samples, aacorn-samples.wasm: it reads WAV, AIFF and CAF, converts sound
   * and makes columns. It is loaded when it is first needed, with the first sound file.
   */
  samples?: ModuleSource
  /** The module that decodes, aacorn-decoder.wasm; it is loaded when it is first needed. */
  decoder?: ModuleSource
  /** The module that reads sound files, aacorn-sound.wasm; it is loaded when it is first needed. */
  sound?: ModuleSource
  /** The module that inspects, aacorn-inspector.wasm; it is loaded when it is first needed. */
  inspector?: ModuleSource
}

/**
 * Loads the module; by default the file aacorn.wasm beside this one. One that does not come, or is
 * none, is `not-loaded`; what reading or compiling threw is its cause.
 */
export function load(source?: ModuleSource, options?: LoadOptions): Promise<Aacorn>

/** A loaded module. What it makes shares its memory. */
export class Aacorn {
  /** To hand to workers, which make an Aacorn of it. */
  readonly module: WebAssembly.Module
  /** Takes a compiled module, such as the `module` of another one that was sent to a worker. */
  constructor(module: WebAssembly.Module, options?: LoadOptions)
  /** An encoder that gives access units. */
  encoder(options: SoundOptions): Encoder
  /** An encoder that gives the bytes of a file. */
  fileEncoder(options: FileOptions): FileEncoder
  /** A decoder of units with this configuration. */
  decoder(configuration: DecoderConfiguration, options?: DecoderOptions): Promise<Decoder>
  /** Opens a sound file: any with AAC, and WAV, AIFF and CAF. */
  soundFile(file: Blob | BufferSource, options?: SoundFileOptions): Promise<SoundFile>
  /**
   * The tags and the cover of a FLAC, MP3, Ogg, WAV, AIFF or CAF file, as `inputTags` takes them:
   * entries of the item list of an M4A file. Empty if there are none.
   */
  fileTags(file: Blob | BufferSource): Promise<Uint8Array>
  /** What waveforms and spectrograms draw: of 1000 to 768000 Hz and 1 to 64 channels. */
  columns(sampleRate: number, channels: number): Promise<SoundColumns>
  /** Reads an AAC file to its last bit and tells what is in it. */
  inspect(file: Blob | BufferSource, options?: InspectOptions): Promise<Report>
}

/**
 * Makes access units of samples. Those of a Float32Array are from −1 to 1; what is not a number
 * becomes silence. After `finish` more samples are refused with `wrong-moment`, after `close`
 * everything with `closed`.
 */
export class Encoder {
  private constructor()
  /** What a decoder needs before the first unit. */
  readonly audioSpecificConfig: Uint8Array
  /** Takes interleaved samples, any number of them, and returns the units that are complete. */
  encode(interleaved: Int16Array | Float32Array): Uint8Array[]
  /** Takes samples of each channel, as Web Audio has them. */
  encodePlanar(channels: readonly Float32Array[]): Uint8Array[]
  /** Ends the sound: the last units, and the samples a channel that a decoder has to drop. */
  finish(): { units: Uint8Array[]; priming: number; remainder: number }
  /** Gives the memory back. */
  close(): void
}

/**
 * Makes a file of samples: the same bytes as `aacorn encode`. It takes samples as an Encoder does.
 */
export class FileEncoder {
  private constructor()
  /** What a decoder needs before the first unit in the file. */
  readonly audioSpecificConfig: Uint8Array
  /** Takes interleaved samples, any number of them, and returns what is to be written. */
  encode(interleaved: Int16Array | Float32Array): FileWrite[]
  /** Takes samples of each channel, as Web Audio has them. */
  encodePlanar(channels: readonly Float32Array[]): FileWrite[]
  /** Ends the sound and returns what completes the file. */
  finish(): FileWrite[]
  /** Gives the memory back. */
  close(): void
}

/** Puts the writes of a file encoder together in memory. */
export class FileAssembler {
  /** Bytes so far. */
  readonly byteLength: number
  /** Takes what a file encoder returned, in that order. */
  write(writes: readonly FileWrite[]): void
  /** The file; its type is audio/mp4 unless another is named. */
  blob(type?: string): Blob
}

export interface ConvertOptions {
  container: Container
  /** Bits per second, constant. Short for `rateControl: { constant: … }`; give only one of them. */
  bitrate?: number
  rateControl?: RateControl
  effort?: Effort
  profile?: Profile
  tags?: Tags
  /** Whether an M4A file gets the tags and the cover of this file, which it does by default. */
  keepTags?: boolean
  /** By default, or for 0, that of the file, or the next one that AAC has. */
  sampleRate?: number
  /** By default, or for 0, those of the file; 1 or 2 mix them. */
  channels?: number
  /** Hears about the part that is done, 0 to 1. */
  onProgress?(fraction: number): void
  /** Hears about the places where a file with AAC is damaged, as they come. */
  onConcealed?(places: Concealed[]): void
  signal?: AbortSignal
}

/** Samples of a file that stand in for what is damaged or missing. */
export interface Concealed {
  /** The number of the first sample. */
  position: number
  frameCount: number
  /** Units of the file whose sound begins here. */
  unitCount: number
}

/** Where a loudspeaker stands; low-frequency is that of the lowest tones. */
export type Speaker =
  | 'front-left' | 'front-right' | 'front-center' | 'low-frequency' | 'back-left' | 'back-right'
  | 'front-left-of-center' | 'front-right-of-center' | 'back-center' | 'side-left' | 'side-right'
  | 'top-center' | 'top-front-left' | 'top-front-center' | 'top-front-right' | 'top-back-left'
  | 'top-back-center' | 'top-back-right'

/** The bytes of an AudioSpecificConfig, or AAC-LC of this rate and 1 to 6 channels, or 8. */
export type DecoderConfiguration = BufferSource | { sampleRate: number; channels: number }

export interface DecoderOptions {
  /** Evens out loud and soft passages as the stream says. */
  dynamicRange?: boolean
  /**
   * Makes two channels of one with band replication from the start: that there are two may be found
   * only in the stream.
   */
  parametricStereo?: boolean
}

/** The samples of a unit. */
export interface DecodedUnit {
  /** From −1 to 1 or beyond, in the order of a WAV file; they share a buffer. */
  channels: Float32Array[]
  /** It can double with the first unit. */
  sampleRate: number
  /** The loudspeaker of each channel; null if the stream does not tell. */
  layout: Speaker[] | null
  /** Whether the unit is damaged or missing, and these samples stand in for it. */
  isConcealed: boolean
}

/**
 * Makes samples of units: AAC-LC, Main and LTP, and HE-AAC in both versions. What is damaged is
 * replaced by something like the sound before it; decoding never stops.
 */
export class Decoder {
  private constructor()
  /** Decodes a unit. */
  decode(unit: BufferSource): DecodedUnit
  /** Gives what stands in for a unit that is missing. */
  conceal(): DecodedUnit
  /** Forgets all units before, as after a jump to the unit with this index. */
  reset(unitIndex?: number): void
  /** Gives the memory back. */
  close(): void
}

/** Loads the module that decodes; by default the file aacorn-decoder.wasm beside this one. */
export function loadDecoder(
  source?: ModuleSource, options?: Pick<LoadOptions, 'sound'>): Promise<AacornDecoder>

/**
 * A loaded module that decodes, for who needs nothing else: import it from decoder.js. What it
 * makes shares its memory.
 */
export class AacornDecoder {
  /** To hand to workers, which make an AacornDecoder of it. */
  readonly module: WebAssembly.Module
  /** Takes a compiled module, such as the `module` of another one that was sent to a worker. */
  constructor(module: WebAssembly.Module, options?: Pick<LoadOptions, 'sound'>)
  /** A decoder of units with this configuration. */
  decoder(configuration: DecoderConfiguration, options?: DecoderOptions): Decoder
  /** Opens a sound file: any with AAC, and WAV, AIFF and CAF. */
  soundFile(file: Blob | BufferSource, options?: SoundFileOptions): Promise<SoundReader>
}

export interface SoundFileOptions extends DecoderOptions {
  /** False keeps the encoder's delay and the padding at the end, which files tell how to cut. */
  trim?: boolean
}

/** Samples of a sound file. */
export interface SoundPart {
  /** The number of the first sample of each channel. */
  position: number
  /** From −1 to 1 or beyond. */
  channels: Float32Array[]
  sampleRate: number
  /** The loudspeaker of each channel; null if the file does not tell. */
  layout: Speaker[] | null
  /** Those that stand in for what is damaged or missing. */
  concealed: Concealed[]
}

/**
 * A sound file as samples: AAC in ADTS, LATM, ADIF, MP4 and transport streams, and WAV, AIFF and
 * CAF. Rate, channels and loudspeakers are those of the first sample.
 */
export class SoundReader {
  private constructor()
  readonly container: 'wav' | 'aiff' | 'caf' | 'adts' | 'latm' | 'adif' | 'mp4' | 'mpeg-ts'
  readonly sampleRate: number
  readonly channels: number
  /** The loudspeaker of each channel; null if the file does not tell. */
  readonly layout: Speaker[] | null
  /** Samples a channel; null as long as that is not known, with ADTS and the like until the end. */
  readonly frameCount: number | null
  /** The part of the file that has been read, 0 to 1. */
  readonly fraction: number
  /**
   * The next samples of each channel, by default all that are left; null at the end. They are fewer
   * than asked for at the end, and where rate or channels change.
   */
  read(frameCount?: number): Promise<SoundPart | null>
  /**
   * Goes on with the sample of this number. MP4, WAV, AIFF and CAF are read from there; everything
   * else is decoded up to it.
   */
  seek(frame: number): Promise<void>
  /**
   * The tags and the cover of an MP4 file, as `inputTags` takes them; empty for other files. Without
   * `keepsLoudness` tags that state the loudness are missing.
   */
  readTags(keepsLoudness?: boolean): Promise<Uint8Array>
  /** Gives the memory back. */
  close(): void
}

/** A sound file as samples, like a SoundReader, and one that can be converted. */
export class SoundFile {
  private constructor()
  readonly container: SoundReader['container']
  readonly sampleRate: number
  readonly channels: number
  /** The loudspeaker of each channel; null if the file does not tell. */
  readonly layout: Speaker[] | null
  /** Samples a channel; null as long as that is not known. */
  readonly frameCount: number | null
  /** The next samples of each channel, as a SoundReader gives them. */
  read(frameCount?: number): Promise<SoundPart | null>
  /** Goes on with the sample of this number. */
  seek(frame: number): Promise<void>
  /**
   * Makes an AAC file of all of it. The samples of WAV, AIFF and CAF are taken as they are stored,
   * so that none is rounded and the bytes are those that `aacorn encode` would make. The length of
   * the file is known afterwards.
   */
  convert(options: ConvertOptions): Promise<Blob>
  /** Gives the memory back. */
  close(): void
}

/** What waveforms and spectrograms draw: 50 columns a second of 98 bytes. */
export class SoundColumns {
  private constructor()
  /** Bytes of a column. */
  static readonly length: 98
  /** Takes interleaved samples and returns the columns that they complete, one after the other. */
  append(interleaved: Float32Array): Uint8Array
  /** Gives the memory back. */
  close(): void
}

export interface InspectOptions {
  /** Gets the frames in batches. */
  onRows?(rows: Row[]): void
  /** Hears about the part that is done, 0 to 1. */
  onProgress?(fraction: number): void
  signal?: AbortSignal
}

/** A frame. */
export interface Row {
  /** From 0. */
  number: number
  /** First byte of the container's frame that holds it. */
  offset: number
  /** Seconds at its first sample, before anything is cut off. */
  time: number
  bytes: number
  /** long, start, short or stop; two of them, like long/short, where channels differ; damaged. */
  block: string
  profile: string
  sampleRate: number
  channels: number
  /** Bits up to the end element; null if it could not be read to its end. */
  usedBits: number | null
  /** What its header says is left in the reservoir; null at variable rate. */
  reservoirBits: number | null
  /** Faults in it, and before it since the frame before. */
  faults: number
}

/** Something that is not as it should be. */
export interface Fault {
  severity: 'note' | 'warning' | 'error'
  /** A word for programs. */
  kind: string
  /** First byte concerned. */
  offset: number
  /** Bytes concerned. */
  length: number
  /** The number of the frame concerned, or of the one that would come next. */
  frame: number
  /** A sentence for people. */
  message: string
}

/** A gap of a recording, as its recorder noted it. */
export interface Gap {
  position: number
  length: number
  cause?: string
  filled?: boolean
  time?: string
  [name: string]: unknown
}

/** What an inspection found. */
export interface Report {
  container: string
  /** LC, HE-AAC …; null if there is no frame. */
  profile: string | null
  isMPEG2: boolean
  /** Whether the container itself names SBR. */
  isExtensionSignaled: boolean
  /** The rate at which a decoder plays. */
  sampleRate: number
  /** The rate of the core, before SBR. */
  coreSampleRate: number
  channels: number
  /** The loudspeakers, such as stereo or 5.1; null if they are not one of the usual sets. */
  layout: string | null
  /** Samples a frame. */
  frameLength: number
  frameCount: number
  unreadableFrameCount: number
  /** Samples a channel of all frames. */
  sampleCount: number
  /** Seconds that are heard. */
  seconds: number
  byteCount: number
  payloadByteCount: number
  /** Bits a second: of all, and of the second with the least and the most. */
  bitrate: { mean: number; minimum: number; maximum: number }
  largestFrame: { byteCount: number; number: number }
  /** What is cut off, in samples a channel at `trimRate`; null if the container does not tell. */
  trim: { priming: number; remainder: number; sampleCount: number } | null
  trimRate: number
  /** Bits that a decoder needs which gets the stream at a constant rate, and that it has. */
  decoderBuffer: { required: number; capacity: number; fits: boolean }
  /** The lowest and the highest level that headers name; null if they name none. */
  reservoir: { minimum: number; maximum: number } | null
  /** How many channels, or pairs of them, use what. */
  tools: {
    channels: number
    pairs: number
    long: number
    start: number
    short: number
    stop: number
    midSidePairs: number
    noiseShaping: number
    noise: number
    intensity: number
    pulses: number
    sbrFrames: number
  }
  /** The frequencies that SBR replicates, by its first header; null without one. */
  replicated: { from: number; to: number } | null
  /** What the payloads of SBR say, one an element and frame; null without any. */
  replication: {
    payloads: number
    /** Payloads that could not be read, before the first header or because of damage. */
    unheaded: number
    damaged: number
    /** Frames at which a decoder can begin, and the most frames from one to the next. */
    headerFrames: number
    headerDistance: number
    /** Channels that were read, by their grid, and the envelopes of all. */
    channels: number
    fixFix: number
    fixVar: number
    varFix: number
    varVar: number
    envelopes: number
    /** Pairs, and those with a balance in the second channel. */
    pairs: number
    coupled: number
    /** Payloads that add sines. */
    sines: number
    /** Bits, without those of parametric stereo. */
    bits: number
  } | null
  /** What some of them say of parametric stereo; null without any. */
  parametricStereo: {
    payloads: number
    unheaded: number
    damaged: number
    /** The most bands of levels (IID) and of coherences (ICC): 10, 20, 34 or 0. */
    levelBands: number
    /** Whether levels have 31 steps rather than 15. */
    fineLevels: boolean
    coherenceBands: number
    /** Payloads with phases. */
    phases: number
    envelopes: number
    bits: number
  } | null
  /** Bits over time. */
  plot: { framesPerBucket: number; lastBucketFrames: number; buckets: number[] }
  checksums: { present: number; verified: number; failed: number }
  tags: Tags & { encoder?: string }
  /** Tags beside the frames, such as ID3. */
  foreignTags: { offset: number; length: number }[]
  /** When a recording was started. */
  started: string | null
  gaps: (Gap | string)[]
  faultCounts: { notes: number; warnings: number; errors: number }
  /** The first thousand. */
  faults: Fault[]
  /** 400 levels from 0 to 255, linear in amplitude. */
  waveform: Uint8Array
}

// WebCodecs as its standard describes it, for AAC. The classes take and give the browser's own
// AudioData and EncodedAudioChunk where there are any.

import type { ModuleSource } from './aacorn.js'

export interface WebCodecsOptions {
  /** Where the module of the encoder is, by default aacorn.wasm beside this file. */
  encoder?: ModuleSource
  /** Where the module of the decoder is, by default aacorn-decoder.wasm beside this file. */
  decoder?: ModuleSource
  /** Uses Aacorn also where the browser has AAC of its own. */
  always?: boolean
}

export type WebCodecsName = 'AudioData' | 'AudioDecoder' | 'AudioEncoder' | 'EncodedAudioChunk'

/**
 * Puts the classes that are missing, or that do not know AAC, in the place where programs look for
 * them; returns the names of those. What is not AAC still goes to the browser's own.
 */
export function installWebCodecs(options?: WebCodecsOptions): Promise<WebCodecsName[]>

/** How samples are stored: all channels of a frame together, or each channel by itself. */
export type SampleFormat =
  | 'u8' | 's16' | 's32' | 'f32' | 'u8-planar' | 's16-planar' | 's32-planar' | 'f32-planar'

/** Bytes in a buffer or in a view of one, which may be shared. */
export type BufferBytes = ArrayBufferLike | ArrayBufferView

export interface AudioDataInit {
  format: SampleFormat
  sampleRate: number
  numberOfFrames: number
  numberOfChannels: number
  /** Microseconds. */
  timestamp: number
  data: BufferBytes
  /** Buffers that the caller gives away. */
  transfer?: ArrayBuffer[]
}

export interface AudioDataCopyToOptions {
  /** The channel of a planar format, or 0. */
  planeIndex: number
  frameOffset?: number
  frameCount?: number
  /** By default that of the samples. */
  format?: SampleFormat
}

/** Samples with their time. */
export class AudioData {
  constructor(init: AudioDataInit)
  /** Null once it is closed. */
  readonly format: SampleFormat | null
  readonly sampleRate: number
  readonly numberOfFrames: number
  readonly numberOfChannels: number
  /** Microseconds. */
  readonly duration: number
  /** Microseconds. */
  readonly timestamp: number
  /** Bytes that `copyTo` with these options needs. */
  allocationSize(options: AudioDataCopyToOptions): number
  /** Copies samples: of one plane, or all of them where they are interleaved. */
  copyTo(destination: BufferBytes, options: AudioDataCopyToOptions): void
  clone(): AudioData
  /** Gives the memory back. */
  close(): void
}

export interface EncodedAudioChunkInit {
  type: 'key' | 'delta'
  /** Microseconds. */
  timestamp: number
  /** Microseconds. */
  duration?: number
  data: BufferBytes
  /** Buffers that the caller gives away. */
  transfer?: ArrayBuffer[]
}

/** An encoded piece of sound with its time. */
export class EncodedAudioChunk {
  constructor(init: EncodedAudioChunkInit)
  readonly type: 'key' | 'delta'
  /** Microseconds. */
  readonly timestamp: number
  /** Microseconds. */
  readonly duration: number | null
  readonly byteLength: number
  copyTo(destination: BufferBytes): void
}

export type CodecState = 'unconfigured' | 'configured' | 'closed'

export interface AudioEncoderConfig {
  /** For AAC mp4a.40.2, mp4a.40.5 for HE-AAC, mp4a.40.29 for its version 2. */
  codec: string
  sampleRate: number
  numberOfChannels: number
  /** Bits a second; by default what suits the profile. */
  bitrate?: number
  /** By default variable, which keeps to the bitrate on average. */
  bitrateMode?: 'constant' | 'variable'
  aac?: { format?: 'aac' | 'adts' }
}

export interface AudioDecoderConfig {
  /** Those of the encoder, and mp4a.67 for AAC-LC of MPEG-2. */
  codec: string
  sampleRate: number
  numberOfChannels: number
  /** The AudioSpecificConfig; without one, chunks are frames of ADTS. */
  description?: BufferBytes
}

export interface EncodedAudioChunkMetadata {
  /** With the first chunk of each configuration. */
  decoderConfig?: AudioDecoderConfig
}

export interface AudioEncoderInit {
  output(chunk: EncodedAudioChunk, metadata: EncodedAudioChunkMetadata): void
  /** Hears why the encoder has closed: NotSupportedError or EncodingError. */
  error(error: DOMException): void
}

export interface AudioDecoderInit {
  output(data: AudioData): void
  /** Hears why the decoder has closed: NotSupportedError or EncodingError. */
  error(error: DOMException): void
}

/** Makes chunks of samples. */
export class AudioEncoder extends EventTarget {
  constructor(init: AudioEncoderInit)
  static isConfigSupported(config: AudioEncoderConfig):
    Promise<{ supported: boolean; config: AudioEncoderConfig }>
  readonly state: CodecState
  readonly encodeQueueSize: number
  ondequeue: ((event: Event) => void) | null
  configure(config: AudioEncoderConfig): void
  encode(data: AudioData): void
  flush(): Promise<void>
  reset(): void
  close(): void
}

/** Makes samples of chunks. */
export class AudioDecoder extends EventTarget {
  constructor(init: AudioDecoderInit)
  static isConfigSupported(config: AudioDecoderConfig):
    Promise<{ supported: boolean; config: AudioDecoderConfig }>
  readonly state: CodecState
  readonly decodeQueueSize: number
  ondequeue: ((event: Event) => void) | null
  configure(config: AudioDecoderConfig): void
  decode(chunk: EncodedAudioChunk): void
  flush(): Promise<void>
  reset(): void
  close(): void
}

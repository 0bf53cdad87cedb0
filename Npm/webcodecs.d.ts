// The interface of WebCodecs for AAC. The classes accept and return the browser's own AudioData and
// EncodedAudioChunk where they exist.

import type { ModuleSource } from './aacorn.js'

export interface WebCodecsOptions {
  /** The encoder module, by default aacorn.wasm beside this file. */
  encoder?: ModuleSource
  /** The decoder module, by default aacorn-decoder.wasm beside this file. */
  decoder?: ModuleSource
  /** Whether to use Aacorn even if the browser supports AAC (default false). */
  always?: boolean
}

export type WebCodecsName = 'AudioData' | 'AudioDecoder' | 'AudioEncoder' | 'EncodedAudioChunk'

/**
 * Installs the global classes that are missing or do not support AAC, and returns their names. All other codecs
 * still use the browser's own classes.
 */
export function installWebCodecs(options?: WebCodecsOptions): Promise<WebCodecsName[]>

/** The storage of samples: interleaved, or with each channel in its own plane. */
export type SampleFormat =
  | 'u8' | 's16' | 's32' | 'f32' | 'u8-planar' | 's16-planar' | 's32-planar' | 'f32-planar'

/** Bytes in a buffer or in a view of a buffer, which may be shared. */
export type BufferBytes = ArrayBufferLike | ArrayBufferView

export interface AudioDataInit {
  format: SampleFormat
  sampleRate: number
  numberOfFrames: number
  numberOfChannels: number
  /** The time in microseconds. */
  timestamp: number
  data: BufferBytes
  /** Buffers to detach from the caller. */
  transfer?: ArrayBuffer[]
}

export interface AudioDataCopyToOptions {
  /** The channel of a planar format, otherwise 0. */
  planeIndex: number
  frameOffset?: number
  frameCount?: number
  /** By default, the format of the AudioData. */
  format?: SampleFormat
}

/** Samples with their time. */
export class AudioData {
  constructor(init: AudioDataInit)
  /** The format; null after `close`. */
  readonly format: SampleFormat | null
  readonly sampleRate: number
  readonly numberOfFrames: number
  readonly numberOfChannels: number
  /** The duration in microseconds. */
  readonly duration: number
  /** The time in microseconds. */
  readonly timestamp: number
  /** Returns the number of bytes that `copyTo` needs with these options. */
  allocationSize(options: AudioDataCopyToOptions): number
  /** Copies the samples of one plane, or all interleaved samples. */
  copyTo(destination: BufferBytes, options: AudioDataCopyToOptions): void
  clone(): AudioData
  /** Releases the memory. */
  close(): void
}

export interface EncodedAudioChunkInit {
  type: 'key' | 'delta'
  /** The time in microseconds. */
  timestamp: number
  /** The duration in microseconds. */
  duration?: number
  data: BufferBytes
  /** Buffers to detach from the caller. */
  transfer?: ArrayBuffer[]
}

/** A chunk of encoded audio with its time. */
export class EncodedAudioChunk {
  constructor(init: EncodedAudioChunkInit)
  readonly type: 'key' | 'delta'
  /** The time in microseconds. */
  readonly timestamp: number
  /** The duration in microseconds. */
  readonly duration: number | null
  readonly byteLength: number
  copyTo(destination: BufferBytes): void
}

export type CodecState = 'unconfigured' | 'configured' | 'closed'

export interface AudioEncoderConfig {
  /** For AAC-LC mp4a.40.2, for HE-AAC mp4a.40.5, for HE-AAC v2 mp4a.40.29. */
  codec: string
  sampleRate: number
  numberOfChannels: number
  /** Bits per second; by default, the default bitrate of the profile. */
  bitrate?: number
  /** By default variable, with the bitrate on average. */
  bitrateMode?: 'constant' | 'variable'
  aac?: { format?: 'aac' | 'adts' }
}

export interface AudioDecoderConfig {
  /** A codec string of the encoder, or mp4a.67 for AAC-LC of MPEG-2. */
  codec: string
  sampleRate: number
  numberOfChannels: number
  /** The AudioSpecificConfig; without it, chunks must be ADTS frames. */
  description?: BufferBytes
}

export interface EncodedAudioChunkMetadata {
  /** Present with the first chunk of each configuration. */
  decoderConfig?: AudioDecoderConfig
}

export interface AudioEncoderInit {
  output(chunk: EncodedAudioChunk, metadata: EncodedAudioChunkMetadata): void
  /** Called with the reason if the encoder closes: NotSupportedError or EncodingError. */
  error(error: DOMException): void
}

export interface AudioDecoderInit {
  output(data: AudioData): void
  /** Called with the reason if the decoder closes: NotSupportedError or EncodingError. */
  error(error: DOMException): void
}

/** An encoder from AudioData to chunks. */
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

/** A decoder from chunks to AudioData. */
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

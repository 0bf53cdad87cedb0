@_exported import AACCodec
@_exported import AACContainers
@_exported import AACFormat
@_exported import AACInspection
@_exported import AudioCapture
@_exported import PCM
@_exported import Recording
@_exported import Streaming

/// The name of ``CaptureDevice`` for playback.
public typealias PlaybackDevice = CaptureDevice

// The recorder.

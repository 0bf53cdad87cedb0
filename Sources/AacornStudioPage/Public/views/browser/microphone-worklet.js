// Runs on the audio thread: collects the microphone's samples in blocks and sends them directly to the encoding
// worker, so that a stalled page loses no audio.

/** The number of reusable blocks, which the worker returns. More are created only while the worker is behind. */
const spareCount = 24

class MicrophoneProcessor extends AudioWorkletProcessor {
  constructor({ processorOptions: { channelCount, blockLength } }) {
    super()
    this.channelCount = channelCount
    this.blockLength = blockLength
    this.spares = []
    for (let index = 0; index < spareCount; index += 1) this.spares.push(this.newBlock())
    this.block = this.spares.pop()
    this.count = 0
    /** The context's frame at the start of the block, and the expected next frame. */
    this.start = 0
    this.next = 0
    this.output = null
    this.isClosed = false
    this.port.onmessage = ({ data }) => this.connect(data.port)
  }

  newBlock() { return new Float32Array(this.blockLength * this.channelCount) }

  /** Connects the worker through `port`. */
  connect(port) {
    this.output = port
    this.next = currentFrame
    port.onmessage = ({ data }) => {
      // After the worker was behind, there are more blocks than needed, so drop the surplus.
      if (data.spare && this.spares.length < spareCount) this.spares.push(data.spare)
      if (data.flush) this.send(data.flush)
      if (data.close) this.isClosed = true
    }
  }

  process([input], [output]) {
    if (this.isClosed) return false
    if (!this.output) return true
    // The output has the length of the call's samples even if no input is connected.
    const length = output[0].length
    if (currentFrame !== this.next && this.count > 0) this.send()
    for (let done = 0; done < length;) {
      if (this.count === 0) this.start = currentFrame + done
      const now = Math.min(length - done, this.blockLength - this.count)
      this.copy(input, done, now)
      this.count += now
      done += now
      if (this.count === this.blockLength) this.send()
    }
    this.next = currentFrame + length
    return true
  }

  /** Copies `length` frames from `from` on into the block, interleaved; a missing input is silence. */
  copy(input, from, length) {
    const { block, channelCount } = this
    for (let channel = 0; channel < channelCount; channel += 1) {
      const samples = input[channel]
      let target = this.count * channelCount + channel
      for (let index = from; index < from + length; index += 1) {
        block[target] = samples ? samples[index] : 0
        target += channelCount
      }
    }
  }

  /** Sends the block to the worker; `flush` is the number of a request to send the current samples. */
  send(flush = 0) {
    const samples = this.block
    const message = { samples, start: this.start, count: this.count, at: Date.now(), flush }
    this.output.postMessage(message, [samples.buffer])
    this.block = this.spares.pop() ?? this.newBlock()
    this.count = 0
  }
}

registerProcessor('aacorn-microphone', MicrophoneProcessor)

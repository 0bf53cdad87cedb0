// Runs on the audio thread: gathers the microphone's samples into blocks and hands them straight to
// the worker that encodes, so that a page that stands still loses nothing.

/** Blocks that wait for use; the worker gives them back. More are made only while it is behind. */
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
    /** The frame of the context with which the block begins, and the one that should come next. */
    this.start = 0
    this.next = 0
    this.output = null
    this.isClosed = false
    this.port.onmessage = ({ data }) => this.connect(data.port)
  }

  newBlock() { return new Float32Array(this.blockLength * this.channelCount) }

  /** `port` leads to the worker. */
  connect(port) {
    this.output = port
    this.next = currentFrame
    port.onmessage = ({ data }) => {
      // After a time when the worker was behind there are more than will be used again.
      if (data.spare && this.spares.length < spareCount) this.spares.push(data.spare)
      if (data.flush) this.send(data.flush)
      if (data.close) this.isClosed = true
    }
  }

  process([input], [output]) {
    if (this.isClosed) return false
    if (!this.output) return true
    // The length of a call's samples: outputs have it even while nothing is connected.
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

  /** Puts `length` frames from `from` on into the block, interleaved; no input is silence. */
  copy(input, from, length) {
    const { block, channelCount } = this
    for (let channel = 0; channel < channelCount; channel += 1) {
      const samples = input[channel]
      let place = this.count * channelCount + channel
      for (let index = from; index < from + length; index += 1) {
        block[place] = samples ? samples[index] : 0
        place += channelCount
      }
    }
  }

  /** Hands the block over; `flush` answers a request to hand over what there is. */
  send(flush = 0) {
    const samples = this.block
    const message = { samples, start: this.start, count: this.count, at: Date.now(), flush }
    this.output.postMessage(message, [samples.buffer])
    this.block = this.spares.pop() ?? this.newBlock()
    this.count = 0
  }
}

registerProcessor('aacorn-microphone', MicrophoneProcessor)

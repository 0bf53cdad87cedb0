// Runs on the audio thread: sends the samples to the worker in blocks of about a thousand.

registerProcessor('microphone', class extends AudioWorkletProcessor {
  #port
  #parts = []

  constructor() {
    super()
    this.port.onmessage = ({ data }) => {
      if (data !== 'end') {
        this.#port = data
        return
      }
      if (this.#parts.length > 0) this.#send()
      this.#port.postMessage('end')
      this.#port = undefined
    }
  }

  process([input]) {
    if (!this.#port || input.length === 0) return true
    this.#parts.push(input.map((samples) => samples.slice()))
    if (this.#parts.length === 8) this.#send()
    return true
  }

  #send() {
    const [first] = this.#parts
    const { length } = first[0]
    const joined = first.map((_, channel) => {
      const samples = new Float32Array(length * this.#parts.length)
      this.#parts.forEach((part, index) => samples.set(part[channel], index * length))
      return samples
    })
    this.#port.postMessage(joined, joined.map(({ buffer }) => buffer))
    this.#parts = []
  }
})

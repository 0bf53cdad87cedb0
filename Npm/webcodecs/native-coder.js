/** A coder that passes other codecs than AAC to the browser's own encoder or decoder. */
export class NativeCoder {
  #codec
  #method
  #sizeName
  /** Ends the wait for room in the codec's queue. */
  #endWait = () => {}

  /** Creates a coder; `kind` is encode or decode. */
  static async open(Native, kind, config, { output, fail }) {
    const isSupported = Native && (await Native.isConfigSupported(config)).supported
    if (!isSupported) {
      throw new Error(`The codec “${config.codec}” is not supported in this configuration.`)
    }
    const codec = new Native({ output, error: fail })
    codec.configure(config)
    return new NativeCoder(codec, kind)
  }

  constructor(codec, kind) {
    this.#codec = codec
    this.#method = kind
    this.#sizeName = `${kind}QueueSize`
    codec.addEventListener('dequeue', () => this.#endWait())
  }

  async process(item) {
    this.#codec[this.#method](item)
    // Keep the codec's queue short, so that the size of our queue shows the remaining work.
    while (this.#codec.state === 'configured' && this.#codec[this.#sizeName] > 1) {
      await new Promise((resolve) => { this.#endWait = resolve })
    }
  }

  flush() {
    return this.#codec.flush()
  }

  close() {
    if (this.#codec.state !== 'closed') this.#codec.close()
    this.#endWait()
  }
}

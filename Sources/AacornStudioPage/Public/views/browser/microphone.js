// The browser's microphone: permission, device, audio context, and the worker that encodes.

import { startWorker } from '../../workers.js'

/** The number of frames in a block from the audio thread: 21 ms at 48 kHz, one AAC frame. */
const blockLength = 1024

const closedMessage = 'The microphone is closed.'

/**
 * A microphone and its recording. Events: `meter` (the worker's report), `upload`, `lost` (the device was
 * disconnected; detail is a message), `broken` (the recording failed; detail: `message` and `entry`,
 * the recorded part, if it could be completed), `muted` (detail: whether the system has muted the
 * microphone).
 */
export class Microphone extends EventTarget {
  sampleRate = 0
  channels = 0
  label = ''
  isRecording = false
  #modules
  #context = null
  #node = null
  #source = null
  #stream = null
  #worker = null
  #number = 0
  #answers = new Map()

  /** `modules` has the compiled modules `encoder` and, for columns, `samples`, or promises of them. */
  constructor(modules) {
    super()
    this.#modules = modules
  }

  /** Requests permission and opens the microphone; throws a MicrophoneProblem. */
  async open({ deviceId, sampleRate, channels, processing }) {
    if (!navigator.mediaDevices?.getUserMedia) throw new MicrophoneProblem('insecure')
    // Create the context immediately, while the click still counts as permission to start audio.
    let context = newContext(sampleRate)
    try {
      const stream = await getStream({ deviceId, channels, processing })
      this.#stream = stream
      try {
        context.createMediaStreamSource(stream)
      } catch {
        // Firefox supports a microphone only at its own rate, so use a context with the default rate.
        await context.close()
        context = newContext()
        context.createMediaStreamSource(stream)
      }
      this.#context = context
      this.sampleRate = context.sampleRate
      this.channels = channels
      await context.audioWorklet.addModule(new URL('./microphone-worklet.js', import.meta.url))
      await context.resume()
      await this.#connectWorker()
      this.#use(stream)
      context.onstatechange = () => this.#contextChanged()
    } catch (error) {
      await context.close().catch(() => {})
      await this.close()
      throw problemOf(error)
    }
  }

  /** Continues with another device, also during a recording. */
  async change({ deviceId, processing }) {
    let stream = null
    try {
      stream = await getStream({ deviceId, channels: this.channels, processing })
      if (!this.#context) throw new Error(closedMessage)
      this.#use(stream)
    } catch (error) {
      // A stream that cannot be used must not stay open.
      if (stream) stopTracks(stream)
      throw problemOf(error)
    }
  }

  async #connectWorker() {
    const { port1, port2 } = new MessageChannel()
    this.#worker = startWorker(new URL('./encode-worker.js', import.meta.url),
      data => this.#receive(data), () => this.#workerFailed())
    await this.#ask('open', {
      module: await this.#modules.encoder, samples: await this.#modules.samples, port: port2,
      sampleRate: this.sampleRate, channels: this.channels
    }, [port2])
    this.#node = new AudioWorkletNode(this.#context, 'aacorn-microphone', {
      numberOfInputs: 1, numberOfOutputs: 1, outputChannelCount: [1],
      channelCount: this.channels, channelCountMode: 'explicit',
      channelInterpretation: 'speakers',
      processorOptions: { channelCount: this.channels, blockLength }
    })
    this.#node.port.postMessage({ port: port1 }, [port1])
    // The output stays silent, but without a connection some browsers would not run the node.
    this.#node.connect(this.#context.destination)
  }

  #use(stream) {
    const old = this.#stream
    const source = this.#context.createMediaStreamSource(stream)
    this.#source?.disconnect()
    this.#source = source
    source.connect(this.#node)
    this.#stream = stream
    if (old && old !== stream) stopTracks(old)
    const track = stream.getAudioTracks()[0]
    this.label = track.label
    track.onended = () => this.#trackEnded(track)
    track.onmute = () => this.#notify('muted', true)
    track.onunmute = () => this.#notify('muted', false)
  }

  /** Whether a two-channel recording contains a mono device twice. */
  get isDoubled() {
    const [track] = this.#stream?.getAudioTracks() ?? []
    return this.channels === 2 && track?.getSettings().channelCount === 1
  }

  #trackEnded(track) {
    if (this.#stream?.getAudioTracks()[0] !== track) return
    this.#notify('lost', `The microphone “${track.label || 'in use'}” was disconnected. `
      + 'Connect it again or choose another one, then resume.')
  }

  #contextChanged() {
    if (this.#context.state === 'running' || this.#context.state === 'closed') return
    // A phone call or the system has interrupted the audio.
    this.#notify('lost', 'The system interrupted the microphone, for example for a call. Resume when '
      + 'it is available again.')
  }

  async start(options) {
    const answer = await this.#ask('start', {
      options: { ...options, sampleRate: this.sampleRate, channels: this.channels }
    })
    this.isRecording = true
    return answer
  }

  async pause(isPaused) {
    if (!isPaused) await this.#context.resume()
    await this.#ask('pause', { isPaused })
  }

  /** Completes the recording; returns its entry. */
  async stop() {
    this.isRecording = false
    return this.#ask('stop')
  }

  cancelUpload() { return this.#ask('cancelUpload') }

  /** Releases the device; the worker stays until its upload has finished. */
  async close({ waiting } = {}) {
    if (this.#stream) stopTracks(this.#stream)
    this.#stream = null
    this.#source?.disconnect()
    this.#source = null
    this.#node?.disconnect()
    this.#node = null
    const context = this.#context
    this.#context = null
    if (context && context.state !== 'closed') {
      context.onstatechange = null
      await context.close().catch(() => {})
    }
    await waiting
    this.#worker?.postMessage({ type: 'close' })
    this.#worker = null
  }

  #ask(type, message = {}, transfer = []) {
    if (!this.#worker) return Promise.reject(new Error(closedMessage))
    this.#number += 1
    const number = this.#number
    this.#worker.postMessage({ type, number, ...message }, transfer)
    return new Promise((resolve, reject) => this.#answers.set(number, { resolve, reject }))
  }

  #receive(data) {
    const answer = this.#answers.get(data.number)
    if (answer) {
      this.#answers.delete(data.number)
      if (data.type === 'failed') answer.reject(new Error(data.message))
      else answer.resolve(data.answer)
      return
    }
    if (data.type === 'broken') this.isRecording = false
    this.#notify(data.type, data)
  }

  #workerFailed() {
    const message = 'The encoder stopped unexpectedly. The recording up to now is saved. Reload '
      + 'the page to get it.'
    for (const { reject } of this.#answers.values()) reject(new Error(message))
    this.#answers.clear()
    this.isRecording = false
    this.#notify('broken', { message, entry: null })
  }

  #notify(type, detail) { this.dispatchEvent(new CustomEvent(type, { detail })) }
}

/** Returns the available microphones. Their names are known only after the user has allowed one. */
export async function microphones() {
  const devices = await navigator.mediaDevices?.enumerateDevices?.() ?? []
  return devices.filter(device => device.kind === 'audioinput' && device.deviceId)
}

/** Creates an audio context with this rate, or with the default rate. */
function newContext(sampleRate) {
  const Context = globalThis.AudioContext
  if (!Context || !globalThis.AudioWorkletNode) throw new MicrophoneProblem('old')
  return new Context({ latencyHint: 'balanced', ...(sampleRate ? { sampleRate } : {}) })
}

function getStream({ deviceId, channels, processing }) {
  return navigator.mediaDevices.getUserMedia({
    audio: {
      ...(deviceId ? { deviceId: { exact: deviceId } } : {}),
      channelCount: { ideal: channels }, ...processing
    }
  })
}

function stopTracks(stream) {
  for (const track of stream.getTracks()) {
    track.onended = null
    track.stop()
  }
}

const messages = {
  insecure: 'Browsers allow the microphone only on pages from this machine or over https. This page '
    + `is from “${location.host}”. Open it as http://localhost:${location.port || 80}/ on the `
    + 'machine where the studio runs, or record with that machine’s devices under “Record”.',
  old: 'This browser does not support recording (no AudioWorklet). Use a newer browser.',
  NotAllowedError: 'This page has no permission for the microphone. Allow it in the browser’s '
    + 'address bar, or in the system settings, then try again.',
  NotFoundError: 'No microphone found. Connect one, then try again.',
  OverconstrainedError: 'The chosen microphone is no longer available. Choose another one, then '
    + 'try again.',
  NotReadableError: 'The microphone cannot be opened: another program may be using it. Close that '
    + 'program, then try again.',
  // Firefox does not convert the microphone's rate to the context's rate.
  NotSupportedError: 'This browser does not support this microphone at the current sampling rate. '
    + 'Choose another microphone, or start a new recording with this one.'
}
messages.SecurityError = messages.NotAllowedError
messages.AbortError = messages.NotReadableError

/** An error with a human-readable message. */
class MicrophoneProblem extends Error {
  constructor(kind) { super(messages[kind]) }
}

/** Converts any error from opening a microphone to an error with a human-readable message. */
function problemOf(error) {
  if (error instanceof MicrophoneProblem) return error
  if (Object.hasOwn(messages, error?.name)) return new MicrophoneProblem(error.name)
  return new Error(`The microphone cannot be opened: ${error?.message ?? error}`)
}

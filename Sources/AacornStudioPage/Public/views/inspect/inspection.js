import { startWorker } from '../../workers.js'
import { recordingAddress } from '../recordings.js'
import { RowStore } from './rows.js'

/**
 * An inspection of a file. Sends `change` when its phase, progress, rows or report change, at most once per
 * frame of the screen.
 */
export class Inspection extends EventTarget {
  /** 'reading', 'done' or 'failed'. */
  phase = 'reading'
  /** 'fetching' or 'inspecting'. */
  activity = 'inspecting'
  fraction = 0
  rows = new RowStore()
  report = null
  /** The file, once it has been inspected. */
  blob = null
  problem = ''
  #worker
  #isDue = false

  /** `source` is a local File or a recording `{ name, bytes }` of the studio. */
  constructor(source) {
    super()
    this.name = source.name
    this.bytes = source instanceof Blob ? source.size : source.bytes ?? 0
    this.isLocal = source instanceof Blob
    this.#worker = startWorker(new URL('./worker.js', import.meta.url),
      message => this.#receive(message),
      () => this.#fail('The inspector cannot run in this browser. Use a browser from 2024 or '
        + 'later: it needs WebAssembly and module workers.'))
    this.#worker.postMessage(
      this.isLocal
        ? { blob: source }
        : { address: new URL(recordingAddress(source.name), location.href).href,
          bytes: this.bytes })
    this.activity = this.isLocal ? 'inspecting' : 'fetching'
  }

  /** Stops the work in any phase. */
  cancel() {
    this.#worker?.terminate()
    this.#worker = null
  }

  /** The duration of a frame in seconds; 0 if unknown. */
  get frameSeconds() {
    const rows = this.rows
    if (rows.length > 1) return (rows.time(rows.length - 1) - rows.time(0)) / (rows.length - 1)
    const { coreSampleRate, frameLength } = this.report ?? {}
    return coreSampleRate > 0 ? frameLength / coreSampleRate : 0
  }

  #receive(message) {
    if (!this.#worker) return
    if (message.type === 'rows') this.rows.append(message.batch)
    if (message.type === 'progress') {
      this.activity = message.phase
      this.fraction = message.fraction
    }
    if (message.type === 'report') {
      this.report = message.report
      this.blob = message.blob
      this.bytes = message.blob.size
      this.phase = 'done'
      this.fraction = 1
      this.cancel()
    }
    if (message.type === 'failed') this.#fail(message.message)
    this.#announce()
  }

  #fail(problem) {
    this.problem = problem
    this.phase = 'failed'
    this.cancel()
    this.#announce()
  }

  #announce() {
    if (this.#isDue) return
    this.#isDue = true
    const send = () => {
      this.#isDue = false
      this.dispatchEvent(new Event('change'))
    }
    // A hidden page draws nothing, but its work must still end.
    if (document.hidden) setTimeout(send, 100)
    else requestAnimationFrame(send)
  }
}

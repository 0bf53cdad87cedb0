import { startWorker } from '../../workers.js'
import { counted, exactClock, frequency, hexadecimal, spaced } from '../../format.js'
import { recordingAddress } from '../recordings.js'
import { RowStore } from './rows.js'
import { channelText, facts } from './facts.js'

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
      this.rows.removeNotes(message.report.faults)
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

/** Returns a report as lines of text, for example to paste into an email. */
export function reportText(inspection) {
  const { name, report } = inspection
  const lines = [name]
  if (report.frames === 0) return `${name}\n  ${noFrames(inspection)}\n`
  const list = facts(report)
  const width = Math.max(...list.map(fact => fact.label.length)) + 2
  for (const { label, text } of list) lines.push(`  ${label.padEnd(width)}${text}`)
  for (const fault of report.faults) {
    const location = `byte ${fault.offset} (${hexadecimal(fault.offset)}), `
      + counted(fault.length, 'byte')
    lines.push(`    ${fault.severity} at ${location}, frame ${fault.frame}: ${fault.message}`)
  }
  return `${plain(lines.join('\n'))}\n`
}

/** Returns a report for programs, as `aacorn inspect --json` prints it. */
export function reportJSON(inspection) {
  const { waveform, ...rest } = inspection.report
  return `${JSON.stringify({ type: 'report', file: inspection.name, ...rest }, null, 2)}\n`
}

/** Whether a file has an entirely different format, so that faults in it as AAC are meaningless. */
export const isForeign = report => report.frames === 0 && report.container === 'unknown'

export function noFrames({ report, name, bytes }) {
  if (bytes === 0) return `“${name}” is empty: there is nothing in it to inspect.`
  if (!isForeign(report)) {
    return `“${name}” has the form of ${report.container}, but contains no AAC frames.`
  }
  return `“${name}” is not AAC: it contains no frames. If it is audio in another format, `
    + 'convert it to AAC under “Convert”.'
}

/** Returns the message for a file that can be played, but in which the inspection has found no frames. */
export function onlySound({ name }, container) {
  const kind = { wav: 'WAV', aiff: 'AIFF', caf: 'CAF' }[container]
  if (kind) return `“${name}” is ${kind}, not AAC: there are no frames to list.`
  return `“${name}” can be played and displayed, but has no AAC frames to list.`
}

/** Copies text to the clipboard; if the page has no access to the clipboard, through a text field. */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const field = document.createElement('textarea')
    const before = document.activeElement
    field.value = text
    field.className = 'visually-hidden'
    document.body.append(field)
    field.select()
    const isCopied = document.execCommand('copy')
    field.remove()
    before?.focus()
    return isCopied
  }
}

/** Replaces narrow spaces by ordinary ones, which every editor displays. */
const plain = text => text.replaceAll('\u202f', ' ')

/** Describes a frame in one line, with the faults that the report lists for it. */
export function frameWords(row, report) {
  const faults = (report?.faults ?? []).filter(fault => fault.frame === row.number)
  return [
    `Frame ${spaced(row.number)}`, exactClock(row.time),
    `byte ${spaced(row.offset)} (${hexadecimal(row.offset)})`, counted(row.bytes, 'byte'),
    row.usedBits !== null && `${spaced(row.usedBits)} bits used`,
    row.block, row.reservoirBits !== null && `reservoir ${spaced(row.reservoirBits)} bits`,
    `${row.profile}, ${frequency(row.sampleRate)}, ${channelText(row.channels)}`,
    faults.map(fault => fault.message).join('; ') || row.faults > 0 && counted(row.faults, 'fault')
  ].filter(Boolean).join('  ·  ')
}

/** Parses the number of a frame or a time such as 1:05.5; null if the text is neither. */
export function wantedFrame(text, rows) {
  const words = text.replace(/[\s\u202f]/g, '')
  if (/^\d+$/.test(words)) return Math.min(Number(words), rows.length - 1)
  if (!/^(\d+:){0,2}\d+(\.\d+)?$/.test(words)) return null
  const seconds = words.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
  return rows.indexAt(seconds)
}

import { facts } from './facts.js'
import { counted, hexadecimal } from './words.js'

/** A report as lines of text, to paste into a letter. */
export function reportText(inspection) {
  const { name, report } = inspection
  const lines = [name]
  if (report.frameCount === 0) return `${name}\n  ${noFrames(inspection)}\n`
  const list = facts(report)
  const width = Math.max(...list.map(fact => fact.label.length)) + 2
  for (const { label, text } of list) lines.push(`  ${label.padEnd(width)}${text}`)
  for (const fault of report.faults) {
    const place = `byte ${fault.offset} (${hexadecimal(fault.offset)}), `
      + counted(fault.length, 'byte')
    lines.push(`    ${fault.severity} at ${place}, frame ${fault.frame}: ${fault.message}`)
  }
  return `${plain(lines.join('\n'))}\n`
}

/** A report for programs; the picture of the waveform is left out. */
export function reportJSON(inspection) {
  const { waveform, ...rest } = inspection.report
  return `${JSON.stringify({ file: inspection.name, ...rest }, null, 2)}\n`
}

/** Whether a file is something else altogether; what is wrong with it as AAC says nothing then. */
export function isForeign(report) {
  return report.frameCount === 0 && report.container === 'unknown'
}

/** What to say about a file without a frame. */
export function noFrames({ report, name, bytes }) {
  if (bytes === 0) return `“${name}” is empty: there is nothing in it to inspect.`
  if (!isForeign(report)) {
    return `“${name}” has the form of ${report.container}, but contains no AAC frames.`
  }
  return `“${name}” is not AAC: it contains no frames. If it is audio in another format, `
    + 'convert it to AAC under “Convert”.'
}

/** What to say about a file that can be heard, but in which the inspection has found no frames. */
export function onlySound({ name }, container) {
  const kind = { wav: 'WAV', aiff: 'AIFF', caf: 'CAF' }[container]
  if (kind) return `“${name}” is ${kind}, not AAC: there are no frames to list.`
  return `“${name}” can be played and displayed, but has no AAC frames to list.`
}

/** Copies text; where the page is not trusted with the clipboard, by way of a field. */
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

/** Narrow spaces as ordinary ones, which every editor shows. */
function plain(text) {
  return text.replaceAll('\u202f', ' ')
}

import { frequency } from '../../format.js'
import { channelText } from './facts.js'
import { counted, exactClock, grouped, hexadecimal } from './words.js'

/** Describes a frame in one line, with the faults that the report lists for it. */
export function frameWords(row, report) {
  const parts = [
    `Frame ${grouped(row.number)}`, exactClock(row.time),
    `byte ${grouped(row.offset)} (${hexadecimal(row.offset)})`, counted(row.bytes, 'byte')
  ]
  if (row.usedBits !== null) parts.push(`${grouped(row.usedBits)} bits used`)
  parts.push(row.block)
  if (row.reservoirBits !== null) parts.push(`reservoir ${grouped(row.reservoirBits)} bits`)
  parts.push(`${row.profile}, ${frequency(row.sampleRate)}, ${channelText(row.channels)}`)
  const faults = (report?.faults ?? []).filter(fault => fault.frame === row.number)
  if (faults.length > 0) parts.push(faults.map(fault => fault.message).join('; '))
  else if (row.faults > 0) parts.push(counted(row.faults, 'fault'))
  return parts.join('  ·  ')
}

/** Parses the number of a frame or a time such as 1:05.5; null if the text is neither. */
export function wantedFrame(text, rows) {
  const words = text.replace(/[\s\u202f]/g, '')
  if (/^\d+$/.test(words)) return Math.min(Number(words), rows.length - 1)
  if (!/^(\d+:){0,2}\d+(\.\d+)?$/.test(words)) return null
  const seconds = words.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
  return rows.indexAt(seconds)
}

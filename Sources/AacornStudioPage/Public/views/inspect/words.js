// Exact numbers as text; `format.js` has the rounded ones.

import { clock } from '../../format.js'

const groups = new Intl.NumberFormat('en', { useGrouping: true, maximumFractionDigits: 3 })

/** Formats 1234567 as 1 234 567, with thin spaces. */
export const grouped = value => groups.format(value).replaceAll(',', '\u202f')

/** Formats an offset in hexadecimal, like a hex editor. */
export const hexadecimal = value => `0x${Math.max(0, value).toString(16).toUpperCase()}`

/** Formats minutes and seconds to the millisecond, with hours if needed. */
export function exactClock(seconds) {
  const total = Math.max(0, Math.round(seconds * 1000))
  return `${clock(total / 1000)}.${String(total % 1000).padStart(3, '0')}`
}

export const counted = (count, word) => `${grouped(count)} ${word}${count === 1 ? '' : 's'}`

/** Formats a share in percent with one decimal. */
export const share = (part, whole) => `${(part * 100 / whole).toFixed(1)}\u202f%`

/** Numbers in words where the exact value matters; `format.js` has the rounded ones. */

const groups = new Intl.NumberFormat('en', { useGrouping: true, maximumFractionDigits: 3 })

/** 1234567 as 1 234 567, with thin spaces. */
export function grouped(value) {
  return groups.format(value).replaceAll(',', '\u202f')
}

/** An offset as programs that show bytes write it. */
export function hexadecimal(value) {
  return `0x${Math.max(0, value).toString(16).toUpperCase()}`
}

/** Minutes and seconds to the millisecond, with hours where there are any. */
export function exactClock(seconds) {
  const total = Math.max(0, Math.round(seconds * 1000))
  const padded = (value, length) => String(value).padStart(length, '0')
  const hours = Math.floor(total / 3_600_000)
  const minutes = Math.floor(total / 60_000) % 60
  const rest = `${padded(Math.floor(total / 1000) % 60, 2)}.${padded(total % 1000, 3)}`
  return hours > 0 ? `${hours}:${padded(minutes, 2)}:${rest}` : `${minutes}:${rest}`
}

/** A count and what is counted. */
export function counted(count, word) {
  return `${grouped(count)} ${word}${count === 1 ? '' : 's'}`
}

/** A share in per cent with one digit. */
export function share(part, whole) {
  return `${(part * 100 / whole).toFixed(1)}\u202f%`
}

// Functions that format quantities as text. An unknown value becomes an en dash.

const unknown = '–'
const isKnown = value => typeof value === 'number' && Number.isFinite(value)

/** Formats seconds as 0:05, 12:34 or 1:02:03. */
export function clock(seconds) {
  if (!isKnown(seconds)) return unknown
  const whole = Math.max(0, Math.floor(seconds))
  const pad = number => String(number).padStart(2, '0')
  const hours = Math.floor(whole / 3600)
  const minutes = Math.floor(whole / 60) % 60
  return hours ? `${hours}:${pad(minutes)}:${pad(whole % 60)}` : `${minutes}:${pad(whole % 60)}`
}

/** Formats seconds as 0:05.3. */
export function tenths(seconds) {
  if (!isKnown(seconds)) return unknown
  const whole = Math.max(0, Math.floor(seconds * 10 + 1e-6))
  return `${clock(whole / 10)}.${whole % 10}`
}

/** Formats seconds to the millisecond. */
export function exactClock(seconds) {
  const total = Math.max(0, Math.round(seconds * 1000))
  return `${clock(total / 1000)}.${String(total % 1000).padStart(3, '0')}`
}

/** Formats seconds for screen readers: “1 hour 2 minutes 3 seconds”. */
export function spokenTime(seconds) {
  if (!isKnown(seconds)) return 'unknown'
  const whole = Math.max(0, Math.floor(seconds))
  const parts = [
    [Math.floor(whole / 3600), 'hour'], [Math.floor(whole / 60) % 60, 'minute'],
    [whole % 60, 'second']
  ]
  const spoken = parts.filter(([number]) => number).map(part => count(...part))
  return spoken.length ? spoken.join(' ') : '0 seconds'
}

/** Formats a number with its noun: “1 gap”, “2 gaps”. */
export function count(number, word, plural = `${word}s`) {
  return `${number} ${number === 1 ? word : plural}`
}

/** Formats a number of channels: “mono”, “stereo”, “6 channels”. */
export function channelCount(channels) {
  return ['mono', 'stereo'][channels - 1] ?? count(channels, 'channel')
}

/** Formats bytes as “812 B”, “4.2 MB”; 1 MB is 1 000 000 bytes. */
export function size(bytes) {
  if (!isKnown(bytes)) return unknown
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  let value = bytes
  let unit = 0
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000
    unit += 1
  }
  const digits = unit === 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2
  return `${value.toFixed(digits)} ${units[unit]}`
}

/** Formats bits per second as “128 kb/s”, “1.41 Mb/s”. */
export function bitrate(bits) {
  if (!isKnown(bits) || bits <= 0) return unknown
  if (bits >= 999_500) return `${(bits / 1e6).toFixed(2)} Mb/s`
  const thousands = bits / 1000
  return `${thousands.toFixed(thousands < 10 ? 1 : 0)} kb/s`
}

/** Formats hertz as “440 Hz”, “44.1 kHz”. */
export function frequency(hz) {
  if (!isKnown(hz) || hz <= 0) return unknown
  if (hz < 1000) return `${Math.round(hz)} Hz`
  return `${trimmed(hz / 1000, hz % 100 === 0 ? 1 : hz % 10 === 0 ? 2 : 3)} kHz`
}

const trimmed = (value, digits) => value.toFixed(digits).replace(/\.?0+$/, '')

/** Formats a loudness as “−23.1 LUFS”. */
export const loudness = value => (isKnown(value) ? `${signed(value, 1)} LUFS` : unknown)

const grouping = new Intl.NumberFormat('en')

/** Formats an integer with separated thousands: “12,345”. */
export const grouped = number => grouping.format(number)

/** Formats 1234567 as 1 234 567, with thin spaces. */
export const spaced = number => grouped(number).replaceAll(',', '\u202f')

/** Formats a number, grouped by thin spaces, with its noun: “1 234 gaps”. */
export const counted = (number, word) => `${spaced(number)} ${word}${number === 1 ? '' : 's'}`

/** Formats an offset in hexadecimal, like a hex editor. */
export const hexadecimal = value => `0x${Math.max(0, value).toString(16).toUpperCase()}`

/** Formats a share in percent with one decimal. */
export const share = (part, whole) => `${(part * 100 / whole).toFixed(1)}\u202f%`

/** Formats a number with a true minus sign. */
export function signed(value, digits = 0) {
  const text = Math.abs(value).toFixed(digits)
  return value < 0 && Number(text) !== 0 ? `−${text}` : text
}

/** Formats the time since a moment (ms since 1970): “just now”, “5 min ago”, “yesterday”, or the date. */
export function ago(ms, now = Date.now()) {
  if (!isKnown(ms)) return unknown
  const seconds = Math.max(0, (now - ms) / 1000)
  if (seconds < 45) return 'just now'
  if (seconds < 3600) return `${Math.max(1, Math.floor(seconds / 60))} min ago`
  const then = new Date(ms)
  const midnight = new Date(now)
  midnight.setHours(0, 0, 0, 0)
  if (ms >= midnight.getTime()) return `${Math.floor(seconds / 3600)} h ago`
  if (ms >= midnight.getTime() - 86_400_000) return 'yesterday'
  const isThisYear = then.getFullYear() === midnight.getFullYear()
  return then.toLocaleDateString(undefined, {
    day: 'numeric', month: 'short', year: isThisYear ? undefined : 'numeric'
  })
}

/** Formats a moment (ms since 1970) as a time of day with seconds. */
export function timeOfDay(ms) {
  return isKnown(ms)
    ? new Date(ms).toLocaleTimeString(undefined, {
        hour: '2-digit', minute: '2-digit', second: '2-digit'
      })
    : unknown
}

/** Shortens a long path in the middle: its beginning and its end are the most informative parts. */
export function shortPath(path, limit = 44) {
  const letters = [...path]
  if (letters.length <= limit) return path
  const front = Math.floor(limit / 3)
  return `${letters.slice(0, front).join('')}…${letters.slice(front + 1 - limit).join('')}`
}

// The colors of the spectrogram.

// Stops in OKLCh (lightness, chroma, hue). The lightness is linear from the background to the loudest level, so
// that equal level differences look equal in both themes; the hue is only an aid.
const dark = [
  [0.17, 0.012, 60], [0.30, 0.055, 20], [0.44, 0.105, 32], [0.58, 0.135, 48], [0.72, 0.140, 66],
  [0.85, 0.115, 82], [0.97, 0.050, 95]
]
const light = [
  [0.985, 0.006, 80], [0.90, 0.060, 84], [0.79, 0.110, 70], [0.66, 0.135, 55], [0.52, 0.125, 38],
  [0.37, 0.090, 20], [0.20, 0.040, 350]
]
/** The levels (0…255 for −100…0 dBFS) at the ends of the color range. */
const quietest = 30
const loudest = 240

function mix(stops, position) {
  const scaled = position * (stops.length - 1)
  const index = Math.min(stops.length - 2, Math.floor(scaled))
  const part = scaled - index
  // Interpolate a and b rather than the hue, which wraps at 360 degrees.
  const point = ([lightness, chroma, hue]) => [
    lightness, chroma * Math.cos(hue * Math.PI / 180), chroma * Math.sin(hue * Math.PI / 180)
  ]
  const [from, to] = [point(stops[index]), point(stops[index + 1])]
  return from.map((value, axis) => value + (to[axis] - value) * part)
}

/** Converts OKLab to the bytes of sRGB. */
function bytes([lightness, a, b]) {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s
  ].map(linear => {
    const value = Math.min(1, Math.max(0, linear))
    const curved = value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055
    return Math.round(255 * curved)
  })
}

const maps = {}

/** Returns 256 colors as 32-bit pixels in the order of ImageData. */
export function colorMap(isDark) {
  const name = isDark ? 'dark' : 'light'
  if (maps[name]) return maps[name]
  const map = new Uint32Array(256)
  const view = new DataView(map.buffer)
  const stops = isDark ? dark : light
  for (let level = 0; level < 256; level += 1) {
    const position = Math.min(1, Math.max(0, (level - quietest) / (loudest - quietest)))
    const [red, green, blue] = bytes(mix(stops, position))
    view.setUint32(level * 4, (red << 24 | green << 16 | blue << 8 | 255) >>> 0)
  }
  maps[name] = map
  return map
}

/** Returns the color of silence, the background of the spectrogram. */
export function groundColor(isDark) {
  const bytes = new Uint8Array(colorMap(isDark).buffer)
  return `rgb(${bytes[0]} ${bytes[1]} ${bytes[2]})`
}

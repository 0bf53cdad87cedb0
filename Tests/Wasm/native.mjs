// The native command, for comparisons.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'

const command = process.env.AACORN
if (!command) throw new Error('AACORN does not name the native command. Run Scripts/check-wasm.')

const folder = mkdtempSync(join(tmpdir(), 'aacorn-wasm-'))
after(() => rmSync(folder, { recursive: true }))

/** The options for interleaved 16-bit samples as input. */
export const rawStereo = ['--raw-format', 's16le', '--raw-rate', '44100', '--raw-channels', '2']

/** Writes a file beside the inputs, and returns its path. */
export function inFolder(name, bytes) {
  const path = join(folder, name)
  writeFileSync(path, bytes)
  return path
}

/** Returns the output of `aacorn encode` for the bytes of a file or of a pipe. */
export function encodeNatively(bytes, format, options, isPipe = false) {
  const input = inFolder('input', bytes)
  const output = join(folder, `output.${format}`)
  const result = spawnSync(command, ['encode', '--quiet', '--force', '--format', format, ...options,
    '-o', output, isPipe ? '-' : input], isPipe ? { input: bytes } : {})
  assert.equal(result.status, 0, String(result.stderr))
  return readFileSync(output)
}

/** Returns the rows and the report of `aacorn inspect`. */
export function inspectNatively(bytes) {
  const path = inFolder('inspected', bytes)
  const result = spawnSync(command, ['inspect', '--frames', '--json', path], { maxBuffer: 1 << 28 })
  const lines = String(result.stdout).trim().split('\n').map((line) => JSON.parse(line))
  return { rows: lines.slice(0, -1), report: lines.at(-1) }
}

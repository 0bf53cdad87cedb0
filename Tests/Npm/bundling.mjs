// esbuild, with users' settings for WebAssembly modules.

import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'

const modules = ['aacorn', 'aacorn-decoder', 'aacorn-inspector', 'aacorn-samples', 'aacorn-sound']

/**
 * Bundles a program into a folder, with the file extensions that node requires; returns the script's name.
 */
export function bundle(folder, program, into, format, ...options) {
  const ending = { esm: '.mjs', cjs: '.cjs', iife: '.js' }[format]
  execFileSync('esbuild', ['--bundle', '--log-level=warning', `--format=${format}`,
    `--outdir=${into}`, `--out-extension:.js=${ending}`, ...options, ...[program].flat()],
  { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] })
  return [program].flat()[0].replace('.mjs', ending)
}

/** Methods to provide the modules of a bundle, by their names. */
export const ways = {
  // The user copies the modules to the folder of the bundle.
  'copied modules': (folder, into, format, ...options) => {
    fs.mkdirSync(path.join(folder, into), { recursive: true })
    for (const name of modules) {
      fs.copyFileSync(path.join(folder, 'node_modules/aacorn', `${name}.wasm`),
        path.join(folder, into, `${name}.wasm`))
    }
    return bundle(folder, 'plain.mjs', into, format, ...options)
  },
  'loader copy': (folder, into, format, ...options) => bundle(folder, ['plain.mjs',
    ...modules.map((name) => `node_modules/aacorn/${name}.wasm`)], into, format,
  '--loader:.wasm=copy', '--entry-names=[name]', ...options),
  ...Object.fromEntries(['file', 'binary', 'dataurl'].map((loader) => [
    `loader ${loader}`, (folder, into, format, ...options) => (
      bundle(folder, 'importing.mjs', into, format, `--loader:.wasm=${loader}`, ...options)),
  ])),
}

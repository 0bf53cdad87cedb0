// TypeScript's checks of programs that use the package: valid programs pass with every module resolution, and
// every invalid line is reported.

import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { install, root } from './installed.mjs'

const folder = install()
// The stub of mediabunny has no types and needs none: the types of the adapter do not import it.
for (const name of ['program.ts', 'importing.ts']) {
  fs.copyFileSync(path.join(root, 'Tests/Npm', name), path.join(folder, name))
}

for (const [module, resolution, programs] of [
  ['node16', 'node16', ['program.ts', 'importing.ts']],
  // The old resolution finds no types of entries that package.json exports by other names.
  ['esnext', 'node', ['program.ts']],
]) {
  test(`TypeScript reads the types with the resolution ${resolution}`, () => {
    const options = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess',
      '--target', 'es2022', '--lib', 'es2022,dom', '--module', module, '--moduleResolution', resolution]
    try {
      execFileSync('tsc', [...options, ...programs], { cwd: folder, encoding: 'utf8' })
    } catch ({ stdout }) {
      throw new Error(stdout)
    }
  })
}

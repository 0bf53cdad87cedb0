// What TypeScript says to programs that use the package: right ones pass in every way of finding
// types, and each line that is wrong is complained of.

import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { install, root } from './installed.mjs'

const folder = install()
// What stands in for mediabunny has no types, and needs none: the adapter's name only the package.
for (const name of ['program.ts', 'importing.ts']) {
  fs.copyFileSync(path.join(root, 'Tests/Npm', name), path.join(folder, name))
}

for (const [module, resolution, programs] of [
  ['node16', 'node16', ['program.ts', 'importing.ts']],
  // The old way has no types for what package.json exports by another name.
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

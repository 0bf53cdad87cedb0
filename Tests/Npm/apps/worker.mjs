// A worker without a bundler, which has no import map and imports the package by addresses. The adapter
// imports a name, so it is skipped.

import * as aacorn from './node_modules/aacorn/aacorn.js'
import * as decoder from './node_modules/aacorn/decoder.js'
import * as webcodecs from './node_modules/aacorn/webcodecs.js'
import { report } from './report.mjs'
import { work } from './work.mjs'

report(work({ aacorn, decoder, webcodecs }))

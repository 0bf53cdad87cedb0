// A program that lets the package locate its modules.

import * as aacorn from 'aacorn'
import * as decoder from 'aacorn/decoder.js'
import * as adapter from 'aacorn/mediabunny.js'
import * as webcodecs from 'aacorn/webcodecs.js'
import * as mediabunny from 'mediabunny'
import { report } from './report.mjs'
import { work } from './work.mjs'

report(work({ aacorn, decoder, webcodecs, adapter, mediabunny }))

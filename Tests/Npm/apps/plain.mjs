// A program that leaves it to the package where its modules are.

import * as aacorn from 'aacorn'
import * as decoder from 'aacorn/decoder.js'
import * as adapter from 'aacorn/mediabunny.js'
import * as webcodecs from 'aacorn/webcodecs.js'
import * as mediabunny from 'mediabunny'
import { tell } from './tell.mjs'
import { work } from './work.mjs'

tell(work({ aacorn, decoder, webcodecs, adapter, mediabunny }))

// A worker without a bundler, which has no import map: addresses lead to the package. The adapter needs
// a name, so it is left out.

import * as aacorn from './node_modules/aacorn/aacorn.js'
import * as decoder from './node_modules/aacorn/decoder.js'
import * as webcodecs from './node_modules/aacorn/webcodecs.js'
import { tell } from './tell.mjs'
import { work } from './work.mjs'

tell(work({ aacorn, decoder, webcodecs }))

// The type of a WebAssembly module that a program imports with a bundler: an address or the bytes, depending on
// the bundler's configuration.
import type { ModuleSource } from './aacorn.js'

declare const source: ModuleSource
export default source

// What a module of WebAssembly is to a program that imports it with a bundler: an address or its bytes, as
// the bundler is told.
import type { ModuleSource } from './aacorn.js'

declare const source: ModuleSource
export default source

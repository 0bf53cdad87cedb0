#ifndef AACORN_WEB_ASSEMBLY_MEMORY_H
#define AACORN_WEB_ASSEMBLY_MEMORY_H

// The two instructions of WebAssembly that Swift has no name for. There is nothing to link: the
// functions are inlined as the instructions.

/// Pages of 64 KiB that the linear memory has.
static inline unsigned long aacorn_memory_size(void) {
  return __builtin_wasm_memory_size(0);
}

/// Adds pages at the end and returns how many there were, or -1 if there is no more memory.
static inline unsigned long aacorn_memory_grow(unsigned long pages) {
  return __builtin_wasm_memory_grow(0, pages);
}

#endif

#ifndef AACORN_WEB_ASSEMBLY_MEMORY_H
#define AACORN_WEB_ASSEMBLY_MEMORY_H

// The WebAssembly instruction that Swift has no name for. There is nothing to link: the function is
// inlined as the instruction.

/// Adds pages of 64 KiB at the end and returns how many there were, or -1 if there is no more memory.
static inline unsigned long aacorn_memory_grow(unsigned long pages) {
  return __builtin_wasm_memory_grow(0, pages);
}

#endif

#ifndef AACORN_WEB_ASSEMBLY_MEMORY_H
#define AACORN_WEB_ASSEMBLY_MEMORY_H

// A WebAssembly instruction that Swift does not provide. Nothing is linked: the function is inlined
// as the instruction.

/// Adds pages of 64 KiB at the end; returns the previous number of pages, or -1 if memory runs out.
static inline unsigned long aacorn_memory_grow(unsigned long pages) {
  return __builtin_wasm_memory_grow(0, pages);
}

#endif

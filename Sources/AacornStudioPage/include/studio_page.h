#ifndef AACORN_STUDIO_PAGE_H
#define AACORN_STUDIO_PAGE_H

#include <stddef.h>

/// One file of the page: where it is found, what it is, and its bytes.
typedef struct {
  const char *path;
  const char *type;
  const unsigned char *bytes;
  size_t size;
} aacorn_page_file;

/// How many files there are.
size_t aacorn_page_file_count(void);

/// A file by its number.
aacorn_page_file aacorn_page_file_at(size_t index);

#endif

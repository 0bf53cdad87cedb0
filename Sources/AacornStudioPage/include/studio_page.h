#ifndef AACORN_STUDIO_PAGE_H
#define AACORN_STUDIO_PAGE_H

#include <stddef.h>

/// A file of the page: its path, its media type and its bytes.
typedef struct {
  const char *path;
  const char *type;
  const unsigned char *bytes;
  size_t size;
} aacorn_page_file;

/// Returns the number of files.
size_t aacorn_page_file_count(void);

/// Returns the file at `index`.
aacorn_page_file aacorn_page_file_at(size_t index);

#endif

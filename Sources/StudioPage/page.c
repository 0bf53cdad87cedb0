// The files of the page, which the compiler puts into the program: nothing is looked for at run
// time, and nothing has to be built beforehand.

#include "studio_page.h"

static const unsigned char index_html[] = {
#embed "Public/index.html"
};

#define FILE_AT(path, type, bytes) {path, type, bytes, sizeof bytes}
#define HTML "text/html; charset=utf-8"

static const aacorn_page_file files[] = {
    FILE_AT("/index.html", HTML, index_html),
};

size_t aacorn_page_file_count(void) { return sizeof files / sizeof files[0]; }

aacorn_page_file aacorn_page_file_at(size_t index) { return files[index]; }

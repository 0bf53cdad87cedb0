#include "CAacornSndFile.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Serializes opening: the library has only one variable per process for the reason of a failure. */
static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;

const char *aacorn_sndfile_symbols(void) {
#define AACORN_SNDFILE_SYMBOL(type, name, parameters) "sf_" #name " "
  return AACORN_SNDFILE_FUNCTIONS(AACORN_SNDFILE_SYMBOL);
#undef AACORN_SNDFILE_SYMBOL
}

int aacorn_sndfile_version(const aacorn_sndfile_functions *functions) {
  int first = 0, second = 0, third = 0;
  const char *name = functions->version_string();
  if (!name || sscanf(name, "libsndfile-%4d.%3d.%3d", &first, &second, &third) < 2) return 0;
  return first % 1000 * 1000000 + second * 1000 + third;
}

struct aacorn_sndfile_file {
  const aacorn_sndfile_functions *functions;
  struct sf_private_tag *handle;
  aacorn_sndfile_format format;
  int descriptor;
  aacorn_sndfile_piece *pieces;
  int64_t piece_count;
  /* The size of all pieces together. */
  int64_t byte_count;
  /* The offset of the next byte, counted over all pieces. */
  int64_t position;
  /* The piece last read, and its offset. */
  int64_t piece;
  int64_t piece_start;
  int hides_end;
  int system_error;
  /* The callback that supplies a stream, and the number of bytes that it has supplied. */
  aacorn_sndfile_supply supply;
  void *supply_context;
  int64_t supplied;
  /* The first bytes, which the library reads again after it has recognized the format. */
  unsigned char head[4096];
};

static int64_t length(void *context) {
  return ((aacorn_sndfile_file *)context)->byte_count;
}

/* Whether an offset of a stream can be read: the next one, or any while the head has all bytes. */
static int is_within_stream(const aacorn_sndfile_file *file, int64_t position) {
  return position == file->supplied
         || (position < file->supplied && file->supplied <= (int64_t)sizeof file->head);
}

static int64_t seek(int64_t offset, int whence, void *context) {
  aacorn_sndfile_file *file = context;
  int64_t base = 0;
  if (whence == SEEK_CUR) base = file->position;
  if (whence == SEEK_END) {
    if (file->hides_end) return -1;
    base = file->byte_count;
  }
  int64_t position;
  if (__builtin_add_overflow(base, offset, &position) || position < 0) return -1;
  if (file->supply && !is_within_stream(file, position)) return -1;
  return file->position = position;
}

/* Finds the piece with the next byte, and returns how many bytes of it follow; 0 at the end. */
static int64_t find_piece(aacorn_sndfile_file *file) {
  if (file->position < file->piece_start) file->piece = file->piece_start = 0;
  for (; file->piece < file->piece_count; file->piece++) {
    int64_t end = file->piece_start + file->pieces[file->piece].byte_count;
    if (file->position < end) return end - file->position;
    file->piece_start = end;
  }
  /* Start at the first piece the next time. */
  file->piece = file->piece_start = 0;
  return 0;
}

static int64_t read_stream(aacorn_sndfile_file *file, char *bytes, int64_t count) {
  int64_t known = file->supplied - file->position;
  if (known > count) known = count;
  if (known > 0) memcpy(bytes, file->head + file->position, (size_t)known);
  int64_t added = 0;
  if (known < count) added = file->supply(file->supply_context, bytes + known, count - known);
  if (added < 0) added = 0;
  int64_t room = (int64_t)sizeof file->head - file->supplied;
  if (room > added) room = added;
  if (room > 0) memcpy(file->head + file->supplied, bytes + known, (size_t)room);
  file->supplied += added;
  file->position += known + added;
  return known + added;
}

static int64_t read_bytes(void *bytes, int64_t count, void *context) {
  aacorn_sndfile_file *file = context;
  if (file->supply) return read_stream(file, bytes, count);
  int64_t filled = 0;
  while (filled < count) {
    int64_t wanted = find_piece(file);
    if (wanted == 0) break;
    if (wanted > count - filled) wanted = count - filled;
    int64_t place = file->pieces[file->piece].offset + file->position - file->piece_start;
    ssize_t added =
        pread(file->descriptor, (char *)bytes + filled, (size_t)wanted, (off_t)place);
    if (added < 0 && errno == EINTR) continue;
    if (added < 0) file->system_error = errno;
    if (added <= 0) break;
    filled += added;
    file->position += added;
  }
  return filled;
}

static int64_t write_nothing(const void *bytes, int64_t count, void *context) {
  (void)bytes, (void)count, (void)context;
  return 0;
}

static int64_t tell(void *context) { return ((aacorn_sndfile_file *)context)->position; }

static const aacorn_sndfile_calls calls = {length, seek, read_bytes, write_nothing, tell};

/* Whether the file contains MPEG-1 or MPEG-2 audio, in any container. */
static int is_mpeg(int format) {
  int coding = format & AACORN_SNDFILE_CODING_MASK;
  return coding >= AACORN_SNDFILE_MPEG_LAYER_I && coding <= AACORN_SNDFILE_MPEG_LAYER_III;
}

/*
 * Whether a file begins like MPEG audio, or with a tag. If such a stream does not state its length,
 * the library estimates it from the size of the file, and cannot read beyond the estimate. Without
 * a size the library reads to the end.
 */
static int looks_like_mpeg(aacorn_sndfile_file *file) {
  unsigned char head[3] = {0};
  if (read_bytes(head, sizeof head, file) < (int64_t)sizeof head) return 0;
  return memcmp(head, "ID3", 3) == 0 || (head[0] == 0xFF && head[1] >= 0xE0);
}

/* Starts at the first byte; the caller holds the lock. */
static int begin(aacorn_sndfile_file *file, aacorn_sndfile_trouble *trouble) {
  const aacorn_sndfile_functions *functions = file->functions;
  memset(&file->format, 0, sizeof file->format);
  file->position = 0;
  file->handle = functions->open_virtual(
      (struct SF_VIRTUAL_IO *)&calls, AACORN_SNDFILE_READING, (struct SF_INFO *)&file->format,
      file);
  if (file->handle) return 1;
  if (trouble) {
    const char *words = functions->strerror(NULL);
    trouble->code = functions->error(NULL);
    trouble->system_error = file->system_error;
    snprintf(trouble->words, sizeof trouble->words, "%s", words ? words : "");
  }
  return 0;
}

aacorn_sndfile_file *aacorn_sndfile_open(
    const aacorn_sndfile_functions *functions, int descriptor, const aacorn_sndfile_piece *pieces,
    int64_t piece_count, aacorn_sndfile_trouble *trouble) {
  memset(trouble, 0, sizeof *trouble);
  aacorn_sndfile_file *file = calloc(1, sizeof *file);
  size_t size = (size_t)piece_count * sizeof *pieces;
  if (file) file->pieces = malloc(size ? size : 1);
  if (!file || !file->pieces) {
    free(file);
    trouble->code = AACORN_SNDFILE_SYSTEM;
    trouble->system_error = ENOMEM;
    return NULL;
  }
  file->functions = functions;
  file->descriptor = descriptor;
  if (size) memcpy(file->pieces, pieces, size);
  file->piece_count = piece_count;
  for (int64_t index = 0; index < piece_count; index++)
    file->byte_count += pieces[index].byte_count;
  file->hides_end = looks_like_mpeg(file);
  pthread_mutex_lock(&opening);
  int is_open = begin(file, trouble);
  if (is_open ? file->hides_end != is_mpeg(file->format.format) : file->hides_end) {
    if (is_open) functions->close(file->handle);
    file->hides_end = !file->hides_end;
    is_open = begin(file, trouble);
  }
  pthread_mutex_unlock(&opening);
  if (!is_open) {
    free(file->pieces);
    free(file);
    return NULL;
  }
  if (file->format.frames < 0 || file->format.frames == INT64_MAX) file->format.frames = -1;
  return file;
}

aacorn_sndfile_file *aacorn_sndfile_open_stream(
    const aacorn_sndfile_functions *functions, aacorn_sndfile_supply supply, void *context,
    aacorn_sndfile_trouble *trouble) {
  memset(trouble, 0, sizeof *trouble);
  aacorn_sndfile_file *file = calloc(1, sizeof *file);
  if (!file) {
    trouble->code = AACORN_SNDFILE_SYSTEM;
    trouble->system_error = ENOMEM;
    return NULL;
  }
  file->functions = functions;
  file->descriptor = -1;
  file->supply = supply;
  file->supply_context = context;
  file->byte_count = INT64_MAX;
  file->hides_end = 1;
  pthread_mutex_lock(&opening);
  int is_open = begin(file, trouble);
  pthread_mutex_unlock(&opening);
  if (!is_open) {
    free(file);
    return NULL;
  }
  file->format.frames = -1;
  return file;
}

const aacorn_sndfile_format *aacorn_sndfile_get_format(const aacorn_sndfile_file *file) {
  return &file->format;
}

int aacorn_sndfile_get_channels(const aacorn_sndfile_file *file, int *channels, int count) {
  if (count != file->format.channels) return 0;
  return file->functions->command(
      file->handle, AACORN_SNDFILE_GET_CHANNEL_MAP, channels, count * (int)sizeof *channels);
}

int64_t aacorn_sndfile_read(aacorn_sndfile_file *file, void *samples, int64_t frame_count) {
  /*
   * An error discards all samples decoded in the same call. So a call reads at most one coded
   * frame of MPEG audio, which has 1152 samples per channel.
   */
  int64_t most = file->hides_end ? 1152 : frame_count;
  int64_t count = 0;
  while (file->handle && count < frame_count) {
    int64_t wanted = frame_count - count < most ? frame_count - count : most;
    float *place = (float *)samples + count * file->format.channels;
    int64_t added = file->functions->readf_float(file->handle, place, wanted);
    if (added <= 0) break;
    count += added;
  }
  return count;
}

void aacorn_sndfile_get_trouble(const aacorn_sndfile_file *file, aacorn_sndfile_trouble *trouble) {
  memset(trouble, 0, sizeof *trouble);
  trouble->system_error = file->system_error;
  if (!file->handle) return;
  trouble->code = file->functions->error(file->handle);
  const char *words = trouble->code ? file->functions->strerror(file->handle) : NULL;
  snprintf(trouble->words, sizeof trouble->words, "%s", words ? words : "");
}

int aacorn_sndfile_rewind(aacorn_sndfile_file *file) {
  if (file->supply) return 0;
  if (file->handle) file->functions->close(file->handle);
  aacorn_sndfile_format format = file->format;
  pthread_mutex_lock(&opening);
  int is_open = begin(file, NULL);
  pthread_mutex_unlock(&opening);
  /* Fail if the format has changed: callers allocated memory for the channels of the first open. */
  if (is_open && (file->format.channels != format.channels
                  || file->format.sample_rate != format.sample_rate)) {
    file->functions->close(file->handle);
    file->handle = NULL;
    is_open = 0;
  }
  file->format = format;
  return is_open;
}

void aacorn_sndfile_close(aacorn_sndfile_file *file) {
  if (file->handle) file->functions->close(file->handle);
  free(file->pieces);
  free(file);
}

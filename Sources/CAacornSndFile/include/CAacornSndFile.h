#ifndef AACORN_CSNDFILE_H
#define AACORN_CSNDFILE_H

/*
 * The part of libsndfile that Aacorn uses, declared here and looked up in the library at run time,
 * so that neither its header files nor the library are needed to build or start.
 *
 * All names are Aacorn's own; the structs are shared with the library only by their tags. A test
 * compares everything below with <sndfile.h> where that is installed.
 *
 * The library reads a file through Aacorn's callbacks, at offsets of the descriptor, so that it
 * neither moves the descriptor's position nor closes the descriptor.
 */

#include <stddef.h>
#include <stdint.h>

struct sf_private_tag;
struct SF_INFO;
struct SF_VIRTUAL_IO;

/* Commands (SFC_…) and the mode for reading (SFM_READ). */
enum { AACORN_SNDFILE_GET_CHANNEL_MAP = 0x1100, AACORN_SNDFILE_READING = 0x10 };

/* Parts of a format: the container above, the coding below (SF_FORMAT_…). */
enum {
  AACORN_SNDFILE_CONTAINER_MASK = 0x0FFF0000,
  AACORN_SNDFILE_CODING_MASK = 0x0000FFFF,
  AACORN_SNDFILE_FLAC = 0x170000,
  AACORN_SNDFILE_OGG = 0x200000,
  AACORN_SNDFILE_MPEG = 0x230000,
  AACORN_SNDFILE_MPEG_LAYER_I = 0x80,
  AACORN_SNDFILE_MPEG_LAYER_II = 0x81,
  AACORN_SNDFILE_MPEG_LAYER_III = 0x82
};

/* Errors (SF_ERR_…) with the same meaning in every version. */
enum {
  AACORN_SNDFILE_UNRECOGNIZED_FORMAT = 1,
  AACORN_SNDFILE_SYSTEM = 2,
  AACORN_SNDFILE_MALFORMED_FILE = 3,
  AACORN_SNDFILE_UNSUPPORTED_ENCODING = 4
};

/* The position of a channel (SF_CHANNEL_MAP_…). */
enum {
  AACORN_SNDFILE_CHANNEL_MONO = 1,
  AACORN_SNDFILE_CHANNEL_LEFT = 2,
  AACORN_SNDFILE_CHANNEL_RIGHT = 3,
  AACORN_SNDFILE_CHANNEL_CENTER = 4,
  AACORN_SNDFILE_CHANNEL_FRONT_LEFT = 5,
  AACORN_SNDFILE_CHANNEL_FRONT_RIGHT = 6,
  AACORN_SNDFILE_CHANNEL_FRONT_CENTER = 7,
  AACORN_SNDFILE_CHANNEL_REAR_CENTER = 8,
  AACORN_SNDFILE_CHANNEL_REAR_LEFT = 9,
  AACORN_SNDFILE_CHANNEL_REAR_RIGHT = 10,
  AACORN_SNDFILE_CHANNEL_LFE = 11,
  AACORN_SNDFILE_CHANNEL_FRONT_LEFT_OF_CENTER = 12,
  AACORN_SNDFILE_CHANNEL_FRONT_RIGHT_OF_CENTER = 13,
  AACORN_SNDFILE_CHANNEL_SIDE_LEFT = 14,
  AACORN_SNDFILE_CHANNEL_SIDE_RIGHT = 15
};

/* X(result, name, parameters) for each function; its symbol is `sf_` and the name. */
#define AACORN_SNDFILE_FUNCTIONS(X)                                                              \
  X(struct sf_private_tag *, open_virtual,                                                       \
    (struct SF_VIRTUAL_IO * calls, int mode, struct SF_INFO *info, void *context))               \
  X(int64_t, readf_float, (struct sf_private_tag * file, float *samples, int64_t count))         \
  X(int, command, (struct sf_private_tag * file, int command, void *data, int size))             \
  X(int, error, (struct sf_private_tag * file))                                                  \
  X(const char *, strerror, (struct sf_private_tag * file))                                      \
  X(const char *, version_string, (void))                                                        \
  X(int, close, (struct sf_private_tag * file))

/* The functions of a library that was found. */
typedef struct {
#define AACORN_SNDFILE_MEMBER(result, name, parameters) result(*name) parameters;
  AACORN_SNDFILE_FUNCTIONS(AACORN_SNDFILE_MEMBER)
#undef AACORN_SNDFILE_MEMBER
} aacorn_sndfile_functions;

/* `struct SF_INFO` and `struct SF_VIRTUAL_IO`, as the library lays them out. */
typedef struct {
  int64_t frames;
  int sample_rate;
  int channels;
  int format;
  int sections;
  int seekable;
} aacorn_sndfile_format;

typedef struct {
  int64_t (*length)(void *context);
  int64_t (*seek)(int64_t offset, int whence, void *context);
  int64_t (*read)(void *bytes, int64_t count, void *context);
  int64_t (*write)(const void *bytes, int64_t count, void *context);
  int64_t (*tell)(void *context);
} aacorn_sndfile_calls;

/* The symbols of the functions, in the order of the table; a space follows each. */
const char *aacorn_sndfile_symbols(void);

/* The library's version: 1,000,000 · major + 1,000 · minor + patch; 0 if unknown. */
int aacorn_sndfile_version(const aacorn_sndfile_functions *functions);

/* A file being read; for use by one thread at a time. */
typedef struct aacorn_sndfile_file aacorn_sndfile_file;

/* The reason why a file was not opened: one of the library's codes, and its message. */
typedef struct {
  int code;
  /* The system's error number if reading failed, and otherwise 0. */
  int system_error;
  char words[256];
} aacorn_sndfile_trouble;

/* A part of a file. */
typedef struct {
  int64_t offset;
  int64_t byte_count;
} aacorn_sndfile_piece;

/*
 * Opens these pieces of a descriptor as one audio file. Copies the array of pieces. The caller
 * keeps the descriptor open until the file is closed. On failure, returns NULL and sets the error.
 */
aacorn_sndfile_file *aacorn_sndfile_open(
    const aacorn_sndfile_functions *functions, int descriptor, const aacorn_sndfile_piece *pieces,
    int64_t piece_count, aacorn_sndfile_trouble *trouble);

/* Supplies the next bytes of a stream and returns their number: `count`, or fewer at its end. */
typedef int64_t (*aacorn_sndfile_supply)(void *context, void *bytes, int64_t count);

/*
 * Opens a stream of MPEG audio frames of unknown length, which is read once. The context must exist
 * until the file is closed. On failure, returns NULL and sets the error.
 */
aacorn_sndfile_file *aacorn_sndfile_open_stream(
    const aacorn_sndfile_functions *functions, aacorn_sndfile_supply supply, void *context,
    aacorn_sndfile_trouble *trouble);

/* The format; `frames` is −1 if the library does not know them. */
const aacorn_sndfile_format *aacorn_sndfile_get_format(const aacorn_sndfile_file *file);

/*
 * Stores the position of each of the `count` channels; returns 0 if the file does not state them.
 */
int aacorn_sndfile_get_channels(const aacorn_sndfile_file *file, int *channels, int count);

/*
 * Reads frames of interleaved samples from −1 to 1 to aligned memory, and returns their number:
 * fewer than requested, or 0, at the end or after an error.
 */
int64_t aacorn_sndfile_read(aacorn_sndfile_file *file, void *samples, int64_t frame_count);

/* The last read error; the code is 0 if there was none. */
void aacorn_sndfile_get_trouble(const aacorn_sndfile_file *file, aacorn_sndfile_trouble *trouble);

/* Seeks to the first frame by opening the file again; returns 0 if that fails, as for a stream. */
int aacorn_sndfile_rewind(aacorn_sndfile_file *file);

/* Closes and frees the file, but not the descriptor. */
void aacorn_sndfile_close(aacorn_sndfile_file *file);

#endif

/*
 * Compares what CAacornSndFile declares with libsndfile's own header file. It need only compile:
 *
 *   cc -fsyntax-only -Werror -I Sources/CAacornSndFile/include \
 *     Tests/CAacornSndFileHeaderCheck/check.c
 */
#include <sndfile.h>

#include "CAacornSndFile.h"

#define SAME_FUNCTION(result, name, parameters)                                             \
  _Static_assert(                                                                           \
      __builtin_types_compatible_p(                                                         \
          __typeof__(&sf_##name), __typeof__(((aacorn_sndfile_functions *)0)->name)),       \
      "sf_" #name " has another type");
AACORN_SNDFILE_FUNCTIONS(SAME_FUNCTION)

#define SAME(ours, theirs) _Static_assert((ours) == (theirs), #theirs " has another value")
SAME(AACORN_SNDFILE_GET_CHANNEL_MAP, SFC_GET_CHANNEL_MAP_INFO);
SAME(AACORN_SNDFILE_READING, SFM_READ);
SAME(AACORN_SNDFILE_CONTAINER_MASK, SF_FORMAT_TYPEMASK);
SAME(AACORN_SNDFILE_CODING_MASK, SF_FORMAT_SUBMASK);
SAME(AACORN_SNDFILE_FLAC, SF_FORMAT_FLAC);
SAME(AACORN_SNDFILE_OGG, SF_FORMAT_OGG);
SAME(AACORN_SNDFILE_MPEG, SF_FORMAT_MPEG);
SAME(AACORN_SNDFILE_MPEG_LAYER_I, SF_FORMAT_MPEG_LAYER_I);
SAME(AACORN_SNDFILE_MPEG_LAYER_II, SF_FORMAT_MPEG_LAYER_II);
SAME(AACORN_SNDFILE_MPEG_LAYER_III, SF_FORMAT_MPEG_LAYER_III);
SAME(AACORN_SNDFILE_UNRECOGNIZED_FORMAT, SF_ERR_UNRECOGNISED_FORMAT);
SAME(AACORN_SNDFILE_SYSTEM, SF_ERR_SYSTEM);
SAME(AACORN_SNDFILE_MALFORMED_FILE, SF_ERR_MALFORMED_FILE);
SAME(AACORN_SNDFILE_UNSUPPORTED_ENCODING, SF_ERR_UNSUPPORTED_ENCODING);
SAME(AACORN_SNDFILE_CHANNEL_MONO, SF_CHANNEL_MAP_MONO);
SAME(AACORN_SNDFILE_CHANNEL_LEFT, SF_CHANNEL_MAP_LEFT);
SAME(AACORN_SNDFILE_CHANNEL_RIGHT, SF_CHANNEL_MAP_RIGHT);
SAME(AACORN_SNDFILE_CHANNEL_CENTER, SF_CHANNEL_MAP_CENTER);
SAME(AACORN_SNDFILE_CHANNEL_FRONT_LEFT, SF_CHANNEL_MAP_FRONT_LEFT);
SAME(AACORN_SNDFILE_CHANNEL_FRONT_RIGHT, SF_CHANNEL_MAP_FRONT_RIGHT);
SAME(AACORN_SNDFILE_CHANNEL_FRONT_CENTER, SF_CHANNEL_MAP_FRONT_CENTER);
SAME(AACORN_SNDFILE_CHANNEL_REAR_CENTER, SF_CHANNEL_MAP_REAR_CENTER);
SAME(AACORN_SNDFILE_CHANNEL_REAR_LEFT, SF_CHANNEL_MAP_REAR_LEFT);
SAME(AACORN_SNDFILE_CHANNEL_REAR_RIGHT, SF_CHANNEL_MAP_REAR_RIGHT);
SAME(AACORN_SNDFILE_CHANNEL_LFE, SF_CHANNEL_MAP_LFE);
SAME(AACORN_SNDFILE_CHANNEL_FRONT_LEFT_OF_CENTER, SF_CHANNEL_MAP_FRONT_LEFT_OF_CENTER);
SAME(AACORN_SNDFILE_CHANNEL_FRONT_RIGHT_OF_CENTER, SF_CHANNEL_MAP_FRONT_RIGHT_OF_CENTER);
SAME(AACORN_SNDFILE_CHANNEL_SIDE_LEFT, SF_CHANNEL_MAP_SIDE_LEFT);
SAME(AACORN_SNDFILE_CHANNEL_SIDE_RIGHT, SF_CHANNEL_MAP_SIDE_RIGHT);

SAME(sizeof(sf_count_t), sizeof(int64_t));
SAME(SF_COUNT_MAX, INT64_MAX);
SAME(sizeof(aacorn_sndfile_format), sizeof(SF_INFO));
SAME(offsetof(aacorn_sndfile_format, frames), offsetof(SF_INFO, frames));
SAME(offsetof(aacorn_sndfile_format, sample_rate), offsetof(SF_INFO, samplerate));
SAME(offsetof(aacorn_sndfile_format, channels), offsetof(SF_INFO, channels));
SAME(offsetof(aacorn_sndfile_format, format), offsetof(SF_INFO, format));
SAME(offsetof(aacorn_sndfile_format, sections), offsetof(SF_INFO, sections));
SAME(offsetof(aacorn_sndfile_format, seekable), offsetof(SF_INFO, seekable));

#define SAME_CALL(ours, theirs)                                                              \
  SAME(offsetof(aacorn_sndfile_calls, ours), offsetof(SF_VIRTUAL_IO, theirs));               \
  _Static_assert(                                                                            \
      __builtin_types_compatible_p(                                                          \
          __typeof__(((aacorn_sndfile_calls *)0)->ours),                                     \
          __typeof__(((SF_VIRTUAL_IO *)0)->theirs)),                                         \
      #theirs " has another type");
SAME(sizeof(aacorn_sndfile_calls), sizeof(SF_VIRTUAL_IO));
SAME_CALL(length, get_filelen)
SAME_CALL(seek, seek)
SAME_CALL(read, read)
SAME_CALL(write, write)
SAME_CALL(tell, tell)

/*
 * Compares what CAacornSndFile declares with libsndfile's own header file. It need only compile:
 *
 *   cc -fsyntax-only -Werror -I Sources/CAacornSndFile/include \
 *     Tests/CAacornSndFileHeaderCheck/check.c
 */
#include <sndfile.h>

#include "../HeaderCheck.h"
#include "CAacornSndFile.h"

#define SAME_FUNCTION(result, name, parameters) \
  SAME_TYPE(__typeof__(((aacorn_sndfile_functions *)0)->name), __typeof__(&sf_##name));
AACORN_SNDFILE_FUNCTIONS(SAME_FUNCTION)

SAME_VALUE(AACORN_SNDFILE_GET_CHANNEL_MAP, SFC_GET_CHANNEL_MAP_INFO);
SAME_VALUE(AACORN_SNDFILE_READING, SFM_READ);
SAME_VALUE(AACORN_SNDFILE_CONTAINER_MASK, SF_FORMAT_TYPEMASK);
SAME_VALUE(AACORN_SNDFILE_CODING_MASK, SF_FORMAT_SUBMASK);
SAME_VALUES(AACORN_SNDFILE_, SF_FORMAT_,
    FLAC, OGG, MPEG, MPEG_LAYER_I, MPEG_LAYER_II, MPEG_LAYER_III);
SAME_VALUE(AACORN_SNDFILE_UNRECOGNIZED_FORMAT, SF_ERR_UNRECOGNISED_FORMAT);
SAME_VALUES(AACORN_SNDFILE_, SF_ERR_, SYSTEM, MALFORMED_FILE, UNSUPPORTED_ENCODING);
SAME_VALUES(AACORN_SNDFILE_CHANNEL_, SF_CHANNEL_MAP_,
    MONO, LEFT, RIGHT, CENTER, FRONT_LEFT, FRONT_RIGHT, FRONT_CENTER, REAR_CENTER, REAR_LEFT,
    REAR_RIGHT, LFE, FRONT_LEFT_OF_CENTER, FRONT_RIGHT_OF_CENTER, SIDE_LEFT, SIDE_RIGHT);

SAME_VALUE(sizeof(sf_count_t), sizeof(int64_t));
SAME_VALUE(SF_COUNT_MAX, INT64_MAX);
SAME_VALUE(sizeof(aacorn_sndfile_format), sizeof(SF_INFO));
SAME_FIELDS(aacorn_sndfile_format, SF_INFO, frames, channels, format, sections, seekable);
SAME_PLACE(aacorn_sndfile_format, SF_INFO, sample_rate, samplerate);

#define SAME_CALL(ours, theirs) \
  SAME_PLACE(aacorn_sndfile_calls, SF_VIRTUAL_IO, ours, theirs); \
  SAME_TYPE( \
      __typeof__(((aacorn_sndfile_calls *)0)->ours), __typeof__(((SF_VIRTUAL_IO *)0)->theirs));
SAME_VALUE(sizeof(aacorn_sndfile_calls), sizeof(SF_VIRTUAL_IO));
SAME_CALL(length, get_filelen)
SAME_CALL(seek, seek)
SAME_CALL(read, read)
SAME_CALL(write, write)
SAME_CALL(tell, tell)

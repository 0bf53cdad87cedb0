#include "aacorn.h"

/*
 * Programs were compiled with these sizes: if a size changed, the programs would fail silently.
 * Only a struct of settings may gain members, at its end; then raise its size here.
 */
#if UINTPTR_MAX == UINT64_MAX
_Static_assert(sizeof(aacorn_error) == 256, "an interface of version 1");
_Static_assert(sizeof(aacorn_encoder_settings) == 48, "an interface of version 1");
_Static_assert(sizeof(aacorn_encoder_facts) == 32, "an interface of version 1");
_Static_assert(sizeof(aacorn_unit) == 32, "an interface of version 1");
_Static_assert(sizeof(aacorn_writer_settings) == 80, "an interface of version 1");
_Static_assert(sizeof(aacorn_decoder_settings) == 16, "an interface of version 1");
_Static_assert(sizeof(aacorn_sound) == 40, "an interface of version 1");
#endif

int aacorn_api_version(void) { return AACORN_API_VERSION; }

const char *aacorn_strerror(int code) {
  switch (code) {
    case AACORN_OK: return "The call succeeded.";
    case AACORN_SOME: return "A result is available.";
    case AACORN_ERROR_ARGUMENT:
      return "A pointer is null, or a number is out of range.";
    case AACORN_ERROR_SETTINGS:
      return "The settings have an unknown size: set all members to zero, then the member size to "
             "the size of the struct.";
    case AACORN_ERROR_MOMENT: return "The object does not accept this call in its current state.";
    case AACORN_ERROR_SIZE:
      return "The input exceeds the limit for one call, or in total, or repeats its bytes.";
    case AACORN_ERROR_SAMPLE_RATE: return "AAC or the profile does not support the sampling rate.";
    case AACORN_ERROR_CHANNELS: return "AAC or the profile does not support the channel count.";
    case AACORN_ERROR_RATE:
      return "The bitrate is out of range for the sampling rate, the channels and the profile, or "
             "a variable rate has no bitrate to change, or the level is not 1 to 5.";
    case AACORN_ERROR_BANDWIDTH: return "The bandwidth is more than half the sampling rate.";
    case AACORN_ERROR_COMBINATION: return "The settings contradict each other.";
    case AACORN_ERROR_CONTAINER: return "The container does not support these units or tags.";
    case AACORN_ERROR_WRITE: return "The bytes could not be written.";
    case AACORN_ERROR_NOT_AAC: return "The input contains no recognizable AAC.";
    case AACORN_ERROR_UNSUPPORTED: return "The input has a format that is not supported.";
    case AACORN_ERROR_CONFIG: return "The input has no valid decoder configuration.";
    case AACORN_ERROR_UNFINISHED: return "The file was not completed, or is cut off.";
    default: return "The code is unknown.";
  }
}

#include "aacorn.h"

/*
 * The sizes that programs were compiled with: after a change of a struct they would fail silently.
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
    case AACORN_OK: return "All is well.";
    case AACORN_SOME: return "There is what was asked for.";
    case AACORN_ERROR_ARGUMENT:
      return "A pointer is null, or a number is none that the function takes.";
    case AACORN_ERROR_SETTINGS:
      return "The settings are of another size than the library knows: set all to zero, then the "
             "member size to that of the struct.";
    case AACORN_ERROR_MOMENT: return "The call came at a wrong moment.";
    case AACORN_ERROR_SIZE: return "More was passed than is taken, at once or in all.";
    case AACORN_ERROR_SAMPLE_RATE: return "AAC, or the profile, has no such sampling rate.";
    case AACORN_ERROR_CHANNELS: return "AAC, or the profile, has no such number of channels.";
    case AACORN_ERROR_RATE:
      return "The bitrate is out of range for the sampling rate, the channels and the profile, or "
             "there is none to change, or the level is not 1 to 5.";
    case AACORN_ERROR_BANDWIDTH: return "The bandwidth is beyond half the sampling rate.";
    case AACORN_ERROR_COMBINATION: return "The settings contradict each other.";
    case AACORN_ERROR_CONTAINER: return "The container cannot hold what it was given.";
    case AACORN_ERROR_WRITE: return "The bytes could not be written.";
    case AACORN_ERROR_NOT_AAC: return "There is no AAC in the input that could be found.";
    case AACORN_ERROR_UNSUPPORTED: return "The input is of a kind that is not decoded.";
    case AACORN_ERROR_CONFIG: return "The input does not say in a valid way how it is coded.";
    case AACORN_ERROR_UNFINISHED: return "The file was not completed, or is cut off.";
    default: return "There is no such result.";
  }
}

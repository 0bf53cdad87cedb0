#ifndef AACORN_H
#define AACORN_H

/*
 * Aacorn for C and C++: an encoder and a decoder of AAC-LC, HE-AAC and HE-AAC v2, and files around
 * what they make.
 *
 *     aacorn_encoder   samples -> coded units
 *     aacorn_writer    units of an encoder -> an M4A file, or an ADTS or LATM stream
 *     aacorn_decoder   files, streams or coded units -> samples
 *
 * Rules that hold for all of them:
 *
 * - Functions that return an int return 0 or more if all is well, and one of the negative codes below
 *   otherwise. Every object has the sentence about its last failure; what creates an object fills an
 *   aacorn_error.
 * - Null pointers, sizes that cannot be and calls at a wrong moment give a code and change nothing.
 *   Damaged input never does more than that. A pointer to memory that is not there, or to an object
 *   that was destroyed, cannot be recognized.
 * - There is no state outside the objects. Different objects may be used by different threads at the
 *   same time; one object by one thread at a time, and a writer and its encoder are one in this.
 * - What a function lends (const pointers in its results) stays valid until the next call with the
 *   same object, aacorn_..._error excepted.
 * - Structs of settings begin with their size: set all to zero, then `size` to sizeof of the struct.
 *   Zero stands for what is usual. Later versions of the library add members at the end, and take the
 *   shorter structs of today.
 * - Channels are interleaved, in the order of WAV files. A frame is one sample of every channel.
 */

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What of this file must agree with the library; see aacorn_api_version. */
#define AACORN_API_VERSION 1

/* Results. */
enum {
  /* All is well; where something was asked for, there is nothing now. */
  AACORN_OK = 0,
  /* There is what was asked for. */
  AACORN_SOME = 1,
  /* A pointer is null, or a number is none that the function takes. */
  AACORN_ERROR_ARGUMENT = -1,
  /* The member `size` was not set, or members are set that this library does not know. */
  AACORN_ERROR_SETTINGS = -2,
  /* A call at a wrong moment, such as one with samples after the end. */
  AACORN_ERROR_MOMENT = -3,
  /* More samples or bytes at once, or in all, than are taken. */
  AACORN_ERROR_SIZE = -4,
  /* AAC, or the profile, has no such sampling rate. */
  AACORN_ERROR_SAMPLE_RATE = -5,
  /* AAC, or the profile, has no such number of channels. */
  AACORN_ERROR_CHANNELS = -6,
  /* The bitrate is outside the limits, or there is none to change, or the level is not 1 to 5. */
  AACORN_ERROR_RATE = -7,
  /* The bandwidth is beyond half the sampling rate. */
  AACORN_ERROR_BANDWIDTH = -8,
  /* The settings contradict each other. */
  AACORN_ERROR_COMBINATION = -9,
  /* The container cannot hold what it was given. */
  AACORN_ERROR_CONTAINER = -10,
  /* The function of the program that takes a file's bytes reported a failure. */
  AACORN_ERROR_WRITE = -11,
  /* There is no AAC in the input. */
  AACORN_ERROR_NOT_AAC = -12,
  /* The input is AAC or a file of a kind that is not decoded. */
  AACORN_ERROR_UNSUPPORTED = -13,
  /* The input does not say in a valid way how it is coded. */
  AACORN_ERROR_CONFIG = -14,
  /* The file was not completed, or is cut off where it tells where its sound is. */
  AACORN_ERROR_UNFINISHED = -15
};

/* Profiles. */
enum {
  /* What sounds best at the bitrate; AAC-LC where that varies. */
  AACORN_PROFILE_AUTO = 0,
  /* AAC-LC. */
  AACORN_PROFILE_LC = 1,
  /* HE-AAC. */
  AACORN_PROFILE_HE = 2,
  /* HE-AAC v2, for two channels. */
  AACORN_PROFILE_HE_V2 = 3
};

/* How bits are spent over time. */
enum {
  /* Constant, at the usual rate of the profile. */
  AACORN_RATE_DEFAULT = 0,
  /* Constant, `rate_value` bits per second. */
  AACORN_RATE_CONSTANT = 1,
  /* `rate_value` bits per second in the long run. */
  AACORN_RATE_AVERAGE = 2,
  /* Constant quality, `rate_value` from 1 (small) to 5 (transparent). */
  AACORN_RATE_VARIABLE = 3
};

/* How much work goes into better sound at the same rate. */
enum {
  /* Balanced. */
  AACORN_EFFORT_DEFAULT = 0,
  AACORN_EFFORT_FAST = 1,
  AACORN_EFFORT_BALANCED = 2,
  AACORN_EFFORT_BEST = 3
};

/* How the configuration tells of HE-AAC. */
enum {
  /* What suits most: players without HE-AAC play the core. */
  AACORN_SIGNALING_DEFAULT = 0,
  /* Not at all; players find it in the stream. */
  AACORN_SIGNALING_IMPLICIT = 1,
  /* First of all; players without HE-AAC refuse it. */
  AACORN_SIGNALING_HIERARCHICAL = 2,
  /* Behind the configuration of the core, which such players play. */
  AACORN_SIGNALING_BACKWARD_COMPATIBLE = 3
};

/* Flags of an encoder; their sum. */
enum {
  /* Only what MPEG-2 AAC has; in ADTS the headers say so. */
  AACORN_ENCODER_MPEG2 = 1
};

/* What is around the units. */
enum {
  AACORN_FORMAT_M4A = 1,
  AACORN_FORMAT_ADTS = 2,
  /* LATM in LOAS frames. */
  AACORN_FORMAT_LATM = 3
};

/* Flags of a writer; their sum. */
enum {
  /* Nothing written can be gone back to, as in a pipe: M4A is written in fragments. */
  AACORN_WRITER_STREAM = 1,
  /* ADTS frames have checksums. */
  AACORN_WRITER_CHECKSUMS = 2
};

/* Flags of a decoder; their sum. */
enum {
  /* Loud and soft passages are evened out as the stream says. */
  AACORN_DECODER_DYNAMIC_RANGE = 1,
  /* The encoder's delay and the padding at the end stay, although the file tells them. */
  AACORN_DECODER_UNTRIMMED = 2,
  /* One channel with band replication comes out as two from the start. */
  AACORN_DECODER_EXPECT_STEREO = 4
};

/* Why an object was not created. */
typedef struct aacorn_error {
  /* A negative code, or 0. */
  int32_t code;
  /* A sentence in English, with a zero at its end. */
  char sentence[252];
} aacorn_error;

/* The release of the library, such as "0.1.0". */
const char *aacorn_version(void);

/*
 * The interface of the library: a program made with this file works with libraries that return
 * AACORN_API_VERSION or more, as long as their soname is the same.
 */
int aacorn_api_version(void);

/* A sentence in English about a result; never null. */
const char *aacorn_strerror(int code);

/*
 * Encoder.
 *
 * Push samples, and pull units until there are none; at the end finish, and pull what is left. The
 * same samples give the same bytes, however they are cut into calls.
 */

typedef struct aacorn_encoder aacorn_encoder;

typedef struct aacorn_encoder_settings {
  /* sizeof(aacorn_encoder_settings) */
  size_t size;
  /* Samples per second of a channel, one of the thirteen rates from 7350 to 96000; 0 is 48000. */
  int32_t sample_rate;
  /* 1 to 6, or 8; 0 is 2. */
  int32_t channels;
  /* AACORN_PROFILE_... */
  int32_t profile;
  /* AACORN_RATE_... */
  int32_t rate_mode;
  /* What rate_mode says; 0 with AACORN_RATE_DEFAULT. */
  int32_t rate_value;
  /* AACORN_EFFORT_... */
  int32_t effort;
  /* The highest frequency to code, in hertz; 0 lets the encoder choose, as HE-AAC always does. */
  int32_t bandwidth;
  /* AACORN_SIGNALING_... */
  int32_t signaling;
  /* AACORN_ENCODER_... */
  uint32_t flags;
  /* 0. */
  uint32_t reserved;
} aacorn_encoder_settings;

/* What an encoder does. */
typedef struct aacorn_encoder_facts {
  /* Samples per second of a channel. */
  int32_t sample_rate;
  int32_t channels;
  /* The profile, which AACORN_PROFILE_AUTO chose. */
  int32_t profile;
  /* Bits per second of now; 0 if they vary. */
  int32_t bitrate;
  /* The highest frequency that is coded now, in hertz. */
  int32_t bandwidth;
  /* Frames that a unit decodes to. */
  int32_t frames_per_unit;
  /* Frames that a player must drop at the start: the delay. */
  int32_t priming;
  /* Frames that a player must drop at the end; -1 before aacorn_encoder_finish. */
  int32_t remainder;
} aacorn_encoder_facts;

/* One coded unit: a raw_data_block. */
typedef struct aacorn_unit {
  /* Lent until the next call with the encoder. */
  const uint8_t *bytes;
  size_t byte_count;
  /* The first frame it decodes to, in those of the input; negative while priming. */
  int64_t position;
  /* The frames it decodes to. */
  int64_t duration;
} aacorn_unit;

/* Creates an encoder; null, and the reason in *error unless that is null, if it cannot be. */
aacorn_encoder *aacorn_encoder_create(const aacorn_encoder_settings *settings, aacorn_error *error);

/* Frees an encoder; null is ignored. */
void aacorn_encoder_destroy(aacorn_encoder *encoder);

/* Takes frames of samples from -1 to 1, and keeps them until units are pulled or written. */
int aacorn_encoder_push_float(aacorn_encoder *encoder, const float *samples, size_t frame_count);

/* Takes frames of 16-bit samples. */
int aacorn_encoder_push_int16(aacorn_encoder *encoder, const int16_t *samples, size_t frame_count);

/*
 * Keeps to another bitrate from the next unit on, as networks change: what was pushed and has not been
 * pulled is coded at it as well. Only a constant or an average rate has one; HE-AAC goes from two thirds
 * of the rate in the settings to half as much again. AACORN_ERROR_RATE beyond that changes nothing.
 */
int aacorn_encoder_set_bitrate(aacorn_encoder *encoder, int32_t bits_per_second);

/* Ends the input; afterwards, pull the remaining units. Finishing again changes nothing. */
int aacorn_encoder_finish(aacorn_encoder *encoder);

/* Gives the next unit: AACORN_SOME, or AACORN_OK if there is none until more is pushed. */
int aacorn_encoder_pull(aacorn_encoder *encoder, aacorn_unit *unit);

/*
 * The AudioSpecificConfig, which decoders of bare units need: copies it to `bytes` if `capacity` is
 * enough, and returns its length in any case; 0 for a null encoder. `bytes` may be null to ask for
 * the length.
 */
size_t aacorn_encoder_config(const aacorn_encoder *encoder, uint8_t *bytes, size_t capacity);

/* Tells what the encoder does. */
int aacorn_encoder_describe(const aacorn_encoder *encoder, aacorn_encoder_facts *facts);

/* The sentence about the last failure, empty without one; never null. */
const char *aacorn_encoder_error(const aacorn_encoder *encoder);

/*
 * Writer.
 *
 * Takes the units out of an encoder, puts what a file or a stream has around them, and gives the
 * bytes to a function of the program, or keeps them in memory.
 */

typedef struct aacorn_writer aacorn_writer;

/*
 * Takes bytes of a file for the place `offset`; returns 0, or anything else for a failure, which
 * ends the writing. Without AACORN_WRITER_STREAM, M4A goes back to places that were written. It has to
 * return, without an exception or longjmp, and cannot use its own writer, which is AACORN_ERROR_MOMENT.
 */
typedef int (*aacorn_write)(
    void *context, uint64_t offset, const uint8_t *bytes, size_t byte_count);

typedef struct aacorn_writer_settings {
  /* sizeof(aacorn_writer_settings) */
  size_t size;
  /* AACORN_FORMAT_... */
  int32_t format;
  /* AACORN_WRITER_... */
  uint32_t flags;
  /*
   * The frames to come, if they are known: an M4A file then has its tables in front, so that it plays
   * while it loads. 0 if not known. It may be wrong.
   */
  int64_t expected_frames;
  /* What takes the bytes; null keeps them in memory. */
  aacorn_write write;
  /* What `write` is called with. */
  void *context;
  /* Tags of an M4A file, UTF-8; null for none. */
  const char *title;
  const char *artist;
  const char *album;
  const char *date;
  const char *comment;
} aacorn_writer_settings;

/*
 * Creates the writer of an encoder that has not been given samples yet, and whose units cannot be
 * pulled from then on; null, and the reason in *error unless that is null, if it cannot be. All that
 * the settings point to is copied, but for what `context` points to. The encoder may be destroyed
 * before the writer.
 */
aacorn_writer *aacorn_writer_create(
    aacorn_encoder *encoder, const aacorn_writer_settings *settings, aacorn_error *error);

/* Frees a writer; null is ignored. */
void aacorn_writer_destroy(aacorn_writer *writer);

/*
 * Takes all units that its encoder has; after aacorn_encoder_finish it completes the file as well.
 * Call it after every push, and once at the end. After a failure, the same comes ever after.
 */
int aacorn_writer_write(aacorn_writer *writer);

/*
 * All the bytes so far, if they are kept in memory; lent until the next call with the writer. Each call
 * copies them, so one at the end is enough; `write` in the settings is for streams.
 */
int aacorn_writer_bytes(aacorn_writer *writer, const uint8_t **bytes, size_t *byte_count);

/* The sentence about the last failure, empty without one; never null. */
const char *aacorn_writer_error(const aacorn_writer *writer);

/*
 * Decoder.
 *
 * What was created with aacorn_decoder_create takes the bytes of a file or a stream: ADTS, LATM,
 * ADIF, MP4 (M4A) and MPEG transport streams are told apart by what is in them. Push, and pull until
 * there is nothing; at the end finish, and pull what is left. Who pushes all of a file and finishes
 * before the first pull can have M4A files with their tables at the end read as well, and gets the
 * exact length in any case; the bytes are kept in memory then.
 *
 * What was created with aacorn_decoder_create_raw takes one unit with each push, to be pulled before
 * the next.
 */

typedef struct aacorn_decoder aacorn_decoder;

typedef struct aacorn_decoder_settings {
  /* sizeof(aacorn_decoder_settings) */
  size_t size;
  /* AACORN_DECODER_... */
  uint32_t flags;
  /* Which AAC track of a file, counted from 1; 0 is the first. */
  int32_t track;
} aacorn_decoder_settings;

/* Decoded samples. */
typedef struct aacorn_sound {
  /* From -1 to 1, interleaved; lent until the next call with the decoder. */
  const float *samples;
  size_t frame_count;
  /* Samples per second of a channel; may change within a stream, as may the channels. */
  int32_t sample_rate;
  int32_t channels;
  /* The number of the first frame. */
  int64_t position;
  /* Whether these stand in for a unit that is damaged or missing. */
  int32_t is_concealed;
  /* 0. */
  int32_t reserved;
} aacorn_sound;

/*
 * Creates a decoder of files and streams; null, and the reason in *error unless that is null, if it
 * cannot be. The settings may be null for the usual ones.
 */
aacorn_decoder *aacorn_decoder_create(const aacorn_decoder_settings *settings, aacorn_error *error);

/* Creates a decoder of bare units, of a stream with this AudioSpecificConfig. */
aacorn_decoder *aacorn_decoder_create_raw(
    const aacorn_decoder_settings *settings, const uint8_t *config, size_t config_size,
    aacorn_error *error);

/* Frees a decoder; null is ignored. */
void aacorn_decoder_destroy(aacorn_decoder *decoder);

/* Takes the next bytes, or a unit; they are copied. */
int aacorn_decoder_push(aacorn_decoder *decoder, const uint8_t *bytes, size_t byte_count);

/* Of a decoder of bare units: replaces one that is missing. */
int aacorn_decoder_conceal(aacorn_decoder *decoder);

/* Ends the input; afterwards, pull what is left. Finishing again changes nothing. */
int aacorn_decoder_finish(aacorn_decoder *decoder);

/*
 * Gives the next samples: AACORN_SOME, or AACORN_OK if there are none until more is pushed, or after
 * aacorn_decoder_finish no more at all. Damage is replaced and told in is_concealed; a code is
 * returned where nothing can be decoded, then and ever after.
 */
int aacorn_decoder_pull(aacorn_decoder *decoder, aacorn_sound *sound);

/* The sentence about the last failure, empty without one; never null. */
const char *aacorn_decoder_error(const aacorn_decoder *decoder);

#ifdef __cplusplus
}
#endif

#endif

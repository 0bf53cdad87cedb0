#ifndef AACORN_H
#define AACORN_H

/*
 * Aacorn for C and C++: an encoder and a decoder of AAC-LC, HE-AAC and HE-AAC v2, and a writer of
 * files and streams.
 *
 *     aacorn_encoder   samples -> access units
 *     aacorn_writer    units of an encoder -> an M4A file, or an ADTS or LATM stream
 *     aacorn_decoder   files, streams or access units -> samples
 *
 * Rules for all functions:
 *
 * - A function that returns an int returns 0 or more on success, and one of the negative codes
 *   below on failure. Every object stores the message of its last failure. A function that creates
 *   an object stores its failure in an aacorn_error.
 * - Null pointers, invalid sizes and calls in the wrong order return a code and change nothing.
 *   Damaged input causes nothing worse than a negative code. The library cannot detect invalid
 *   pointers, or pointers to destroyed objects.
 * - The library has no state outside the objects. Different threads may use different objects at
 *   the same time. Only one thread at a time may use an object. A writer and its encoder count as
 *   one object.
 * - Memory that a function lends (const pointers in its results) stays valid until the next call
 *   with the same object. Calls of aacorn_..._error do not invalidate it.
 * - A message of aacorn_..._error stays at the same address until the object is destroyed. The next
 *   failure of the object replaces its text.
 * - Structs of settings begin with their size: set all bytes to zero, then `size` to sizeof of the
 *   struct. Zero selects the default. Later versions of the library add members at the end, and
 *   still accept the shorter structs.
 * - Channels are interleaved, in the order of WAV files. A frame is one sample of every channel.
 */

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the interface in this file; see aacorn_api_version. */
#define AACORN_API_VERSION 1

/* Results. */
enum {
  /* Success. A pull function returns it if nothing is available now. */
  AACORN_OK = 0,
  /* Success: a pull function has stored a result. */
  AACORN_SOME = 1,
  /* A pointer is null, or a number is outside the function's range. */
  AACORN_ERROR_ARGUMENT = -1,
  /* The member `size` was not set, or members unknown to this library are set. */
  AACORN_ERROR_SETTINGS = -2,
  /* A call in the wrong order, such as a push after the end of the input. */
  AACORN_ERROR_MOMENT = -3,
  /* Too many samples or bytes in one call, or in total; or a file that repeats its bytes. */
  AACORN_ERROR_SIZE = -4,
  /* AAC or the profile does not support the sampling rate. */
  AACORN_ERROR_SAMPLE_RATE = -5,
  /* AAC or the profile does not support the number of channels. */
  AACORN_ERROR_CHANNELS = -6,
  /* The bitrate is out of range or was set for a variable rate, or the level is not 1 to 5. */
  AACORN_ERROR_RATE = -7,
  /* The bandwidth is beyond half the sampling rate. */
  AACORN_ERROR_BANDWIDTH = -8,
  /* The settings contradict each other. */
  AACORN_ERROR_COMBINATION = -9,
  /* The container cannot store the units or the tags. */
  AACORN_ERROR_CONTAINER = -10,
  /* The program's aacorn_write function reported a failure. */
  AACORN_ERROR_WRITE = -11,
  /* The input contains no AAC. */
  AACORN_ERROR_NOT_AAC = -12,
  /* The decoder does not support this kind of AAC or file. */
  AACORN_ERROR_UNSUPPORTED = -13,
  /* The input's configuration is missing or invalid. */
  AACORN_ERROR_CONFIG = -14,
  /* The file was not completed, or is cut off before the table of its units. */
  AACORN_ERROR_UNFINISHED = -15
};

/* Profiles. */
enum {
  /* The profile with the best quality at the bitrate; AAC-LC at a variable rate. */
  AACORN_PROFILE_AUTO = 0,
  /* AAC-LC. */
  AACORN_PROFILE_LC = 1,
  /* HE-AAC. */
  AACORN_PROFILE_HE = 2,
  /* HE-AAC v2, for two channels. */
  AACORN_PROFILE_HE_V2 = 3
};

/* Rate modes. */
enum {
  /* Constant, at the profile's default bitrate. */
  AACORN_RATE_DEFAULT = 0,
  /* Constant, `rate_value` bits per second. */
  AACORN_RATE_CONSTANT = 1,
  /* `rate_value` bits per second on average. */
  AACORN_RATE_AVERAGE = 2,
  /* Constant quality, `rate_value` from 1 (small) to 5 (transparent). */
  AACORN_RATE_VARIABLE = 3
};

/* Encoder efforts: more work gives better quality at the same bitrate. */
enum {
  /* Balanced. */
  AACORN_EFFORT_DEFAULT = 0,
  AACORN_EFFORT_FAST = 1,
  AACORN_EFFORT_BALANCED = 2,
  AACORN_EFFORT_BEST = 3
};

/* Signaling of HE-AAC in the AudioSpecificConfig. */
enum {
  /* Suits most players; players without HE-AAC play the core. */
  AACORN_SIGNALING_DEFAULT = 0,
  /* No signaling; players detect HE-AAC in the stream. */
  AACORN_SIGNALING_IMPLICIT = 1,
  /* Before the configuration of the core; players without HE-AAC reject the stream. */
  AACORN_SIGNALING_HIERARCHICAL = 2,
  /* After the configuration of the core; players without HE-AAC play the core. */
  AACORN_SIGNALING_BACKWARD_COMPATIBLE = 3
};

/* Flags of an encoder; add them up. */
enum {
  /* Only tools of MPEG-2 AAC; ADTS headers are marked as MPEG-2. */
  AACORN_ENCODER_MPEG2 = 1
};

/* Formats of a writer. */
enum {
  AACORN_FORMAT_M4A = 1,
  AACORN_FORMAT_ADTS = 2,
  /* LATM in LOAS frames. */
  AACORN_FORMAT_LATM = 3
};

/* Flags of a writer; add them up. */
enum {
  /* The output cannot seek, for example a pipe: M4A is written in fragments. */
  AACORN_WRITER_STREAM = 1,
  /* ADTS frames with checksums. */
  AACORN_WRITER_CHECKSUMS = 2
};

/* Flags of a decoder; add them up. */
enum {
  /* Apply the dynamic range control of the stream. */
  AACORN_DECODER_DYNAMIC_RANGE = 1,
  /* Keep the encoder's delay and the padding at the end, even if the file states them. */
  AACORN_DECODER_UNTRIMMED = 2,
  /* Output mono HE-AAC as two channels from the start, as parametric stereo may begin later. */
  AACORN_DECODER_EXPECT_STEREO = 4
};

/* The reason why an object was not created. */
typedef struct aacorn_error {
  /* A negative code, or 0. */
  int32_t code;
  /* A message in English, terminated by a zero byte. */
  char sentence[252];
} aacorn_error;

/* Returns the release of the library, such as "0.1.0". */
const char *aacorn_version(void);

/*
 * Returns the version of the library's interface. A program compiled with this file works with
 * libraries of the same soname that return AACORN_API_VERSION or more.
 */
int aacorn_api_version(void);

/* Returns a message in English about a result; never null. */
const char *aacorn_strerror(int code);

/*
 * Encoder.
 *
 * Push samples, and pull units until there are none. At the end, finish and pull the remaining
 * units. The same samples give the same bytes, however they are divided into calls.
 */

typedef struct aacorn_encoder aacorn_encoder;

typedef struct aacorn_encoder_settings {
  /* sizeof(aacorn_encoder_settings) */
  size_t size;
  /*
   * Samples per second and channel, one of the 13 rates of AAC from 7350 to 96000; 0 means 48000.
   */
  int32_t sample_rate;
  /* 1 to 6, or 8; 0 means 2. */
  int32_t channels;
  /* AACORN_PROFILE_... */
  int32_t profile;
  /* AACORN_RATE_... */
  int32_t rate_mode;
  /* Bits per second or the quality level, by rate_mode; 0 with AACORN_RATE_DEFAULT. */
  int32_t rate_value;
  /* AACORN_EFFORT_... */
  int32_t effort;
  /* The highest coded frequency in hertz; 0 is automatic. HE-AAC is always automatic. */
  int32_t bandwidth;
  /* AACORN_SIGNALING_... */
  int32_t signaling;
  /* AACORN_ENCODER_... */
  uint32_t flags;
  /* Must be 0. */
  uint32_t reserved;
} aacorn_encoder_settings;

/* The properties of an encoder. */
typedef struct aacorn_encoder_facts {
  /* Samples per second and channel. */
  int32_t sample_rate;
  int32_t channels;
  /* The profile; with AACORN_PROFILE_AUTO the one that the encoder selected. */
  int32_t profile;
  /* The current bits per second; 0 for a variable rate. */
  int32_t bitrate;
  /* The highest frequency coded at the current bitrate, in hertz. */
  int32_t bandwidth;
  /* Decoded frames of each unit. */
  int32_t frames_per_unit;
  /* Frames that a player must drop at the start: the encoder's delay. */
  int32_t priming;
  /* Frames that a player must drop at the end; -1 before aacorn_encoder_finish. */
  int32_t remainder;
} aacorn_encoder_facts;

/* One coded unit: a raw_data_block. */
typedef struct aacorn_unit {
  /* Lent until the next call with the encoder. */
  const uint8_t *bytes;
  size_t byte_count;
  /* The first decoded frame, counted in input frames; negative while priming. */
  int64_t position;
  /* The number of decoded frames. */
  int64_t duration;
} aacorn_unit;

/*
 * Creates an encoder. On failure, returns null and stores the reason in *error unless error is
 * null.
 */
aacorn_encoder *aacorn_encoder_create(const aacorn_encoder_settings *settings, aacorn_error *error);

/* Frees an encoder; null is ignored. */
void aacorn_encoder_destroy(aacorn_encoder *encoder);

/* Appends frames of samples from -1 to 1, and stores them until units are pulled or written. */
int aacorn_encoder_push_float(aacorn_encoder *encoder, const float *samples, size_t frame_count);

/* Appends frames of 16-bit samples. */
int aacorn_encoder_push_int16(aacorn_encoder *encoder, const int16_t *samples, size_t frame_count);

/*
 * Changes the bitrate from the next unit on, for example because a network has changed. The bitrate
 * also applies to samples that were pushed before, if their units have not been pulled. A variable
 * rate has no bitrate. HE-AAC accepts two thirds of the bitrate in the settings to one and a half
 * times that bitrate. Returns AACORN_ERROR_RATE and changes nothing if the bitrate is out of range.
 */
int aacorn_encoder_set_bitrate(aacorn_encoder *encoder, int32_t bits_per_second);

/* Ends the input; afterwards, pull the remaining units. Finishing again changes nothing. */
int aacorn_encoder_finish(aacorn_encoder *encoder);

/*
 * Stores the next unit and returns AACORN_SOME. Returns AACORN_OK if more samples are needed or,
 * after aacorn_encoder_finish, at the end.
 */
int aacorn_encoder_pull(aacorn_encoder *encoder, aacorn_unit *unit);

/*
 * Copies the AudioSpecificConfig to `bytes` if `capacity` is enough, and returns its length in any
 * case; 0 for a null encoder. Decoders of bare units need the AudioSpecificConfig. Pass null as
 * `bytes` to get the length only.
 */
size_t aacorn_encoder_config(const aacorn_encoder *encoder, uint8_t *bytes, size_t capacity);

/* Stores the properties of the encoder in *facts. */
int aacorn_encoder_describe(const aacorn_encoder *encoder, aacorn_encoder_facts *facts);

/* Returns the message of the last failure, empty if there was none; never null. */
const char *aacorn_encoder_error(const aacorn_encoder *encoder);

/*
 * Writer.
 *
 * Pulls the units of an encoder and writes them in the format of a file or a stream. Passes the
 * bytes to a function of the program, or stores them in memory.
 */

typedef struct aacorn_writer aacorn_writer;

/*
 * Writes bytes of a file at `offset`. Returns 0, or another value for a failure, which ends the
 * writing. Without AACORN_WRITER_STREAM, M4A overwrites earlier bytes. The function must return
 * normally, without an exception or longjmp. In this function, calls with the writer that calls it
 * return AACORN_ERROR_MOMENT.
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
   * The number of frames that will be pushed, or 0 if unknown. If it is known, an M4A file has its
   * tables at the start, and can be played while it loads. An estimate is enough.
   */
  int64_t expected_frames;
  /* The function that writes the bytes; null stores them in memory. */
  aacorn_write write;
  /* The first argument of `write`. */
  void *context;
  /* Tags of an M4A file, in UTF-8; null for no tag. */
  const char *title;
  const char *artist;
  const char *album;
  const char *date;
  const char *comment;
} aacorn_writer_settings;

/*
 * Creates the writer of an encoder that has received no samples yet. From then on, only the writer
 * can pull its units. On failure, returns null and stores the reason in *error unless error is
 * null. Copies the settings and their strings; the memory at `context` remains the caller's. The
 * encoder may be destroyed before the writer.
 */
aacorn_writer *aacorn_writer_create(
    aacorn_encoder *encoder, const aacorn_writer_settings *settings, aacorn_error *error);

/* Frees a writer; null is ignored. */
void aacorn_writer_destroy(aacorn_writer *writer);

/*
 * Writes all available units of its encoder, and completes the file after aacorn_encoder_finish.
 * Call it after every push, and once at the end. After a failure, all further calls return the same
 * code.
 */
int aacorn_writer_write(aacorn_writer *writer);

/*
 * Returns all bytes written up to now, if they are stored in memory; lent until the next call with
 * the writer. Every call copies all bytes: call it once at the end, and use `write` for streams.
 */
int aacorn_writer_bytes(aacorn_writer *writer, const uint8_t **bytes, size_t *byte_count);

/* Returns the message of the last failure, empty if there was none; never null. */
const char *aacorn_writer_error(const aacorn_writer *writer);

/*
 * Decoder.
 *
 * A decoder created with aacorn_decoder_create reads the bytes of a file or a stream. It detects
 * ADTS, LATM, ADIF, MP4 (M4A) and MPEG transport streams by their content. Push bytes, and pull
 * until there are no samples. At the end, finish and pull the remaining samples. M4A files with
 * their tables at the end require all bytes and aacorn_decoder_finish before the first pull. With
 * this order, every file is decoded to its exact length, and its bytes stay in memory.
 *
 * A decoder created with aacorn_decoder_create_raw reads one unit with each push. Pull its samples
 * before the next push.
 */

typedef struct aacorn_decoder aacorn_decoder;

typedef struct aacorn_decoder_settings {
  /* sizeof(aacorn_decoder_settings) */
  size_t size;
  /* AACORN_DECODER_... */
  uint32_t flags;
  /* The number of the AAC track in a file, counted from 1; 0 also means the first. */
  int32_t track;
} aacorn_decoder_settings;

/* Decoded samples. */
typedef struct aacorn_sound {
  /* From -1 to 1, interleaved; lent until the next call with the decoder. */
  const float *samples;
  size_t frame_count;
  /* Samples per second and channel. Both this and the channels may change within a stream. */
  int32_t sample_rate;
  int32_t channels;
  /* The number of the first frame, counted from 0. */
  int64_t position;
  /* 1 if the samples replace a damaged or missing unit, otherwise 0. */
  int32_t is_concealed;
  /* Always 0. */
  int32_t reserved;
} aacorn_sound;

/*
 * Creates a decoder of files and streams. Null settings select the defaults. On failure, returns
 * null and stores the reason in *error unless error is null.
 */
aacorn_decoder *aacorn_decoder_create(const aacorn_decoder_settings *settings, aacorn_error *error);

/* Creates a decoder of bare units for a stream with this AudioSpecificConfig. */
aacorn_decoder *aacorn_decoder_create_raw(
    const aacorn_decoder_settings *settings, const uint8_t *config, size_t config_size,
    aacorn_error *error);

/* Frees a decoder; null is ignored. */
void aacorn_decoder_destroy(aacorn_decoder *decoder);

/* Copies the next bytes of a file or a stream, or the next unit. */
int aacorn_decoder_push(aacorn_decoder *decoder, const uint8_t *bytes, size_t byte_count);

/* Conceals a missing unit; only for decoders of bare units. */
int aacorn_decoder_conceal(aacorn_decoder *decoder);

/* Ends the input; afterwards, pull the remaining samples. Finishing again changes nothing. */
int aacorn_decoder_finish(aacorn_decoder *decoder);

/*
 * Stores the next samples and returns AACORN_SOME. Returns AACORN_OK if more input is needed or,
 * after aacorn_decoder_finish, at the end. Damaged units are concealed and marked with
 * is_concealed. If the input cannot be decoded, this and all further calls return a negative code.
 *
 * A few kilobytes of AAC can contain minutes of silence: a program that stores all samples of an
 * untrusted file should limit their number. If the tables of a complete M4A file list the same bytes
 * for many units, which would make the samples far larger, the code is AACORN_ERROR_SIZE.
 */
int aacorn_decoder_pull(aacorn_decoder *decoder, aacorn_sound *sound);

/* Returns the message of the last failure, empty if there was none; never null. */
const char *aacorn_decoder_error(const aacorn_decoder *decoder);

#ifdef __cplusplus
}
#endif

#endif

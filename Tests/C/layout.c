/* Prints the memory layout of the structs of aacorn.h, and the values of its constants: compiled programs
   contain them. layout.txt has the expected output. */
#include <aacorn.h>
#include <stdio.h>

#define STRUCT(type) printf("%s %u\n", #type, (unsigned)sizeof(type))
/* The offset and the size of a field. */
#define MEMBER(type, name)                                                                   \
  printf("  %s %u %u\n", #name, (unsigned)offsetof(type, name), (unsigned)sizeof(((type *)0)->name))
#define CONSTANT(name) printf("%s %d\n", #name, (int)name)

int main(void) {
  STRUCT(aacorn_error);
  MEMBER(aacorn_error, code);
  MEMBER(aacorn_error, sentence);

  STRUCT(aacorn_encoder_settings);
  MEMBER(aacorn_encoder_settings, size);
  MEMBER(aacorn_encoder_settings, sample_rate);
  MEMBER(aacorn_encoder_settings, channels);
  MEMBER(aacorn_encoder_settings, profile);
  MEMBER(aacorn_encoder_settings, rate_mode);
  MEMBER(aacorn_encoder_settings, rate_value);
  MEMBER(aacorn_encoder_settings, effort);
  MEMBER(aacorn_encoder_settings, bandwidth);
  MEMBER(aacorn_encoder_settings, signaling);
  MEMBER(aacorn_encoder_settings, flags);
  MEMBER(aacorn_encoder_settings, reserved);

  STRUCT(aacorn_encoder_facts);
  MEMBER(aacorn_encoder_facts, sample_rate);
  MEMBER(aacorn_encoder_facts, channels);
  MEMBER(aacorn_encoder_facts, profile);
  MEMBER(aacorn_encoder_facts, bitrate);
  MEMBER(aacorn_encoder_facts, bandwidth);
  MEMBER(aacorn_encoder_facts, frames_per_unit);
  MEMBER(aacorn_encoder_facts, priming);
  MEMBER(aacorn_encoder_facts, remainder);

  STRUCT(aacorn_unit);
  MEMBER(aacorn_unit, bytes);
  MEMBER(aacorn_unit, byte_count);
  MEMBER(aacorn_unit, position);
  MEMBER(aacorn_unit, duration);

  STRUCT(aacorn_writer_settings);
  MEMBER(aacorn_writer_settings, size);
  MEMBER(aacorn_writer_settings, format);
  MEMBER(aacorn_writer_settings, flags);
  MEMBER(aacorn_writer_settings, expected_frames);
  MEMBER(aacorn_writer_settings, write);
  MEMBER(aacorn_writer_settings, context);
  MEMBER(aacorn_writer_settings, title);
  MEMBER(aacorn_writer_settings, artist);
  MEMBER(aacorn_writer_settings, album);
  MEMBER(aacorn_writer_settings, date);
  MEMBER(aacorn_writer_settings, comment);

  STRUCT(aacorn_decoder_settings);
  MEMBER(aacorn_decoder_settings, size);
  MEMBER(aacorn_decoder_settings, flags);
  MEMBER(aacorn_decoder_settings, track);

  STRUCT(aacorn_sound);
  MEMBER(aacorn_sound, samples);
  MEMBER(aacorn_sound, frame_count);
  MEMBER(aacorn_sound, sample_rate);
  MEMBER(aacorn_sound, channels);
  MEMBER(aacorn_sound, position);
  MEMBER(aacorn_sound, is_concealed);
  MEMBER(aacorn_sound, reserved);

  CONSTANT(AACORN_API_VERSION);
  CONSTANT(AACORN_OK);
  CONSTANT(AACORN_SOME);
  CONSTANT(AACORN_ERROR_ARGUMENT);
  CONSTANT(AACORN_ERROR_SETTINGS);
  CONSTANT(AACORN_ERROR_MOMENT);
  CONSTANT(AACORN_ERROR_SIZE);
  CONSTANT(AACORN_ERROR_SAMPLE_RATE);
  CONSTANT(AACORN_ERROR_CHANNELS);
  CONSTANT(AACORN_ERROR_RATE);
  CONSTANT(AACORN_ERROR_BANDWIDTH);
  CONSTANT(AACORN_ERROR_COMBINATION);
  CONSTANT(AACORN_ERROR_CONTAINER);
  CONSTANT(AACORN_ERROR_WRITE);
  CONSTANT(AACORN_ERROR_NOT_AAC);
  CONSTANT(AACORN_ERROR_UNSUPPORTED);
  CONSTANT(AACORN_ERROR_CONFIG);
  CONSTANT(AACORN_ERROR_UNFINISHED);
  CONSTANT(AACORN_PROFILE_AUTO);
  CONSTANT(AACORN_PROFILE_LC);
  CONSTANT(AACORN_PROFILE_HE);
  CONSTANT(AACORN_PROFILE_HE_V2);
  CONSTANT(AACORN_RATE_DEFAULT);
  CONSTANT(AACORN_RATE_CONSTANT);
  CONSTANT(AACORN_RATE_AVERAGE);
  CONSTANT(AACORN_RATE_VARIABLE);
  CONSTANT(AACORN_EFFORT_DEFAULT);
  CONSTANT(AACORN_EFFORT_FAST);
  CONSTANT(AACORN_EFFORT_BALANCED);
  CONSTANT(AACORN_EFFORT_BEST);
  CONSTANT(AACORN_SIGNALING_DEFAULT);
  CONSTANT(AACORN_SIGNALING_IMPLICIT);
  CONSTANT(AACORN_SIGNALING_HIERARCHICAL);
  CONSTANT(AACORN_SIGNALING_BACKWARD_COMPATIBLE);
  CONSTANT(AACORN_ENCODER_MPEG2);
  CONSTANT(AACORN_FORMAT_M4A);
  CONSTANT(AACORN_FORMAT_ADTS);
  CONSTANT(AACORN_FORMAT_LATM);
  CONSTANT(AACORN_WRITER_STREAM);
  CONSTANT(AACORN_WRITER_CHECKSUMS);
  CONSTANT(AACORN_DECODER_DYNAMIC_RANGE);
  CONSTANT(AACORN_DECODER_UNTRIMMED);
  CONSTANT(AACORN_DECODER_EXPECT_STEREO);
  return 0;
}

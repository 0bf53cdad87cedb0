/* Files of samples for the examples: WAV with 16 bits or floating point, and nothing else. */
#ifndef SOUND_H
#define SOUND_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* The header of a file. */
struct sound {
  int32_t sample_rate;
  int32_t channels;
  int64_t frame_count;
};

static inline uint32_t sound_number(const unsigned char *bytes, int count) {
  uint32_t number = 0;
  while (count > 0) number = number << 8 | bytes[--count];
  return number;
}

/* Reads the header of a 16-bit file; returns 0 on success. */
static inline int sound_open(FILE *file, struct sound *sound) {
  unsigned char bytes[16];
  memset(sound, 0, sizeof *sound);
  if (fread(bytes, 1, 12, file) != 12) return -1;
  if (memcmp(bytes, "RIFF", 4) != 0 || memcmp(bytes + 8, "WAVE", 4) != 0) return -1;
  while (fread(bytes, 1, 8, file) == 8) {
    uint32_t size = sound_number(bytes + 4, 4);
    if (memcmp(bytes, "data", 4) == 0) {
      if (sound->channels == 0) return -1;
      sound->frame_count = size / (2 * (uint32_t)sound->channels);
      return 0;
    }
    if (memcmp(bytes, "fmt ", 4) == 0) {
      if (size < 16 || fread(bytes, 1, 16, file) != 16) return -1;
      if (sound_number(bytes, 2) != 1 || sound_number(bytes + 14, 2) != 16) return -1;
      sound->channels = (int32_t)sound_number(bytes + 2, 2);
      sound->sample_rate = (int32_t)sound_number(bytes + 4, 4);
      size -= 16;
    }
    if (fseek(file, (long)(size + size % 2), SEEK_CUR) != 0) return -1;
  }
  return -1;
}

/* Writes the header of a floating-point file; call it again when the number of samples is known. */
static inline int sound_begin(FILE *file, const struct sound *sound) {
  unsigned char bytes[44] = "RIFF    WAVEfmt ";
  uint32_t size = (uint32_t)(sound->frame_count * sound->channels * 4);
  uint32_t numbers[][3] = {
      {4, 4, size + 36},
      {16, 4, 16},
      {20, 2, 3},
      {22, 2, (uint32_t)sound->channels},
      {24, 4, (uint32_t)sound->sample_rate},
      {28, 4, (uint32_t)(sound->sample_rate * sound->channels * 4)},
      {32, 2, (uint32_t)sound->channels * 4},
      {34, 2, 32},
      {40, 4, size},
  };
  size_t i, byte;
  memcpy(bytes + 36, "data", 4);
  for (i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
    for (byte = 0; byte < numbers[i][1]; byte++) {
      bytes[numbers[i][0] + byte] = (unsigned char)(numbers[i][2] >> (8 * byte));
    }
  }
  return fwrite(bytes, 1, sizeof bytes, file) == sizeof bytes ? 0 : -1;
}

#endif

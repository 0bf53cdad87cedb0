// Formats as POD objects:
//
//   size, Object | type Format, id | key, flags, size, type, value, padding to 8 | key, …

#include <string.h>

#include "CAacornPipeWire.h"

uint32_t aacorn_pw_sample_format(void) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  return AACORN_SPA_AUDIO_FORMAT_F32_BE;
#else
  return AACORN_SPA_AUDIO_FORMAT_F32_LE;
#endif
}

/// Appends a property whose value is a number.
static size_t put_number(char *at, uint32_t key, uint32_t type, uint32_t value) {
  struct {
    struct aacorn_spa_pod_prop property;
    uint32_t value;
    uint32_t padding;
  } whole = {{key, 0, {sizeof value, type}}, value, 0};
  memcpy(at, &whole, sizeof whole);
  return sizeof whole;
}

/// Appends a property whose value is an array of numbers.
static size_t put_positions(char *at, uint32_t count, const uint32_t *positions) {
  struct {
    struct aacorn_spa_pod_prop property;
    struct aacorn_spa_pod child;
  } head = {
    {
      AACORN_SPA_FORMAT_AUDIO_position,
      0,
      {sizeof head.child + count * sizeof *positions, AACORN_SPA_TYPE_Array},
    },
    {sizeof *positions, AACORN_SPA_TYPE_Id},
  };
  size_t size = sizeof head + count * sizeof *positions;
  memcpy(at, &head, sizeof head);
  memcpy(at + sizeof head, positions, count * sizeof *positions);
  memset(at + size, 0, size % 8);
  return size + size % 8;
}

size_t aacorn_pw_write_format(
  void *pod, uint32_t sample_rate, uint32_t channel_count, const uint32_t *positions) {
  struct {
    struct aacorn_spa_pod pod;
    struct aacorn_spa_pod_object_body body;
  } head = {
    {0, AACORN_SPA_TYPE_Object},
    {AACORN_SPA_TYPE_OBJECT_Format, AACORN_SPA_PARAM_EnumFormat},
  };
  char *start = pod;
  char *at = start + sizeof head;
  at += put_number(
    at, AACORN_SPA_FORMAT_mediaType, AACORN_SPA_TYPE_Id, AACORN_SPA_MEDIA_TYPE_audio);
  at += put_number(
    at, AACORN_SPA_FORMAT_mediaSubtype, AACORN_SPA_TYPE_Id, AACORN_SPA_MEDIA_SUBTYPE_raw);
  at += put_number(
    at, AACORN_SPA_FORMAT_AUDIO_format, AACORN_SPA_TYPE_Id, aacorn_pw_sample_format());
  if (sample_rate > 0)
    at += put_number(at, AACORN_SPA_FORMAT_AUDIO_rate, AACORN_SPA_TYPE_Int, sample_rate);
  if (channel_count > 0) {
    at += put_number(at, AACORN_SPA_FORMAT_AUDIO_channels, AACORN_SPA_TYPE_Int, channel_count);
    if (channel_count <= AACORN_PW_CHANNEL_LIMIT)
      at += put_positions(at, channel_count, positions);
  }
  head.pod.size = (uint32_t)(at - start - sizeof head.pod);
  memcpy(start, &head, sizeof head);
  return (size_t)(at - start);
}

/// The number in a value, or the first of a choice.
static bool read_number(const char *value, struct aacorn_spa_pod pod, uint32_t *number) {
  if (pod.type == AACORN_SPA_TYPE_Choice) {
    struct aacorn_spa_pod_choice_body body;
    if (pod.size < sizeof body) return false;
    memcpy(&body, value, sizeof body);
    value += sizeof body;
    pod.size -= sizeof body;
    if (pod.size < body.child.size) return false;
    pod = body.child;
  }
  if (pod.type != AACORN_SPA_TYPE_Id && pod.type != AACORN_SPA_TYPE_Int) return false;
  if (pod.size < sizeof *number) return false;
  memcpy(number, value, sizeof *number);
  return true;
}

bool aacorn_pw_read_format(const void *pod, size_t size, aacorn_pw_format *format) {
  struct {
    struct aacorn_spa_pod pod;
    struct aacorn_spa_pod_object_body body;
  } head;
  if (size < sizeof head) return false;
  memcpy(&head, pod, sizeof head);
  if (head.pod.type != AACORN_SPA_TYPE_Object) return false;
  if (head.body.type != AACORN_SPA_TYPE_OBJECT_Format) return false;
  if (head.pod.size < sizeof head.body || head.pod.size > size - sizeof head.pod) return false;

  const char *at = (const char *)pod + sizeof head;
  size_t left = head.pod.size - sizeof head.body;
  uint32_t media_type = 0, media_subtype = 0;
  *format = (aacorn_pw_format){0};
  struct aacorn_spa_pod_prop property;
  while (left >= sizeof property) {
    memcpy(&property, at, sizeof property);
    at += sizeof property;
    left -= sizeof property;
    if (property.value.size > left) return false;
    uint32_t number;
    if (read_number(at, property.value, &number)) {
      switch (property.key) {
        case AACORN_SPA_FORMAT_mediaType: media_type = number; break;
        case AACORN_SPA_FORMAT_mediaSubtype: media_subtype = number; break;
        case AACORN_SPA_FORMAT_AUDIO_format: format->sample_format = number; break;
        case AACORN_SPA_FORMAT_AUDIO_rate: format->sample_rate = number; break;
        case AACORN_SPA_FORMAT_AUDIO_channels: format->channel_count = number; break;
      }
    }
    size_t step = ((size_t)property.value.size + 7) & ~(size_t)7;
    if (step > left) break;
    at += step;
    left -= step;
  }
  return media_type == AACORN_SPA_MEDIA_TYPE_audio && media_subtype == AACORN_SPA_MEDIA_SUBTYPE_raw;
}

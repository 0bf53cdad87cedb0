// SHA-256 with the instructions of x86 processors, which Swift cannot express. Other processors use the loop in Swift.
#include "CAacornAtomics.h"

#if defined(__x86_64__) && __has_include(<immintrin.h>)
#include <cpuid.h>
#include <immintrin.h>

bool aacorn_has_sha256(void) {
  unsigned a, b, c, d;
  if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_SSE4_1) || !(c & bit_SSSE3)) return false;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_SHA) != 0;
}

__attribute__((target("sha,sse4.1,ssse3"))) void aacorn_sha256(
    uint32_t *state, const uint32_t *constants, const uint8_t *bytes, int64_t block_count) {
  const __m128i big_endian = _mm_set_epi64x(0x0C0D0E0F08090A0B, 0x0405060700010203);
  // A vector is named for its variables, from the lowest lane on. The instructions expect f e b a and h g d c.
  __m128i abcd = _mm_loadu_si128((const __m128i *)state);
  __m128i efgh = _mm_loadu_si128((const __m128i *)(state + 4));
  __m128i badc = _mm_shuffle_epi32(abcd, 0xB1), hgfe = _mm_shuffle_epi32(efgh, 0x1B);
  __m128i feba = _mm_alignr_epi8(badc, hgfe, 8), hgdc = _mm_blend_epi16(hgfe, badc, 0xF0);
  for (; block_count > 0; block_count--, bytes += 64) {
    const __m128i old_feba = feba, old_hgdc = hgdc;
    __m128i words[16];
#pragma clang loop unroll(full)
    for (int i = 0; i < 16; i++) {
      if (i < 4) {
        words[i] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)bytes + i), big_endian);
      } else {
        __m128i sum = _mm_sha256msg1_epu32(words[i - 4], words[i - 3]);
        sum = _mm_add_epi32(sum, _mm_alignr_epi8(words[i - 1], words[i - 2], 4));
        words[i] = _mm_sha256msg2_epu32(sum, words[i - 1]);
      }
      // Four steps: the instruction does two, with the lower half of the third operand.
      const __m128i step = _mm_add_epi32(words[i], _mm_loadu_si128((const __m128i *)constants + i));
      hgdc = _mm_sha256rnds2_epu32(hgdc, feba, step);
      feba = _mm_sha256rnds2_epu32(feba, hgdc, _mm_shuffle_epi32(step, 0x0E));
    }
    feba = _mm_add_epi32(feba, old_feba);
    hgdc = _mm_add_epi32(hgdc, old_hgdc);
  }
  const __m128i abef = _mm_shuffle_epi32(feba, 0x1B), ghcd = _mm_shuffle_epi32(hgdc, 0xB1);
  _mm_storeu_si128((__m128i *)state, _mm_blend_epi16(abef, ghcd, 0xF0));
  _mm_storeu_si128((__m128i *)(state + 4), _mm_alignr_epi8(ghcd, abef, 8));
}
#else
bool aacorn_has_sha256(void) { return false; }

void aacorn_sha256(
    uint32_t *state, const uint32_t *constants, const uint8_t *bytes, int64_t block_count) {
  (void)state, (void)constants, (void)bytes, (void)block_count;
}
#endif

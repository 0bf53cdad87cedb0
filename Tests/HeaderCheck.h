/* For the comparisons of our declarations of a library with the library's headers. */
#pragma once

#define SAME_VALUE(ours, theirs) \
  _Static_assert((long long)(ours) == (long long)(theirs), #ours " differs from " #theirs)
#define SAME_TYPE(ours, theirs) \
  _Static_assert(__builtin_types_compatible_p(ours, theirs), #theirs " has another type")
#define SAME_PLACE(ours, theirs, our_field, their_field) \
  _Static_assert( \
      offsetof(ours, our_field) == offsetof(theirs, their_field) && \
          sizeof(((ours *)0)->our_field) == sizeof(((theirs *)0)->their_field), \
      #ours "." #our_field " lies elsewhere")

/* Values whose names differ only in a prefix, and fields of the same names. */
#define SAME_VALUES(ours, theirs, ...) EACH(SAME_SUFFIX, ours, theirs, __VA_ARGS__)
#define SAME_FIELDS(ours, theirs, ...) EACH(SAME_FIELD, ours, theirs, __VA_ARGS__)
#define SAME_SUFFIX(ours, theirs, name) SAME_VALUE(ours##name, theirs##name)
#define SAME_FIELD(ours, theirs, field) SAME_PLACE(ours, theirs, field, field)

/* Calls a macro for each name; the preprocessor scans the list often enough for 80 names. */
#define EACH(macro, ours, theirs, ...) SCAN_AGAIN(NEXT(macro, ours, theirs, __VA_ARGS__))
#define NEXT(macro, ours, theirs, name, ...) \
  macro(ours, theirs, name); \
  __VA_OPT__(DEFERRED_NEXT NOTHING()()(macro, ours, theirs, __VA_ARGS__))
#define DEFERRED_NEXT() NEXT
#define NOTHING()
#define SCAN_AGAIN(...) SCAN_3(SCAN_3(SCAN_3(SCAN_3(__VA_ARGS__))))
#define SCAN_3(...) SCAN_2(SCAN_2(SCAN_2(SCAN_2(__VA_ARGS__))))
#define SCAN_2(...) SCAN_1(SCAN_1(SCAN_1(SCAN_1(__VA_ARGS__))))
#define SCAN_1(...) __VA_ARGS__

/* Swift's runtime brings hypotf along, which nothing calls. That of the C library has a version that
   glibc 2.34 lacks, so that programs would not start there, though they need nothing else of a later
   one. Squares of floats do not overflow in double. */
#include <math.h>

float hypotf(float x, float y) { return (float)__builtin_sqrt((double)x * x + (double)y * y); }

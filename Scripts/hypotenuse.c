/* Swift's runtime contains an unused reference to hypotf. The C library's function has a version that
   glibc 2.34 lacks, so programs would not start there, although they require nothing else of a later
   version. Squares of floats do not overflow in double. */
#include <math.h>

float hypotf(float x, float y) { return (float)__builtin_sqrt((double)x * x + (double)y * y); }

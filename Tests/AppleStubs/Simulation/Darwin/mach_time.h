// The declarations of Apple's C library that simulated devices need on other systems; see
// ../../Darwin.
#pragma once
#include <stdint.h>

// mach/kern_return.h, macOS 10.0, iOS 2.
#define KERN_SUCCESS 0
// mach/mach_time.h, macOS 10.0, iOS 2.
struct mach_timebase_info {
  uint32_t numer;
  uint32_t denom;
};
int mach_timebase_info(struct mach_timebase_info *_Nonnull information);
uint64_t mach_absolute_time(void);

// Most functions are in the header, so that they are inlined into the Swift code that calls them. This file has
// calls of the system that its headers hide from Swift, and the variables of simulated threads.
#define _GNU_SOURCE
#include "CAacornAtomics.h"

#if defined(__linux__)
#include <fcntl.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

int aacorn_accept(int listener, void *address, unsigned *size) {
  return accept4(listener, (struct sockaddr *)address, size, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

int aacorn_pipe(int ends[2]) { return pipe2(ends, O_NONBLOCK | O_CLOEXEC); }

int aacorn_rename_new(const char *path, const char *new_path) {
  const unsigned no_replace = 1;
  return (int)syscall(SYS_renameat2, AT_FDCWD, path, AT_FDCWD, new_path, no_replace);
}

int64_t aacorn_attribute(const char *path, const char *name, void *value, int64_t size) {
  return getxattr(path, name, value, (size_t)size);
}

int aacorn_set_attribute(const char *path, const char *name, const void *value, int64_t size) {
  return setxattr(path, name, value, (size_t)size, 0);
}

void aacorn_set_thread_name(const char *name) { pthread_setname_np(pthread_self(), name); }
#endif

_Thread_local void *aacorn_simulated_thread_pointer;
bool aacorn_has_simulated_threads;

// A stub of Apple's C library for Scripts/check-apple: only the declarations that this package
// uses, with the types and values of 64-bit Apple systems. Structures have only the fields that this
// package uses, and pointers, which make a structure unsafe in Swift. It is for type checking on
// other systems and cannot be linked or run.
//
// Where Apple's Swift overlay changes the form of a C constant or function, this file declares the
// overlay's form.
//
// Most of Apple's headers give no availability. Such a declaration is as old as the systems.
#pragma once

// stddef.h, macOS 10.0, iOS 2.
typedef __SIZE_TYPE__ size_t;
// sys/types.h, macOS 10.0, iOS 2.
typedef __PTRDIFF_TYPE__ ssize_t;
// stdint.h, macOS 10.0, iOS 2.
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef long long int64_t;
typedef unsigned long long uint64_t;
// sys/types.h, macOS 10.0, iOS 2.
typedef int64_t off_t;
typedef int32_t dev_t;
typedef uint64_t ino_t;
typedef uint16_t mode_t;
typedef uint16_t nlink_t;
typedef uint32_t uid_t;
typedef uint32_t gid_t;
typedef int32_t pid_t;
typedef long time_t;

// errno.h, macOS 10.0, iOS 2; Swift gets `errno` itself from Apple's overlay.
int *__error(void);
#define errno (*__error())
#define EPERM 1
#define ENOENT 2
#define ESRCH 3
#define EINTR 4
#define EIO 5
#define ENXIO 6
#define EACCES 13
#define EEXIST 17
#define ENOTDIR 20
#define EISDIR 21
#define EINVAL 22
#define EMFILE 24
#define EFBIG 27
#define ENOSPC 28
#define EROFS 30
#define EPIPE 32
#define EAGAIN 35
#define EWOULDBLOCK EAGAIN
#define EINPROGRESS 36
#define EPROTOTYPE 41
#define ENOPROTOOPT 42
#define ENOTSUP 45
#define EAFNOSUPPORT 47
#define EADDRINUSE 48
#define EADDRNOTAVAIL 49
#define ENETDOWN 50
#define ENETUNREACH 51
#define ECONNABORTED 53
#define ECONNRESET 54
#define ETIMEDOUT 60
#define ECONNREFUSED 61
#define ELOOP 62
#define ENAMETOOLONG 63
#define EHOSTDOWN 64
#define EHOSTUNREACH 65
#define EDQUOT 69
#define EPROTO 100
#define EOPNOTSUPP 102

// fcntl.h, macOS 10.0, iOS 2.
#define O_RDONLY 0x0000
#define O_WRONLY 0x0001
#define O_RDWR 0x0002
#define O_NONBLOCK 0x00000004
#define O_APPEND 0x00000008
#define O_CREAT 0x00000200
#define O_EXCL 0x00000800
#define O_NOFOLLOW 0x00000100
#define O_NOCTTY 0x00020000
// macOS 10.7, iOS 4.3.
#define O_CLOEXEC 0x01000000
// macOS 10.0, iOS 2.
#define F_SETFD 2
#define F_GETFL 3
#define F_SETFL 4
#define F_GETPATH 50
#define FD_CLOEXEC 1
int open(const char *path, int flags) __attribute__((overloadable));
int open(const char *path, int flags, mode_t mode) __attribute__((overloadable));
int fcntl(int descriptor, int command) __attribute__((overloadable));
int fcntl(int descriptor, int command, int value) __attribute__((overloadable));
int fcntl(int descriptor, int command, void *value) __attribute__((overloadable));

// sys/file.h, macOS 10.0, iOS 2.
#define LOCK_SH 1
#define LOCK_EX 0x02
#define LOCK_NB 0x04
int flock(int descriptor, int operation);

// sys/resource.h, macOS 10.0, iOS 2.
#define RLIMIT_NOFILE 8
typedef unsigned long long rlim_t;
struct rlimit {
  rlim_t rlim_cur;
  rlim_t rlim_max;
};
int getrlimit(int resource, struct rlimit *limits);
int setrlimit(int resource, const struct rlimit *limits);

// sys/socket.h, macOS 10.0, iOS 2.
#define SHUT_WR 1
int shutdown(int socket, int how);

// sys/syslimits.h, macOS 10.0, iOS 2.
#define OPEN_MAX 10240
#define PATH_MAX 1024

// unistd.h, macOS 10.0, iOS 2.
#define SEEK_SET 0
#define SEEK_CUR 1
#define X_OK (1 << 0)
#define W_OK (1 << 1)
#define _SC_NPROCESSORS_ONLN 58
uid_t geteuid(void);
int close(int descriptor);
ssize_t read(int descriptor, void *bytes, size_t count);
ssize_t write(int descriptor, const void *bytes, size_t count);
ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t position);
ssize_t pread(int descriptor, void *bytes, size_t count, off_t position);
off_t lseek(int descriptor, off_t position, int origin);
int ftruncate(int descriptor, off_t size);
int fchown(int descriptor, unsigned int user, unsigned int group);
int fchmod(int descriptor, mode_t mode);
int fsync(int descriptor);
int unlink(const char *path);
int rmdir(const char *path);
int link(const char *path, const char *newPath);
int pipe(int *ends);
int isatty(int descriptor);
pid_t getpid(void);
pid_t getpgrp(void);
pid_t tcgetpgrp(int descriptor);
void _exit(int code) __attribute__((noreturn));
long sysconf(int name);

// unistd.h, fcntl.h, macOS 10.10, iOS 8.
#define AT_FDCWD -2
#define AT_EACCESS 0x0010
int faccessat(int folder, const char *path, int mode, int flag);

// stdio.h, macOS 10.0, iOS 2.
int rename(const char *path, const char *newPath);

// stdlib.h, macOS 10.0, iOS 2.
void free(void *memory);
char *realpath(const char *restrict path, char *restrict resolved);
char *getenv(const char *name);
void exit(int code) __attribute__((noreturn));

// string.h, macOS 10.0, iOS 2.
size_t strlen(const char *text);
int strncmp(const char *one, const char *other, size_t count);
char *strerror(int code);
char *strdup(const char *text);

// time.h, macOS 10.0, iOS 2.
struct timespec {
  time_t tv_sec;
  long tv_nsec;
};

// sys/stat.h, macOS 10.0, iOS 2.
struct stat {
  dev_t st_dev;
  mode_t st_mode;
  nlink_t st_nlink;
  ino_t st_ino;
  uid_t st_uid;
  gid_t st_gid;
  struct timespec st_mtimespec;
  struct timespec st_ctimespec;
  off_t st_size;
};
static const mode_t S_IFMT = 0170000;
static const mode_t S_IFDIR = 0040000;
static const mode_t S_IFREG = 0100000;
static const mode_t S_IFLNK = 0120000;
static const mode_t S_IFSOCK = 0140000;
int chmod(const char *path, mode_t mode);
int mkdir(const char *path, mode_t mode);
int stat(const char *path, struct stat *status);
int lstat(const char *path, struct stat *status);
int fstat(int descriptor, struct stat *status);

// sys/xattr.h, macOS 10.4, iOS 2.
ssize_t getxattr(
    const char *path, const char *name, void *value, size_t size, unsigned position, int options);
int setxattr(
    const char *path, const char *name, const void *value, size_t size, unsigned position,
    int options);

// sys/statvfs.h, macOS 10.4, iOS 2.
typedef unsigned int fsblkcnt_t;
struct statvfs {
  unsigned long f_frsize;
  fsblkcnt_t f_blocks;
  fsblkcnt_t f_bfree;
  fsblkcnt_t f_bavail;
};
int statvfs(const char *path, struct statvfs *status);

// dirent.h, macOS 10.0, iOS 2.
struct dirent {
  char d_name[1024];
};
typedef struct _dirdesc {
  int number;
} DIR;
DIR *opendir(const char *path);
struct dirent *readdir(DIR *folder);
int closedir(DIR *folder);

// poll.h, macOS 10.3, iOS 2.
#define POLLIN 0x0001
#define POLLOUT 0x0004
#define POLLERR 0x0008
#define POLLHUP 0x0010
#define POLLNVAL 0x0020
struct pollfd {
  int fd;
  short events;
  short revents;
};
typedef unsigned int nfds_t;
int poll(struct pollfd *entries, nfds_t count, int milliseconds);

// sys/ioctl.h, macOS 10.0, iOS 2; Swift gets the request number from Apple's overlay.
struct winsize {
  unsigned short ws_col;
};
static const unsigned long TIOCGWINSZ = 0x40087468;
int ioctl(int descriptor, unsigned long request, void *argument);

// termios.h, macOS 10.0, iOS 2; Swift imports the flags as numbers of `tcflag_t`.
typedef unsigned long tcflag_t;
struct termios {
  tcflag_t c_lflag;
};
#define ECHO 0x00000008
#define ICANON 0x00000100
#define TCSANOW 0
int tcgetattr(int descriptor, struct termios *mode);
int tcsetattr(int descriptor, int when, const struct termios *mode);

// signal.h, macOS 10.0, iOS 2.
#define SIGHUP 1
#define SIGINT 2
#define SIGQUIT 3
#define SIGILL 4
#define SIGTRAP 5
#define SIGABRT 6
#define SIGFPE 8
#define SIGBUS 10
#define SIGSEGV 11
#define SIGPIPE 13
#define SIGTERM 15
#define SIGXFSZ 25
#define SIGTSTP 18
#define SIG_BLOCK 1
#define SIG_UNBLOCK 2
#define SA_ONSTACK 0x0001
#define SA_RESTART 0x0002
#define SA_RESETHAND 0x0004
typedef void (*sig_t)(int number);
typedef uint32_t sigset_t;
struct __siginfo;
union __sigaction_u {
  void (*__sa_handler)(int number);
  void (*__sa_sigaction)(int number, struct __siginfo *information, void *context);
};
struct sigaction {
  union __sigaction_u __sigaction_u;
  int sa_flags;
};
extern const sig_t SIG_DFL;
extern const sig_t SIG_IGN;
sig_t signal(int number, sig_t handler);
int kill(pid_t process, int number);
int sigemptyset(sigset_t *signals);
int sigaddset(sigset_t *signals, int number);
int pthread_sigmask(
    int how, const sigset_t *_Nullable signals, sigset_t *_Nullable oldSignals);
int raise(int number);
int sigaction(int number, const struct sigaction *restrict action, struct sigaction *restrict old);

// sys/socket.h, macOS 10.0, iOS 2.
typedef uint8_t sa_family_t;
typedef uint32_t socklen_t;
struct sockaddr {
  sa_family_t sa_family;
};
// sys/un.h, macOS 10.0, iOS 2.
struct sockaddr_un {
  sa_family_t sun_family;
  char sun_path[104];
};
// netinet/in.h, macOS 10.0, iOS 2.
struct in_addr {
  uint32_t s_addr;
};
struct in6_addr {
  union {
    uint8_t __u6_addr8[16];
    uint16_t __u6_addr16[8];
    uint32_t __u6_addr32[4];
  } __u6_addr;
};
#define s6_addr __u6_addr.__u6_addr8
struct sockaddr_in {
  sa_family_t sin_family;
  uint16_t sin_port;
  struct in_addr sin_addr;
};
struct sockaddr_in6 {
  struct in6_addr sin6_addr;
};
#define IPPROTO_TCP 6
#define IPPROTO_IPV6 41
#define IPV6_V6ONLY 27
// sys/socket.h, macOS 10.0, iOS 2.
#define AF_UNIX 1
#define AF_INET 2
#define AF_INET6 30
struct sockaddr_storage {
  uint8_t ss_len;
  sa_family_t ss_family;
  char __ss_pad1[6];
  int64_t __ss_align;
  char __ss_pad2[112];
};
#define SOCK_STREAM 1
#define SOMAXCONN 128
#define SOL_SOCKET 0xffff
#define SO_REUSEADDR 0x0004
#define SO_KEEPALIVE 0x0008
#define SO_NOSIGPIPE 0x1022
int socket(int family, int type, int protocol);
int bind(int socket, const struct sockaddr *address, socklen_t size);
int connect(int socket, const struct sockaddr *address, socklen_t size);
int listen(int socket, int count);
int accept(
    int socket, struct sockaddr *_Nullable restrict address, socklen_t *_Nullable restrict size);
int getpeername(
    int socket, struct sockaddr *_Nullable restrict address, socklen_t *_Nullable restrict size);
int getsockname(
    int socket, struct sockaddr *_Nullable restrict address, socklen_t *_Nullable restrict size);
int setsockopt(int socket, int level, int option, const void *value, socklen_t size);
ssize_t recv(int socket, void *bytes, size_t count, int flags);
ssize_t send(int socket, const void *bytes, size_t count, int flags);
// netinet/tcp.h, macOS 10.0, iOS 2.
#define TCP_NODELAY 0x01
#define TCP_KEEPALIVE 0x10
// macOS 10.9, iOS 7.
#define TCP_KEEPINTVL 0x101
#define TCP_KEEPCNT 0x102
// arpa/inet.h, macOS 10.0, iOS 2.
const char *inet_ntop(int family, const void *address, char *text, socklen_t size);
// net/if.h, macOS 10.0, iOS 2.
#define IFF_UP 0x1
#define IFF_LOOPBACK 0x8
// ifaddrs.h, macOS 10.2, iOS 2.
struct ifaddrs {
  struct ifaddrs *ifa_next;
  unsigned int ifa_flags;
  struct sockaddr *ifa_addr;
};
int getifaddrs(struct ifaddrs **first);
void freeifaddrs(struct ifaddrs *first);
// netdb.h, macOS 10.2, iOS 2.
#define NI_NUMERICHOST 0x00000002
#define AI_PASSIVE 0x00000001
#define AI_NUMERICHOST 0x00000004
#define AI_NUMERICSERV 0x00001000
struct addrinfo {
  int ai_flags;
  int ai_family;
  int ai_socktype;
  int ai_protocol;
  socklen_t ai_addrlen;
  struct sockaddr *ai_addr;
  struct addrinfo *ai_next;
};
int getaddrinfo(
    const char *_Nullable restrict host, const char *_Nullable restrict service,
    const struct addrinfo *_Nullable restrict hints, struct addrinfo **restrict found);
void freeaddrinfo(struct addrinfo *first);
int getnameinfo(
    const struct sockaddr *address, socklen_t size, char *host, socklen_t hostSize, char *service,
    socklen_t serviceSize, int flags);
// unistd.h, macOS 10.0, iOS 2.
int gethostname(char *name, size_t size);

// spawn.h, macOS 10.5, iOS 2; not on tvOS and watchOS.
#define NOT_ON_TELEVISIONS_AND_WATCHES                   \
  __attribute__((availability(tvos, unavailable)))       \
  __attribute__((availability(watchos, unavailable)))
typedef void *posix_spawnattr_t;
typedef void *posix_spawn_file_actions_t;
#define POSIX_SPAWN_SETPGROUP 0x0002
#define POSIX_SPAWN_SETSIGDEF 0x0004
int posix_spawn_file_actions_init(posix_spawn_file_actions_t *actions)
    NOT_ON_TELEVISIONS_AND_WATCHES;
int posix_spawn_file_actions_destroy(posix_spawn_file_actions_t *actions)
    NOT_ON_TELEVISIONS_AND_WATCHES;
int posix_spawn_file_actions_addopen(
    posix_spawn_file_actions_t *actions, int descriptor, const char *path, int flags, mode_t mode)
    NOT_ON_TELEVISIONS_AND_WATCHES;
int posix_spawnattr_init(posix_spawnattr_t *attributes)
    NOT_ON_TELEVISIONS_AND_WATCHES;
int posix_spawnattr_destroy(posix_spawnattr_t *attributes)
    NOT_ON_TELEVISIONS_AND_WATCHES;
int posix_spawnattr_setsigdefault(
    posix_spawnattr_t *restrict attributes, const sigset_t *restrict signals)
    NOT_ON_TELEVISIONS_AND_WATCHES;
int posix_spawnattr_setpgroup(posix_spawnattr_t *attributes, pid_t group)
    NOT_ON_TELEVISIONS_AND_WATCHES;
int posix_spawnattr_setflags(posix_spawnattr_t *attributes, short flags)
    NOT_ON_TELEVISIONS_AND_WATCHES;
int posix_spawnp(
    pid_t *process, const char *name, const posix_spawn_file_actions_t *actions,
    const posix_spawnattr_t *attributes, char *const arguments[], char *const environment[])
    NOT_ON_TELEVISIONS_AND_WATCHES;

// sys/wait.h, macOS 10.0, iOS 2.
pid_t waitpid(pid_t process, int *status, int options);

// crt_externs.h, macOS 10.0, iOS 2.
char ***_NSGetEnviron(void);

// time.h, macOS 10.12, iOS 10.
typedef enum : unsigned int {
  _CLOCK_REALTIME = 0,
  _CLOCK_MONOTONIC = 6,
} clockid_t;
static const clockid_t CLOCK_REALTIME = _CLOCK_REALTIME;
static const clockid_t CLOCK_MONOTONIC = _CLOCK_MONOTONIC;
int clock_gettime(clockid_t clock, struct timespec *time);
// time.h, macOS 10.0, iOS 2.
struct tm {
  int tm_sec;
  int tm_min;
  int tm_hour;
  int tm_mday;
  int tm_mon;
  int tm_year;
  char *tm_zone;
};
struct tm *gmtime_r(const time_t *time, struct tm *parts);
struct tm *localtime_r(const time_t *time, struct tm *parts);
int nanosleep(const struct timespec *time, struct timespec *rest);

// pthread.h, macOS 10.0, iOS 2.
struct _opaque_pthread_t {
  long signature;
};
struct _opaque_pthread_attr_t {
  long signature;
};
typedef struct _opaque_pthread_t *pthread_t;
typedef struct _opaque_pthread_attr_t pthread_attr_t;
int pthread_create(
    pthread_t _Nullable *_Nonnull thread, const pthread_attr_t *_Nullable attributes,
    void *_Nullable (*_Nonnull start)(void *_Nonnull), void *_Nullable argument);
int pthread_join(pthread_t _Nonnull thread, void *_Nullable *_Nullable result);
int pthread_detach(pthread_t _Nonnull thread);
// macOS 10.6, iOS 3.2.
int pthread_setname_np(const char *_Nonnull name);
pthread_t _Nonnull pthread_self(void);
int pthread_equal(pthread_t _Nullable first, pthread_t _Nullable second);
typedef struct _opaque_pthread_mutex_t {
  long __sig;
  char __opaque[56];
} pthread_mutex_t;
typedef struct _opaque_pthread_mutexattr_t {
  long __sig;
  char __opaque[8];
} pthread_mutexattr_t;
int pthread_mutex_init(
    pthread_mutex_t *_Nonnull mutex, const pthread_mutexattr_t *_Nullable attributes);
int pthread_mutex_destroy(pthread_mutex_t *_Nonnull mutex);
int pthread_mutex_lock(pthread_mutex_t *_Nonnull mutex);
int pthread_mutex_trylock(pthread_mutex_t *_Nonnull mutex);
int pthread_mutex_unlock(pthread_mutex_t *_Nonnull mutex);

// mach/mach_types.h, mach/port.h, mach/kern_return.h, macOS 10.0, iOS 2.
typedef unsigned int mach_port_t;
typedef mach_port_t task_t;
typedef mach_port_t semaphore_t;
typedef int kern_return_t;
// mach/clock_types.h, macOS 10.0, iOS 2.
typedef struct mach_timespec {
  unsigned int tv_sec;
  int tv_nsec;
} mach_timespec_t;
// mach/mach_time.h, macOS 10.0, iOS 2.
struct mach_timebase_info {
  uint32_t numer;
  uint32_t denom;
};
// mach/mach_init.h, macOS 10.0, iOS 2.
extern mach_port_t mach_task_self_;
// mach/kern_return.h, macOS 10.0, iOS 2.
#define KERN_SUCCESS 0
#define KERN_ABORTED 14
// mach/sync_policy.h, mach/semaphore.h, macOS 10.0, iOS 2.
#define SYNC_POLICY_FIFO 0
kern_return_t semaphore_create(
    task_t task, semaphore_t *_Nonnull semaphore, int policy, int value);
kern_return_t semaphore_destroy(task_t task, semaphore_t semaphore);
kern_return_t semaphore_signal(semaphore_t semaphore);
kern_return_t semaphore_timedwait(semaphore_t semaphore, mach_timespec_t time);
// mach/mach_time.h, macOS 10.0, iOS 2.
kern_return_t mach_timebase_info(struct mach_timebase_info *_Nonnull information);
uint64_t mach_absolute_time(void);

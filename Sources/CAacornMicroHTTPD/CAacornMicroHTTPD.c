#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* for POLLRDHUP */
#endif
#include "CAacornMicroHTTPD.h"

#include <arpa/inet.h>
#ifndef __APPLE__
#include <dlfcn.h>
#endif
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#if __has_include(<linux/tcp.h>)
#include <linux/tcp.h> /* has more fields than the C library's */
#else
#include <netinet/tcp.h>
#endif

static aacorn_mhd_functions table;
static aacorn_mhd_result result = AACORN_MHD_NO_LIBRARY;
static char reason[256];
static pthread_once_t once = PTHREAD_ONCE_INIT;

aacorn_mhd_result aacorn_mhd_load(
    const char *file, aacorn_mhd_functions *functions, char *why, size_t size) {
#ifdef __APPLE__
  (void)file, (void)functions;
  snprintf(why, size, "nothing is loaded on Apple's systems");
  return AACORN_MHD_NO_LIBRARY;
#else
  void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *words = dlerror();
    snprintf(why, size, "%s", words ? words : "it cannot be loaded");
    return AACORN_MHD_NO_LIBRARY;
  }
  /* POSIX's dlsym returns functions as object pointers, which C itself cannot convert. */
#define AACORN_MHD_LOOK_UP(type, name, parameters)             \
  *(void **)&functions->name = dlsym(library, "MHD_" #name);   \
  if (!functions->name) {                                      \
    snprintf(why, size, "it has no function MHD_%s", #name);   \
    dlclose(library);                                          \
    return AACORN_MHD_NO_FUNCTION;                             \
  }
  AACORN_MHD_FUNCTIONS(AACORN_MHD_LOOK_UP)
#undef AACORN_MHD_LOOK_UP
  return AACORN_MHD_LOADED;
#endif
}

static void load(void) {
  result = aacorn_mhd_load("libmicrohttpd.so.12", &table, reason, sizeof reason);
}

aacorn_mhd_result aacorn_mhd_loading(void) {
  pthread_once(&once, load);
  return result;
}

const char *aacorn_mhd_loading_reason(void) { return reason; }

/* Returns a socket bound to an address, listening or only reserving it; or a negative `errno`. */
static int open_port(const char *address, int port, int is_listening) {
  char service[16];
  snprintf(service, sizeof service, "%d", port);
  struct addrinfo hints, *found = NULL;
  memset(&hints, 0, sizeof hints);
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE;
  if (getaddrinfo(address, service, &hints, &found) != 0 || !found) return -EINVAL;

  int error = 0;
  int result = socket(found->ai_family, found->ai_socktype, found->ai_protocol);
  if (result < 0) {
    error = errno;
  } else {
    int yes = 1, no = 0;
    fcntl(result, F_SETFD, FD_CLOEXEC);
    fcntl(result, F_SETFL, O_NONBLOCK);
    /*
     * Old connections of an earlier server must not block the port. A reserved port must not have
     * the option: another socket with it could share the port.
     */
    if (is_listening) setsockopt(result, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    /* `::` is every address of both families. */
    if (found->ai_family == AF_INET6)
      setsockopt(result, IPPROTO_IPV6, IPV6_V6ONLY, &no, sizeof no);
    if (bind(result, found->ai_addr, found->ai_addrlen) < 0 ||
        (is_listening && listen(result, SOMAXCONN) < 0)) {
      error = errno;
      close(result);
    }
  }
  freeaddrinfo(found);
  return error ? -error : result;
}

int aacorn_mhd_listen(const char *address, int port) { return open_port(address, port, 1); }

int aacorn_mhd_keep(const char *address, int port) { return open_port(address, port, 0); }

int aacorn_mhd_port(int listener) {
  struct sockaddr_storage place;
  socklen_t length = sizeof place;
  if (getsockname(listener, (struct sockaddr *)&place, &length) != 0) return 0;
  if (place.ss_family == AF_INET) return ntohs(((struct sockaddr_in *)&place)->sin_port);
  if (place.ss_family == AF_INET6) return ntohs(((struct sockaddr_in6 *)&place)->sin6_port);
  return 0;
}

static int open_socket_file(void) {
  int socket_file = socket(AF_UNIX, SOCK_STREAM, 0);
  if (socket_file < 0) return -errno;
  fcntl(socket_file, F_SETFD, FD_CLOEXEC);
  fcntl(socket_file, F_SETFL, O_NONBLOCK);
  return socket_file;
}

/* Returns whether a server listens at a socket file: 1, 0, or a negative `errno` if unknown. */
static int is_in_use(const struct sockaddr_un *place) {
  int probe = open_socket_file();
  if (probe < 0) return probe;
  int answer = 1;
  if (connect(probe, (const struct sockaddr *)place, sizeof *place) < 0) {
    if (errno == ECONNREFUSED || errno == ENOENT) answer = 0;
    /* A server with a full queue, or with another socket type, counts as listening. */
    else if (errno != EAGAIN && errno != EINPROGRESS && errno != EPROTOTYPE) answer = -errno;
  }
  close(probe);
  return answer;
}

static int listen_at_place(const struct sockaddr_un *place) {
  struct stat status;
  if (lstat(place->sun_path, &status) == 0) {
    if (!S_ISSOCK(status.st_mode)) return -EEXIST;
    int answer = is_in_use(place);
    if (answer != 0) return answer < 0 ? answer : -EADDRINUSE;
    if (unlink(place->sun_path) < 0 && errno != ENOENT) return -errno;
  }
  int listener = open_socket_file();
  if (listener < 0) return listener;
  int is_bound = bind(listener, (const struct sockaddr *)place, sizeof *place) == 0;
  /* Restrict the access before `listen`: no client can connect earlier. */
  if (is_bound && chmod(place->sun_path, S_IRUSR | S_IWUSR) == 0 &&
      listen(listener, SOMAXCONN) == 0)
    return listener;
  int error = errno;
  close(listener);
  if (is_bound) unlink(place->sun_path);
  return -error;
}

/*
 * Prevents servers that start simultaneously from replacing each other's file; negative on failure.
 */
static int lock_folder(const char *path) {
  char folder[sizeof ((struct sockaddr_un *)0)->sun_path];
  const char *slash = strrchr(path, '/');
  size_t length = slash ? (size_t)(slash - path) : 0;
  memcpy(folder, path, length);
  folder[length] = 0;
  int lock = open(
      slash && length == 0 ? "/" : slash ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  /* Wait for at most a second: a server holds the lock only briefly, other programs may not. */
  for (int turn = 0; lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) < 0; turn++) {
    if (turn < 100 && (errno == EWOULDBLOCK || errno == EINTR)) {
      poll(NULL, 0, 10);
    } else {
      close(lock);
      lock = -1;
    }
  }
  return lock;
}

int aacorn_mhd_listen_at_path(const char *path) {
  struct sockaddr_un place;
  memset(&place, 0, sizeof place);
  place.sun_family = AF_UNIX;
  size_t length = strlen(path);
  if (length == 0) return -ENOENT;
  if (length >= sizeof place.sun_path) return -ENAMETOOLONG;
  memcpy(place.sun_path, path, length);
  int lock = lock_folder(path);
  int listener = listen_at_place(&place);
  if (lock >= 0) close(lock);
  return listener;
}

aacorn_mhd_daemon *aacorn_mhd_start(const aacorn_mhd_settings *settings) {
  /* In strict mode, versions before 1 drop the connection without a response. */
  intptr_t strictness = strncmp(table.get_version(), "0.", 2) != 0;
  aacorn_mhd_option options[] = {
      {AACORN_MHD_OPTION_LISTEN_SOCKET, settings->listener, NULL},
      {AACORN_MHD_OPTION_CONNECTION_LIMIT, (intptr_t)settings->connection_limit, NULL},
      {AACORN_MHD_OPTION_CONNECTION_TIMEOUT, (intptr_t)settings->idle_seconds, NULL},
      {AACORN_MHD_OPTION_CONNECTION_MEMORY_LIMIT, (intptr_t)settings->connection_memory, NULL},
      {AACORN_MHD_OPTION_STRICT_FOR_CLIENT, strictness, NULL},
      {AACORN_MHD_OPTION_NOTIFY_CONNECTION, (intptr_t)settings->connected, settings->context},
      {AACORN_MHD_OPTION_URI_LOG_CALLBACK, (intptr_t)settings->begun, settings->context},
      {AACORN_MHD_OPTION_NOTIFY_COMPLETED, (intptr_t)settings->completed, settings->context},
      {AACORN_MHD_OPTION_END, 0, NULL},
  };
  return table.start_daemon(
      AACORN_MHD_USE_AUTO | AACORN_MHD_USE_INTERNAL_POLLING_THREAD |
          AACORN_MHD_ALLOW_SUSPEND_RESUME,
      0, NULL, NULL, settings->access, settings->context, AACORN_MHD_OPTION_ARRAY, options,
      AACORN_MHD_OPTION_END);
}

void aacorn_mhd_stop(aacorn_mhd_daemon *daemon) { table.stop_daemon(daemon); }

void aacorn_mhd_suspend(aacorn_mhd_connection *connection) {
  table.suspend_connection(connection);
}

void aacorn_mhd_resume(aacorn_mhd_connection *connection) {
  table.resume_connection(connection);
}

/* All members of the library's union start at its beginning. */
typedef union {
  int descriptor;
  const struct sockaddr *address;
  void *context;
  size_t size;
} connection_info;

static const connection_info *look_up(aacorn_mhd_connection *connection, unsigned what) {
  return (const connection_info *)table.get_connection_info(connection, what);
}

int aacorn_mhd_socket(aacorn_mhd_connection *connection) {
  const connection_info *info = look_up(connection, AACORN_MHD_INFO_CONNECTION_FD);
  return info ? info->descriptor : -1;
}

void *aacorn_mhd_place(aacorn_mhd_connection *connection) {
  const connection_info *info = look_up(connection, AACORN_MHD_INFO_SOCKET_CONTEXT);
  return info ? info->context : NULL;
}

aacorn_mhd_presence aacorn_mhd_client_presence(int socket) {
  short gone = POLLERR | POLLHUP | POLLNVAL, finished = 0;
#ifdef POLLRDHUP
  finished = POLLRDHUP;
#endif
  struct pollfd entry = {.fd = socket, .events = gone | finished, .revents = 0};
  if (socket < 0 || poll(&entry, 1, 0) <= 0) return AACORN_MHD_PRESENT;
  if (entry.revents & gone) return AACORN_MHD_GONE;
  return entry.revents & finished ? AACORN_MHD_FINISHED : AACORN_MHD_PRESENT;
}

void aacorn_mhd_probe_silence(int socket) {
  int yes = 1, seconds = 15, count = 4;
  setsockopt(socket, SOL_SOCKET, SO_KEEPALIVE, &yes, sizeof yes);
#ifdef TCP_KEEPIDLE
  setsockopt(socket, IPPROTO_TCP, TCP_KEEPIDLE, &seconds, sizeof seconds);
#elif defined(TCP_KEEPALIVE)
  setsockopt(socket, IPPROTO_TCP, TCP_KEEPALIVE, &seconds, sizeof seconds);
#endif
  setsockopt(socket, IPPROTO_TCP, TCP_KEEPINTVL, &seconds, sizeof seconds);
  setsockopt(socket, IPPROTO_TCP, TCP_KEEPCNT, &count, sizeof count);
}

int aacorn_mhd_received_count(int socket, uint64_t *count) {
#if __has_include(<linux/tcp.h>)
  struct tcp_info info;
  socklen_t size = sizeof info;
  if (getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) return 0;
  /* Older systems report less. */
  size_t end = offsetof(struct tcp_info, tcpi_bytes_received) + sizeof info.tcpi_bytes_received;
  if (size < end) return 0;
  *count = info.tcpi_bytes_received;
  return 1;
#elif defined(TCP_CONNECTION_INFO)
  struct tcp_connection_info info;
  socklen_t size = sizeof info;
  if (getsockopt(socket, IPPROTO_TCP, TCP_CONNECTION_INFO, &info, &size) != 0) return 0;
  *count = info.tcpi_rxbytes;
  return 1;
#else
  (void)socket, (void)count;
  return 0;
#endif
}

void aacorn_mhd_cut(int socket) { shutdown(socket, SHUT_RDWR); }

int aacorn_mhd_duplicate(int socket) { return fcntl(socket, F_DUPFD_CLOEXEC, 0); }

int aacorn_mhd_drain(int socket) {
  char bytes[16384];
  /* A limit, so that a fast sender cannot block other clients. */
  for (int turn = 0; turn < 64; turn++) {
    ssize_t count = recv(socket, bytes, sizeof bytes, MSG_DONTWAIT);
    if (count < 0 && errno != EINTR) return errno != EAGAIN && errno != EWOULDBLOCK;
    if (count == 0) return 1;
  }
  return 0;
}

static const struct sockaddr *client_address(aacorn_mhd_connection *connection) {
  const connection_info *info = look_up(connection, AACORN_MHD_INFO_CLIENT_ADDRESS);
  return info ? info->address : NULL;
}

void aacorn_mhd_client(aacorn_mhd_connection *connection, char *text, size_t size) {
  if (size == 0) return;
  text[0] = 0;
  const struct sockaddr *address = client_address(connection);
  if (!address) return;
  if (address->sa_family == AF_UNIX) snprintf(text, size, "unix");
  if (address->sa_family == AF_INET)
    inet_ntop(
        AF_INET, &((const struct sockaddr_in *)address)->sin_addr, text, (socklen_t)size);
  if (address->sa_family == AF_INET6)
    inet_ntop(
        AF_INET6, &((const struct sockaddr_in6 *)address)->sin6_addr, text, (socklen_t)size);
}

static uint64_t number(const uint8_t *bytes, size_t count) {
  uint64_t number = 0;
  while (count--) number = number << 8 | *bytes++;
  return number;
}

/* Every address in 127.0.0.0/8 is this machine. */
static uint64_t neighborhood4(const uint8_t *address) {
  return address[0] == 127 ? 0 : number(address, 4);
}

uint64_t aacorn_mhd_neighborhood(aacorn_mhd_connection *connection) {
  const struct sockaddr *address = client_address(connection);
  if (!address) return 0;
  if (address->sa_family == AF_INET)
    return neighborhood4(
        (const uint8_t *)&((const struct sockaddr_in *)address)->sin_addr);
  if (address->sa_family == AF_INET6) {
    const struct in6_addr *long_address = &((const struct sockaddr_in6 *)address)->sin6_addr;
    /* An IPv4 client at a socket for both families. */
    if (IN6_IS_ADDR_V4MAPPED(long_address)) return neighborhood4(long_address->s6_addr + 12);
    /* The network, 0 for ::1. No assigned network equals the number of an IPv4 address. */
    return number(long_address->s6_addr, 8);
  }
  return 0;
}

void aacorn_mhd_headers(
    aacorn_mhd_connection *connection, aacorn_mhd_pair pair, void *context) {
  table.get_connection_values_n(connection, AACORN_MHD_HEADER_KIND, pair, context);
}

/* The bytes of a request's head that the reported texts have not covered yet. */
typedef struct {
  const char *place;
  const char *end;
  int is_plain;
  /* Whether the next text begins a line. */
  int begins_line;
} header_block;

/*
 * Whether the bytes between two texts are exactly `count` line ends. The library has replaced every
 * byte of them with zero or, from version 1 on, only the first.
 */
static int are_line_ends(const char *bytes, size_t size, size_t count) {
  if (!memchr(bytes, '\n', size))
    return size == 2 * count && memcmp(bytes, "\0\0\0\0", size) == 0;
  for (size_t index = 0; index < size; index++)
    if (!memchr("\0\r\n\t ", bytes[index], 5)) return 0;
  return 1;
}

/* Whether the bytes between a name and its value are a colon and blanks. */
static int are_colon(const char *bytes, size_t size) {
  if (size == 0 || bytes[0] != 0) return 0;
  for (size_t index = 1; index < size; index++)
    if (bytes[index] != ' ' && bytes[index] != '\t') return 0;
  return 1;
}

/* Advances past a text; clears `is_plain` unless exactly the expected separator precedes it. */
static void pass(header_block *block, const char *text, size_t size) {
  if (!block->is_plain) return;
  block->is_plain =
      text >= block->place && text <= block->end && size <= (size_t)(block->end - text) &&
      (block->begins_line ? are_line_ends(block->place, (size_t)(text - block->place), 1)
                          : are_colon(block->place, (size_t)(text - block->place)));
  block->place = text + size;
  block->begins_line = !block->begins_line;
}

static unsigned pass_header(
    void *context, unsigned kind, const char *name, size_t name_size, const char *value,
    size_t value_size) {
  (void)kind;
  header_block *block = (header_block *)context;
  pass(block, name, name_size);
  pass(block, value, value_size);
  return block->is_plain ? AACORN_MHD_YES : AACORN_MHD_NO;
}

int aacorn_mhd_is_plain(
    aacorn_mhd_connection *connection, const char *method, const char *target, size_t target_size,
    const char *version) {
  const connection_info *info = look_up(connection, AACORN_MHD_INFO_REQUEST_HEADER_SIZE);
  if (!info || target != method + strlen(method) + 1 || version != target + target_size + 1)
    return 0;
  header_block block = {
      .place = version + strlen(version), .end = method + info->size, .is_plain = 1,
      .begins_line = 1};
  table.get_connection_values_n(connection, AACORN_MHD_HEADER_KIND, pass_header, &block);
  return block.is_plain && block.place <= block.end &&
         are_line_ends(block.place, (size_t)(block.end - block.place), 2);
}

size_t aacorn_mhd_hide_query(const char *target) {
  size_t size = strlen(target);
  /* Not really const: it is the library's own memory, which the library itself modifies later. */
  char *query = strchr((char *)target, '?');
  if (query && query[1]) query[1] = 0;
  return size;
}

aacorn_mhd_response *aacorn_mhd_body(
    uint64_t size, size_t block_size, aacorn_mhd_reader reader, void *context,
    aacorn_mhd_reader_end end) {
  aacorn_mhd_response *response =
      table.create_response_from_callback(size, block_size, reader, context, end);
  if (!response) end(context);
  return response;
}

int aacorn_mhd_add_header(aacorn_mhd_response *response, const char *name, const char *value) {
  return table.add_response_header(response, name, value) == AACORN_MHD_YES;
}

unsigned aacorn_mhd_answer(
    aacorn_mhd_connection *connection, unsigned status, aacorn_mhd_response *response) {
  unsigned answer = table.queue_response(connection, status, response);
  table.destroy_response(response);
  return answer;
}

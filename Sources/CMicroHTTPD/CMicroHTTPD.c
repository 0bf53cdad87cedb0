#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* for POLLRDHUP */
#endif
#include "CMicroHTTPD.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static aacorn_mhd_functions table;
static aacorn_mhd_result result = AACORN_MHD_NO_LIBRARY;
static char reason[256];
static pthread_once_t once = PTHREAD_ONCE_INIT;

aacorn_mhd_result aacorn_mhd_load(
    const char *file, aacorn_mhd_functions *functions, char *why, size_t size) {
  void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *words = dlerror();
    snprintf(why, size, "%s", words ? words : "it cannot be loaded");
    return AACORN_MHD_NO_LIBRARY;
  }
  /* POSIX has dlsym give a function as an object pointer, which C itself cannot convert. */
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
}

static void load(void) {
  result = aacorn_mhd_load("libmicrohttpd.so.12", &table, reason, sizeof reason);
}

aacorn_mhd_result aacorn_mhd_loading(void) {
  pthread_once(&once, load);
  return result;
}

const char *aacorn_mhd_loading_reason(void) { return reason; }

int aacorn_mhd_listen(const char *address, int port) {
  char service[16];
  snprintf(service, sizeof service, "%d", port);
  struct addrinfo wish, *found = NULL;
  memset(&wish, 0, sizeof wish);
  wish.ai_socktype = SOCK_STREAM;
  wish.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE;
  if (getaddrinfo(address, service, &wish, &found) != 0 || !found) return -EINVAL;

  int error = 0;
  int listener = socket(found->ai_family, found->ai_socktype, found->ai_protocol);
  if (listener < 0) {
    error = errno;
  } else {
    int yes = 1, no = 0;
    fcntl(listener, F_SETFD, FD_CLOEXEC);
    fcntl(listener, F_SETFL, O_NONBLOCK);
    /* Connections of a server before that are still fading do not keep the port. */
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    /* `::` is every address of both families. */
    if (found->ai_family == AF_INET6)
      setsockopt(listener, IPPROTO_IPV6, IPV6_V6ONLY, &no, sizeof no);
    if (bind(listener, found->ai_addr, found->ai_addrlen) < 0 || listen(listener, SOMAXCONN) < 0) {
      error = errno;
      close(listener);
    }
  }
  freeaddrinfo(found);
  return error ? -error : listener;
}

int aacorn_mhd_port(int listener) {
  struct sockaddr_storage place;
  socklen_t length = sizeof place;
  if (getsockname(listener, (struct sockaddr *)&place, &length) != 0) return 0;
  if (place.ss_family == AF_INET) return ntohs(((struct sockaddr_in *)&place)->sin_port);
  if (place.ss_family == AF_INET6) return ntohs(((struct sockaddr_in6 *)&place)->sin6_port);
  return 0;
}

/* Leaves the escapes of an address alone: a decoded zero would cut it short. */
static size_t keep_escapes(void *context, aacorn_mhd_connection *connection, char *text) {
  (void)context, (void)connection;
  return strlen(text);
}

aacorn_mhd_daemon *aacorn_mhd_start(const aacorn_mhd_settings *settings) {
  aacorn_mhd_option options[] = {
      {AACORN_MHD_OPTION_LISTEN_SOCKET, settings->listener, NULL},
      {AACORN_MHD_OPTION_CONNECTION_LIMIT, (intptr_t)settings->connection_limit, NULL},
      {AACORN_MHD_OPTION_PER_IP_CONNECTION_LIMIT,
       (intptr_t)settings->connection_limit_per_address, NULL},
      {AACORN_MHD_OPTION_CONNECTION_TIMEOUT, (intptr_t)settings->idle_seconds, NULL},
      {AACORN_MHD_OPTION_CONNECTION_MEMORY_LIMIT, (intptr_t)settings->connection_memory, NULL},
      {AACORN_MHD_OPTION_NOTIFY_COMPLETED, (intptr_t)settings->completed, settings->context},
      {AACORN_MHD_OPTION_UNESCAPE_CALLBACK, (intptr_t)keep_escapes, NULL},
      {AACORN_MHD_OPTION_END, 0, NULL},
  };
  return table.start_daemon(
      AACORN_MHD_USE_AUTO | AACORN_MHD_USE_INTERNAL_POLLING_THREAD |
          AACORN_MHD_ALLOW_SUSPEND_RESUME,
      0, NULL, NULL, settings->access, settings->context, AACORN_MHD_OPTION_ARRAY, options,
      AACORN_MHD_OPTION_END);
}

void aacorn_mhd_stop(aacorn_mhd_daemon *daemon) { table.stop_daemon(daemon); }

void aacorn_mhd_set_idle(aacorn_mhd_connection *connection, unsigned seconds) {
  table.set_connection_option(connection, AACORN_MHD_CONNECTION_OPTION_TIMEOUT, seconds);
}

void aacorn_mhd_suspend(aacorn_mhd_connection *connection) {
  table.suspend_connection(connection);
}

void aacorn_mhd_resume(aacorn_mhd_connection *connection) {
  table.resume_connection(connection);
}

/* All members of the library's union begin where it begins. */
typedef union {
  int descriptor;
  const struct sockaddr *address;
} connection_info;

int aacorn_mhd_is_gone(aacorn_mhd_connection *connection) {
  const connection_info *info = (const connection_info *)table.get_connection_info(
      connection, AACORN_MHD_INFO_CONNECTION_FD);
  if (!info) return 0;
  short gone = POLLERR | POLLHUP | POLLNVAL;
#ifdef POLLRDHUP
  gone |= POLLRDHUP;
#endif
  struct pollfd entry = {.fd = info->descriptor, .events = gone, .revents = 0};
  return poll(&entry, 1, 0) > 0 && (entry.revents & gone);
}

void aacorn_mhd_client(aacorn_mhd_connection *connection, char *text, size_t size) {
  if (size == 0) return;
  text[0] = 0;
  const connection_info *info = (const connection_info *)table.get_connection_info(
      connection, AACORN_MHD_INFO_CLIENT_ADDRESS);
  if (!info || !info->address) return;
  if (info->address->sa_family == AF_INET)
    inet_ntop(
        AF_INET, &((const struct sockaddr_in *)info->address)->sin_addr, text, (socklen_t)size);
  if (info->address->sa_family == AF_INET6)
    inet_ntop(
        AF_INET6, &((const struct sockaddr_in6 *)info->address)->sin6_addr, text,
        (socklen_t)size);
}

void aacorn_mhd_headers(
    aacorn_mhd_connection *connection, aacorn_mhd_pair pair, void *context) {
  table.get_connection_values_n(connection, AACORN_MHD_HEADER_KIND, pair, context);
}

void aacorn_mhd_query(aacorn_mhd_connection *connection, aacorn_mhd_pair pair, void *context) {
  table.get_connection_values_n(connection, AACORN_MHD_GET_ARGUMENT_KIND, pair, context);
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

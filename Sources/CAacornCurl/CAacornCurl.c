#include "CAacornCurl.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

const char *aacorn_curl_symbols(void) {
#define AACORN_CURL_SYMBOL(type, name, parameters) "curl_" #name " "
  return AACORN_CURL_FUNCTIONS(AACORN_CURL_SYMBOL);
#undef AACORN_CURL_SYMBOL
}

struct aacorn_curl_connection {
  const aacorn_curl_functions *functions;
  aacorn_curl_easy *easy;
  aacorn_curl_multi *multi;
  char words[AACORN_CURL_ERROR_SIZE];
};

/* Discards the body of a proxy's response. */
static size_t discard(char *bytes, size_t size, size_t count, void *context) {
  (void)bytes, (void)context;
  return size * count;
}

static int configure(
    aacorn_curl_connection *connection, const char *url, const char *certificate_file,
    const char *proxy, const char *socket_name, long milliseconds) {
  const aacorn_curl_functions *functions = connection->functions;
  aacorn_curl_easy *easy = connection->easy;
  const struct {
    unsigned option;
    long value;
  } numbers[] = {
    {AACORN_CURL_CONNECT_ONLY, 1},
    {AACORN_CURL_NOSIGNAL, 1},
    /* Simulated time does not limit libcurl, which reads the real clock. */
    {AACORN_CURL_CONNECTTIMEOUT_MS, socket_name ? 300000 : milliseconds},
    {AACORN_CURL_TCP_NODELAY, 1},
    {AACORN_CURL_TCP_KEEPALIVE, 1},
    {AACORN_CURL_TCP_KEEPIDLE, 30},
    {AACORN_CURL_TCP_KEEPINTVL, 10},
    {AACORN_CURL_SSL_VERIFYPEER, 1},
    {AACORN_CURL_SSL_VERIFYHOST, 2},
    {AACORN_CURL_SSLVERSION, AACORN_CURL_SSLVERSION_TLSV1_2},
    /* No protocol is negotiated: some callers do not use HTTP, and none uses HTTP/2. */
    {AACORN_CURL_SSL_ENABLE_ALPN, 0},
    {AACORN_CURL_HTTPPROXYTUNNEL, 1},
    {AACORN_CURL_SUPPRESS_CONNECT_HEADERS, 1},
  };
  unsigned result = AACORN_CURL_OK;
  for (size_t index = 0; index < sizeof numbers / sizeof numbers[0]; index++)
    result |= functions->easy_setopt(easy, numbers[index].option, numbers[index].value);
  result |= functions->easy_setopt(easy, AACORN_CURL_WRITEFUNCTION, discard);
  result |= functions->easy_setopt(easy, AACORN_CURL_ERRORBUFFER, connection->words);
  result |= functions->easy_setopt(easy, AACORN_CURL_URL, url);
  if (certificate_file) {
    result |= functions->easy_setopt(easy, AACORN_CURL_CAINFO, certificate_file);
    /* Disable the system's certificate folder, which would be trusted as well. */
    functions->easy_setopt(easy, AACORN_CURL_CAPATH, (char *)NULL);
  }
  if (proxy) result |= functions->easy_setopt(easy, AACORN_CURL_PROXY, proxy);
  if (socket_name)
    result |= functions->easy_setopt(easy, AACORN_CURL_ABSTRACT_UNIX_SOCKET, socket_name);
  /* Canceling must not wait for a silent name server. Older libraries lack this option. */
  functions->easy_setopt(easy, AACORN_CURL_QUICK_EXIT, 1L);
  return result == AACORN_CURL_OK;
}

aacorn_curl_connection *aacorn_curl_start(
    const aacorn_curl_functions *functions, const char *url, const char *certificate_file,
    const char *proxy, const char *socket_name, long milliseconds) {
  aacorn_curl_connection *connection = calloc(1, sizeof *connection);
  if (!connection) return NULL;
  connection->functions = functions;
  connection->easy = functions->easy_init();
  connection->multi = functions->multi_init();
  if (connection->easy && connection->multi
      && configure(connection, url, certificate_file, proxy, socket_name, milliseconds)
      && functions->multi_add_handle(connection->multi, connection->easy) == 0)
    return connection;
  aacorn_curl_close(connection);
  return NULL;
}

unsigned aacorn_curl_continue(aacorn_curl_connection *connection, int stop, int milliseconds) {
  const aacorn_curl_functions *functions = connection->functions;
  int count = 0;
  if (functions->multi_perform(connection->multi, &count) != 0) return AACORN_CURL_OUT_OF_MEMORY;
  aacorn_curl_message *message =
      (aacorn_curl_message *)functions->multi_info_read(connection->multi, &count);
  if (message && message->message == AACORN_CURL_MESSAGE_DONE) return message->data.result;
  aacorn_curl_wait_entry entry = {stop, AACORN_CURL_WAIT_POLLIN, 0};
  functions->multi_poll(
      connection->multi, (struct curl_waitfd *)&entry, stop < 0 ? 0 : 1, milliseconds, &count);
  return AACORN_CURL_AGAIN;
}

int aacorn_curl_socket(aacorn_curl_connection *connection) {
  int descriptor = -1;
  unsigned result = connection->functions->easy_getinfo(
      connection->easy, AACORN_CURL_ACTIVESOCKET, &descriptor);
  return result == AACORN_CURL_OK ? descriptor : -1;
}

void aacorn_curl_limit_unsent(aacorn_curl_connection *connection, int byte_count) {
  int descriptor = aacorn_curl_socket(connection);
  setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &byte_count, sizeof byte_count);
}

void aacorn_curl_limit_silence(aacorn_curl_connection *connection, unsigned milliseconds) {
#ifdef TCP_USER_TIMEOUT
  int descriptor = aacorn_curl_socket(connection);
  setsockopt(descriptor, IPPROTO_TCP, TCP_USER_TIMEOUT, &milliseconds, sizeof milliseconds);
#else
  (void)connection, (void)milliseconds;
#endif
}

int aacorn_curl_unacknowledged(aacorn_curl_connection *connection) {
  int descriptor = aacorn_curl_socket(connection);
  int count = 0;
  /* The request has one name for terminals and another for sockets (SIOCOUTQ), of equal value. */
  if (ioctl(descriptor, TIOCOUTQ, &count) != 0) return 0;
  return count;
}

long aacorn_curl_proxy_answer(aacorn_curl_connection *connection) {
  long code = 0;
  connection->functions->easy_getinfo(connection->easy, AACORN_CURL_HTTP_CONNECTCODE, &code);
  return code;
}

const char *aacorn_curl_error_text(const aacorn_curl_connection *connection) {
  return connection->words;
}

unsigned aacorn_curl_send(
    aacorn_curl_connection *connection, const void *bytes, size_t count, size_t *sent) {
  *sent = 0;
  return connection->functions->easy_send(connection->easy, bytes, count, sent);
}

unsigned aacorn_curl_receive(
    aacorn_curl_connection *connection, void *bytes, size_t count, size_t *received) {
  *received = 0;
  return connection->functions->easy_recv(connection->easy, bytes, count, received);
}

void aacorn_curl_close(aacorn_curl_connection *connection) {
  const aacorn_curl_functions *functions = connection->functions;
  if (connection->multi && connection->easy)
    functions->multi_remove_handle(connection->multi, connection->easy);
  if (connection->easy) functions->easy_cleanup(connection->easy);
  if (connection->multi) functions->multi_cleanup(connection->multi);
  free(connection);
}

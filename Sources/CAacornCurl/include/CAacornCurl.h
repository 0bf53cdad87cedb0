#ifndef AACORN_CCURL_H
#define AACORN_CCURL_H

/*
 * The part of libcurl that Aacorn uses, declared here and looked up in the library at run time, so
 * that neither its header files nor the library are needed to build or start.
 *
 * All names are Aacorn's own; the structs are shared with the library only by their tags. A test
 * compares everything below with <curl/curl.h> where that is installed.
 *
 * libcurl only finds the server, connects to it and encrypts (its connect-only mode); the caller
 * sends and receives the bytes.
 */

#include <stddef.h>

typedef void aacorn_curl_easy;
typedef void aacorn_curl_multi;
struct curl_waitfd;
struct CURLMsg;

/* Options (CURLOPT_…). */
enum {
  AACORN_CURL_SSLVERSION = 32,
  AACORN_CURL_HTTPPROXYTUNNEL = 61,
  AACORN_CURL_SSL_VERIFYPEER = 64,
  AACORN_CURL_SSL_VERIFYHOST = 81,
  AACORN_CURL_NOSIGNAL = 99,
  AACORN_CURL_TCP_NODELAY = 121,
  AACORN_CURL_CONNECT_ONLY = 141,
  AACORN_CURL_CONNECTTIMEOUT_MS = 156,
  AACORN_CURL_TCP_KEEPALIVE = 213,
  AACORN_CURL_TCP_KEEPIDLE = 214,
  AACORN_CURL_TCP_KEEPINTVL = 215,
  AACORN_CURL_SSL_ENABLE_ALPN = 226,
  AACORN_CURL_SUPPRESS_CONNECT_HEADERS = 265,
  AACORN_CURL_QUICK_EXIT = 322,
  AACORN_CURL_URL = 10002,
  AACORN_CURL_PROXY = 10004,
  AACORN_CURL_ERRORBUFFER = 10010,
  AACORN_CURL_CAINFO = 10065,
  AACORN_CURL_CAPATH = 10097,
  AACORN_CURL_ABSTRACT_UNIX_SOCKET = 10264,
  AACORN_CURL_WRITEFUNCTION = 20011
};

/* Information requests (CURLINFO_…). */
enum { AACORN_CURL_HTTP_CONNECTCODE = 0x200016, AACORN_CURL_ACTIVESOCKET = 0x50002c };

/* Results (CURLE_…) that Aacorn distinguishes. */
enum {
  AACORN_CURL_OK = 0,
  AACORN_CURL_UNSUPPORTED_PROTOCOL = 1,
  AACORN_CURL_COULDNT_RESOLVE_PROXY = 5,
  AACORN_CURL_COULDNT_RESOLVE_HOST = 6,
  AACORN_CURL_COULDNT_CONNECT = 7,
  AACORN_CURL_OUT_OF_MEMORY = 27,
  AACORN_CURL_OPERATION_TIMEDOUT = 28,
  AACORN_CURL_SSL_CONNECT_ERROR = 35,
  AACORN_CURL_PEER_FAILED_VERIFICATION = 60,
  AACORN_CURL_SSL_CACERT_BADFILE = 77,
  AACORN_CURL_AGAIN = 81,
  AACORN_CURL_PROXY_HANDSHAKE = 97
};

/* Other constants of the library. */
enum {
  AACORN_CURL_GLOBAL_ALL = 3,
  AACORN_CURL_MESSAGE_DONE = 1,
  AACORN_CURL_WAIT_POLLIN = 1,
  AACORN_CURL_SSLVERSION_TLSV1_2 = 6,
  AACORN_CURL_ERROR_SIZE = 256
};

/*
 * X(result, name, parameters) for each function; its symbol is `curl_` and the name. The library's
 * enumerations are unsigned unless they have a negative member.
 */
#define AACORN_CURL_FUNCTIONS(X)                                                                 \
  X(unsigned, global_init, (long flags))                                                         \
  X(aacorn_curl_easy *, easy_init, (void))                                                       \
  X(unsigned, easy_setopt, (aacorn_curl_easy * easy, unsigned option, ...))                      \
  X(unsigned, easy_getinfo, (aacorn_curl_easy * easy, unsigned info, ...))                       \
  X(void, easy_cleanup, (aacorn_curl_easy * easy))                                               \
  X(unsigned, easy_send,                                                                         \
    (aacorn_curl_easy * easy, const void *bytes, size_t count, size_t *sent))                    \
  X(unsigned, easy_recv,                                                                         \
    (aacorn_curl_easy * easy, void *bytes, size_t count, size_t *received))                      \
  X(aacorn_curl_multi *, multi_init, (void))                                                     \
  X(int, multi_add_handle, (aacorn_curl_multi * multi, aacorn_curl_easy * easy))                 \
  X(int, multi_remove_handle, (aacorn_curl_multi * multi, aacorn_curl_easy * easy))              \
  X(int, multi_perform, (aacorn_curl_multi * multi, int *running))                               \
  X(int, multi_poll,                                                                             \
    (aacorn_curl_multi * multi, struct curl_waitfd * entries, unsigned count, int milliseconds,  \
     int *ready))                                                                                \
  X(struct CURLMsg *, multi_info_read, (aacorn_curl_multi * multi, int *rest))                   \
  X(int, multi_cleanup, (aacorn_curl_multi * multi))

/* The functions of a library that was found. */
typedef struct {
#define AACORN_CURL_MEMBER(result, name, parameters) result(*name) parameters;
  AACORN_CURL_FUNCTIONS(AACORN_CURL_MEMBER)
#undef AACORN_CURL_MEMBER
} aacorn_curl_functions;

/* `struct curl_waitfd` and `struct CURLMsg`, as the library lays them out. */
typedef struct {
  int descriptor;
  short events;
  short ready_events;
} aacorn_curl_wait_entry;

typedef struct {
  unsigned message;
  aacorn_curl_easy *easy;
  union {
    void *other;
    unsigned result;
  } data;
} aacorn_curl_message;

/* The symbols of the functions, in the order of the table; a space follows each. */
const char *aacorn_curl_symbols(void);

/* A connection that is being made, is established, or is broken; for use by one thread. */
typedef struct aacorn_curl_connection aacorn_curl_connection;

/*
 * Begins to connect to `http://host:port`, or to `https://host:port` with encryption and
 * certificate checks. A certificate file, if given, replaces the system's; NULL means the system's.
 * A NULL proxy selects the proxy of the environment, and "" no proxy. If there is the name of an
 * abstract Unix domain socket, connects to it instead. Returns NULL if out of memory.
 */
aacorn_curl_connection *aacorn_curl_start(
    const aacorn_curl_functions *functions, const char *url, const char *certificate_file,
    const char *proxy, const char *socket_name, long milliseconds);

/*
 * Continues connecting, after waiting at most this many milliseconds until that is possible or
 * `stop` (−1 for none) can be read. Returns AACORN_CURL_AGAIN until done, then the result.
 */
unsigned aacorn_curl_continue(aacorn_curl_connection *connection, int stop, int milliseconds);

/* The socket of an established connection, or −1. */
int aacorn_curl_socket(aacorn_curl_connection *connection);

/*
 * Limits the number of unacknowledged bytes that the system stores to about this number. Linux
 * doubles it, because its own records take memory, too.
 */
void aacorn_curl_limit_unsent(aacorn_curl_connection *connection, int byte_count);

/*
 * Makes the system drop the connection when nothing is acknowledged for this many milliseconds,
 * where supported (Linux).
 */
void aacorn_curl_limit_silence(aacorn_curl_connection *connection, unsigned milliseconds);

/*
 * Bytes sent but not acknowledged by the other end's system, even after the connection has broken;
 * 0 if unknown.
 */
int aacorn_curl_unacknowledged(aacorn_curl_connection *connection);

/* The status code of a proxy's response to the connect request; 0 if none. */
long aacorn_curl_proxy_answer(aacorn_curl_connection *connection);

/* The library's message about the last error; "" if it has none. */
const char *aacorn_curl_error_text(const aacorn_curl_connection *connection);

/* Sends or receives some bytes without waiting; AACORN_CURL_AGAIN if that would block. */
unsigned aacorn_curl_send(
    aacorn_curl_connection *connection, const void *bytes, size_t count, size_t *sent);
unsigned aacorn_curl_receive(
    aacorn_curl_connection *connection, void *bytes, size_t count, size_t *received);

/* Closes and frees the connection. */
void aacorn_curl_close(aacorn_curl_connection *connection);

#endif

#ifndef AACORN_CMICROHTTPD_H
#define AACORN_CMICROHTTPD_H

/*
 * What Aacorn uses of GNU libmicrohttpd, declared here and looked up in libmicrohttpd.so.12 at run
 * time, so that neither its header file nor the library are needed to build or start.
 *
 * All names are Aacorn's own; the structs are known to both sides by their tags alone. A test
 * compares everything below with <microhttpd.h> where that is installed.
 */

#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>

typedef struct MHD_Daemon aacorn_mhd_daemon;
typedef struct MHD_Connection aacorn_mhd_connection;
typedef struct MHD_Response aacorn_mhd_response;
union MHD_ConnectionInfo;

/* libmicrohttpd's enumerations, which are unsigned. */
enum { AACORN_MHD_NO = 0, AACORN_MHD_YES = 1 };
enum {
  AACORN_MHD_USE_INTERNAL_POLLING_THREAD = 8,
  AACORN_MHD_ALLOW_SUSPEND_RESUME = 8192 | 1024,
  AACORN_MHD_USE_AUTO = 65536
};
enum {
  AACORN_MHD_OPTION_END = 0,
  AACORN_MHD_OPTION_CONNECTION_MEMORY_LIMIT = 1,
  AACORN_MHD_OPTION_CONNECTION_LIMIT = 2,
  AACORN_MHD_OPTION_CONNECTION_TIMEOUT = 3,
  AACORN_MHD_OPTION_NOTIFY_COMPLETED = 4,
  AACORN_MHD_OPTION_PER_IP_CONNECTION_LIMIT = 5,
  AACORN_MHD_OPTION_LISTEN_SOCKET = 12,
  AACORN_MHD_OPTION_ARRAY = 15,
  AACORN_MHD_OPTION_UNESCAPE_CALLBACK = 16
};
enum { AACORN_MHD_HEADER_KIND = 1, AACORN_MHD_GET_ARGUMENT_KIND = 8 };
enum { AACORN_MHD_CONNECTION_OPTION_TIMEOUT = 0 };
enum { AACORN_MHD_INFO_CLIENT_ADDRESS = 2, AACORN_MHD_INFO_CONNECTION_FD = 6 };

/* The size of a body that ends when its reader says so, and what a reader says at the end. */
#define AACORN_MHD_SIZE_UNKNOWN UINT64_MAX
enum { AACORN_MHD_END_OF_STREAM = -1, AACORN_MHD_END_WITH_ERROR = -2 };

/* An entry of an array of options. */
typedef struct {
  unsigned option;
  intptr_t value;
  void *pointer;
} aacorn_mhd_option;

typedef unsigned (*aacorn_mhd_accept)(
    void *context, const struct sockaddr *address, socklen_t length);
typedef unsigned (*aacorn_mhd_access)(
    void *context, aacorn_mhd_connection *connection, const char *url, const char *method,
    const char *version, const char *upload, size_t *upload_size, void **request);
typedef void (*aacorn_mhd_completed)(
    void *context, aacorn_mhd_connection *connection, void **request, unsigned reason);
typedef ssize_t (*aacorn_mhd_reader)(void *context, uint64_t position, char *bytes, size_t space);
typedef void (*aacorn_mhd_reader_end)(void *context);
typedef unsigned (*aacorn_mhd_pair)(
    void *context, unsigned kind, const char *name, size_t name_size, const char *value,
    size_t value_size);

/* X(result, name, parameters) for each function; its symbol is `MHD_` and the name. */
#define AACORN_MHD_FUNCTIONS(X)                                                                  \
  X(aacorn_mhd_daemon *, start_daemon,                                                           \
    (unsigned flags, uint16_t port, aacorn_mhd_accept accept, void *accept_context,              \
     aacorn_mhd_access access, void *access_context, ...))                                       \
  X(void, stop_daemon, (aacorn_mhd_daemon * daemon))                                             \
  X(const union MHD_ConnectionInfo *, get_connection_info,                                       \
    (aacorn_mhd_connection * connection, unsigned info, ...))                                    \
  X(int, get_connection_values_n,                                                                \
    (aacorn_mhd_connection * connection, unsigned kind, aacorn_mhd_pair pair, void *context))    \
  X(unsigned, set_connection_option,                                                             \
    (aacorn_mhd_connection * connection, unsigned option, ...))                                  \
  X(void, suspend_connection, (aacorn_mhd_connection * connection))                              \
  X(void, resume_connection, (aacorn_mhd_connection * connection))                               \
  X(unsigned, queue_response,                                                                    \
    (aacorn_mhd_connection * connection, unsigned status, aacorn_mhd_response * response))       \
  X(aacorn_mhd_response *, create_response_from_callback,                                        \
    (uint64_t size, size_t block_size, aacorn_mhd_reader reader, void *context,                  \
     aacorn_mhd_reader_end end))                                                                 \
  X(unsigned, add_response_header,                                                               \
    (aacorn_mhd_response * response, const char *name, const char *value))                       \
  X(void, destroy_response, (aacorn_mhd_response * response))

/* The functions of a library that was found. */
typedef struct {
#define AACORN_MHD_MEMBER(result, name, parameters) result(*name) parameters;
  AACORN_MHD_FUNCTIONS(AACORN_MHD_MEMBER)
#undef AACORN_MHD_MEMBER
} aacorn_mhd_functions;

typedef enum {
  AACORN_MHD_LOADED = 0,
  AACORN_MHD_NO_LIBRARY = 1,
  AACORN_MHD_NO_FUNCTION = 2
} aacorn_mhd_result;

/* Fills the table from a library; where that fails, puts the reason into `reason`. */
aacorn_mhd_result aacorn_mhd_load(
    const char *file, aacorn_mhd_functions *functions, char *reason, size_t reason_size);

/* Loads libmicrohttpd.so.12 at the first call. All that follows needs it to have been loaded. */
aacorn_mhd_result aacorn_mhd_loading(void);

/* Why loading failed. */
const char *aacorn_mhd_loading_reason(void);

/*
 * Opens a socket that listens at a numeric address of either family; port 0 is any free one.
 * Returns it, or a negative `errno`.
 */
int aacorn_mhd_listen(const char *address, int port);

/* The port at which a socket listens; 0 if it does not. */
int aacorn_mhd_port(int listener);

/* What a server is started with. */
typedef struct {
  int listener; /* belongs to the server from now on */
  unsigned connection_limit;
  unsigned connection_limit_per_address; /* 0: none */
  unsigned idle_seconds;
  size_t connection_memory;
  aacorn_mhd_access access;
  aacorn_mhd_completed completed;
  void *context;
} aacorn_mhd_settings;

/* Starts a server with a thread of its own, on which everything is called; NULL if it cannot. */
aacorn_mhd_daemon *aacorn_mhd_start(const aacorn_mhd_settings *settings);

/* Ends it and its thread. No connection may be suspended. */
void aacorn_mhd_stop(aacorn_mhd_daemon *daemon);

/* Sets the seconds after which a client of a connection is cut off that does nothing. */
void aacorn_mhd_set_idle(aacorn_mhd_connection *connection, unsigned seconds);

/* Has nothing be done for a connection, or things go on. The first only on the server's thread. */
void aacorn_mhd_suspend(aacorn_mhd_connection *connection);
void aacorn_mhd_resume(aacorn_mhd_connection *connection);

/* Whether the client of a suspended connection has closed its side, which nobody else looks at. */
int aacorn_mhd_is_gone(aacorn_mhd_connection *connection);

/* The client's address in numbers, as text; "" if it is unknown. */
void aacorn_mhd_client(aacorn_mhd_connection *connection, char *text, size_t size);

/* Calls `pair` for the headers, or for the query items, whose bytes are as they came. */
void aacorn_mhd_headers(
    aacorn_mhd_connection *connection, aacorn_mhd_pair pair, void *context);
void aacorn_mhd_query(aacorn_mhd_connection *connection, aacorn_mhd_pair pair, void *context);

/* A body that `reader` delivers; `end` is called in any case, now if this fails. */
aacorn_mhd_response *aacorn_mhd_body(
    uint64_t size, size_t block_size, aacorn_mhd_reader reader, void *context,
    aacorn_mhd_reader_end end);

/* Adds a header; what could break out of its line is not taken. */
int aacorn_mhd_add_header(aacorn_mhd_response *response, const char *name, const char *value);

/* Answers with a response and lets go of it. */
unsigned aacorn_mhd_answer(
    aacorn_mhd_connection *connection, unsigned status, aacorn_mhd_response *response);

#endif

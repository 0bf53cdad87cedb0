#ifndef AACORN_CMICROHTTPD_H
#define AACORN_CMICROHTTPD_H

/*
 * The part of GNU libmicrohttpd that Aacorn uses, declared here and looked up in
 * libmicrohttpd.so.12 at run time, so that neither its header file nor the library are needed to
 * build or start.
 *
 * All names are Aacorn's own; the structs are shared with the library only by their tags. A test
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
  AACORN_MHD_OPTION_URI_LOG_CALLBACK = 7,
  AACORN_MHD_OPTION_LISTEN_SOCKET = 12,
  AACORN_MHD_OPTION_ARRAY = 15,
  AACORN_MHD_OPTION_NOTIFY_CONNECTION = 27,
  AACORN_MHD_OPTION_STRICT_FOR_CLIENT = 29
};
enum { AACORN_MHD_HEADER_KIND = 1 };
enum {
  AACORN_MHD_INFO_CLIENT_ADDRESS = 2,
  AACORN_MHD_INFO_CONNECTION_FD = 6,
  AACORN_MHD_INFO_SOCKET_CONTEXT = 7,
  AACORN_MHD_INFO_REQUEST_HEADER_SIZE = 10
};
enum { AACORN_MHD_CONNECTION_STARTED = 0, AACORN_MHD_CONNECTION_CLOSED = 1 };

/* The size of a body of unknown length, and the value that a reader returns at the end. */
#define AACORN_MHD_SIZE_UNKNOWN UINT64_MAX
enum { AACORN_MHD_END_OF_STREAM = -1, AACORN_MHD_END_WITH_ERROR = -2 };

/* An entry in an array of options. */
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
typedef void *(*aacorn_mhd_begun)(
    void *context, const char *target, aacorn_mhd_connection *connection);
typedef void (*aacorn_mhd_connected)(
    void *context, aacorn_mhd_connection *connection, void **place, unsigned what);
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
  X(void, suspend_connection, (aacorn_mhd_connection * connection))                              \
  X(void, resume_connection, (aacorn_mhd_connection * connection))                               \
  X(unsigned, queue_response,                                                                    \
    (aacorn_mhd_connection * connection, unsigned status, aacorn_mhd_response * response))       \
  X(aacorn_mhd_response *, create_response_from_callback,                                        \
    (uint64_t size, size_t block_size, aacorn_mhd_reader reader, void *context,                  \
     aacorn_mhd_reader_end end))                                                                 \
  X(unsigned, add_response_header,                                                               \
    (aacorn_mhd_response * response, const char *name, const char *value))                       \
  X(void, destroy_response, (aacorn_mhd_response * response))                                    \
  X(const char *, get_version, (void))

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

/* Fills the table from a library; on failure, stores the reason in `reason`. */
aacorn_mhd_result aacorn_mhd_load(
    const char *file, aacorn_mhd_functions *functions, char *reason, size_t reason_size);

/* Loads libmicrohttpd.so.12 at the first call; required for everything below. */
aacorn_mhd_result aacorn_mhd_loading(void);

/* The reason why loading failed. */
const char *aacorn_mhd_loading_reason(void);

/*
 * Opens a socket that listens at a numeric address of either family; port 0 is any free one.
 * Returns it, or a negative `errno`.
 */
int aacorn_mhd_listen(const char *address, int port);

/*
 * Reserves a port of a numeric address with a socket that does not listen: no other program can
 * listen there, and connections are refused. Returns the socket, or a negative `errno`.
 */
int aacorn_mhd_keep(const char *address, int port);

/*
 * Creates a socket file that only its owner may use, and listens there. A stale server's file is
 * replaced; one in use, and any other kind of file, is left alone. Returns the socket, or a
 * negative `errno`: -EEXIST for another file, -EADDRINUSE for a server.
 */
int aacorn_mhd_listen_at_path(const char *path);

/* The port that a socket listens on; 0 if it does not listen. */
int aacorn_mhd_port(int listener);

/* The settings to start a server with. */
typedef struct {
  int listener; /* the server takes ownership */
  unsigned connection_limit;
  unsigned idle_seconds; /* for a client that neither sends nor receives */
  size_t connection_memory;
  aacorn_mhd_connected connected;
  aacorn_mhd_begun begun; /* returns the request for all further calls */
  aacorn_mhd_access access;
  aacorn_mhd_completed completed;
  void *context;
} aacorn_mhd_settings;

/* Starts a server with its own thread, which makes all callbacks; NULL on failure. */
aacorn_mhd_daemon *aacorn_mhd_start(const aacorn_mhd_settings *settings);

/* Stops a server and its thread. No connection may be suspended. */
void aacorn_mhd_stop(aacorn_mhd_daemon *daemon);

/* Suspends a connection, on the server's thread only, or resumes it. */
void aacorn_mhd_suspend(aacorn_mhd_connection *connection);
void aacorn_mhd_resume(aacorn_mhd_connection *connection);

/* The state of the client at the other end of a socket that no other thread is reading. */
typedef enum {
  AACORN_MHD_PRESENT = 0,
  /* It sends nothing more: it waits for the response or has disconnected, which looks the same. */
  AACORN_MHD_FINISHED = 1,
  AACORN_MHD_GONE = 2
} aacorn_mhd_presence;
aacorn_mhd_presence aacorn_mhd_client_presence(int socket);

/* The socket of a connection, owned by the server. */
int aacorn_mhd_socket(aacorn_mhd_connection *connection);

/* Enables keepalive, so that the system detects a client that vanishes silently. */
void aacorn_mhd_probe_silence(int socket);

/* Stores the number of bytes that a client has sent; returns 0 if the system does not report it. */
int aacorn_mhd_received_count(int socket, uint64_t *count);

/* Shuts a socket down in both directions; the server then notices, and closes it. */
void aacorn_mhd_cut(int socket);

/* A duplicate of a socket, which stays open when the server closes its own; or -1. */
int aacorn_mhd_duplicate(int socket);

/* Discards the received bytes; returns 1 at the end of the input. */
int aacorn_mhd_drain(int socket);

/* The pointer that `connected` has stored for a connection. */
void *aacorn_mhd_place(aacorn_mhd_connection *connection);

/* The client's numeric address as text; "unix" for a socket file, "" if unknown. */
void aacorn_mhd_client(aacorn_mhd_connection *connection, char *text, size_t size);

/*
 * Returns a number that groups clients which are probably the same: clients on this machine (0),
 * with the same address, or in one IPv6 network, where a client can choose many addresses.
 */
uint64_t aacorn_mhd_neighborhood(aacorn_mhd_connection *connection);

/* Calls `pair` for each header, with the bytes as received. */
void aacorn_mhd_headers(
    aacorn_mhd_connection *connection, aacorn_mhd_pair pair, void *context);

/*
 * Returns whether the reported parts cover all bytes of a request's head. Pass the method, the
 * target and the version of the `access` call, and the result of `aacorn_mhd_hide_query` as the
 * size. Folded lines, zeros, and other input that the library parses differently from other
 * programs leave bytes uncovered or a name out of order.
 */
int aacorn_mhd_is_plain(
    aacorn_mhd_connection *connection, const char *method, const char *target, size_t target_size,
    const char *version);

/*
 * Empties the query of the target of the `begun` call before the library parses it: the library
 * would allocate so much of a connection's memory for each item that none remains for a response.
 * Returns the length of the original target in bytes.
 */
size_t aacorn_mhd_hide_query(const char *target);

/* A body that `reader` delivers; `end` is always called, immediately if this fails. */
aacorn_mhd_response *aacorn_mhd_body(
    uint64_t size, size_t block_size, aacorn_mhd_reader reader, void *context,
    aacorn_mhd_reader_end end);

/* Adds a header; rejects characters that could end its line. */
int aacorn_mhd_add_header(aacorn_mhd_response *response, const char *name, const char *value);

/* Sends a response and releases it. */
unsigned aacorn_mhd_answer(
    aacorn_mhd_connection *connection, unsigned status, aacorn_mhd_response *response);

#endif

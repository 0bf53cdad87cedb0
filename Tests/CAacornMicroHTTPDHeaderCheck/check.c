/*
 * Compares what CAacornMicroHTTPD declares with libmicrohttpd's own header file. It need only compile:
 *
 *   cc -fsyntax-only -Werror -I Sources/CAacornMicroHTTPD/include Tests/CAacornMicroHTTPDHeaderCheck/check.c
 */
#include <microhttpd.h>

#include "CAacornMicroHTTPD.h"

#define SAME_FUNCTION(result, name, parameters)                                               \
  _Static_assert(                                                                             \
      __builtin_types_compatible_p(                                                           \
          __typeof__(&MHD_##name), __typeof__(((aacorn_mhd_functions *)0)->name)),            \
      "MHD_" #name " has another type");
AACORN_MHD_FUNCTIONS(SAME_FUNCTION)

#define SAME_TYPE(ours, theirs) \
  _Static_assert(__builtin_types_compatible_p(ours, theirs), #theirs " is another type")
SAME_TYPE(aacorn_mhd_access, MHD_AccessHandlerCallback);
SAME_TYPE(aacorn_mhd_connected, MHD_NotifyConnectionCallback);
SAME_TYPE(aacorn_mhd_completed, MHD_RequestCompletedCallback);
SAME_TYPE(aacorn_mhd_reader, MHD_ContentReaderCallback);
SAME_TYPE(aacorn_mhd_reader_end, MHD_ContentReaderFreeCallback);
SAME_TYPE(aacorn_mhd_pair, MHD_KeyValueIteratorN);
/* The socket among the options and in the information of a connection. */
SAME_TYPE(int, MHD_socket);

#define SAME(ours, theirs) _Static_assert((ours) == (theirs), #theirs " has another value")
SAME(AACORN_MHD_NO, (int)MHD_NO);
SAME(AACORN_MHD_YES, (int)MHD_YES);
SAME(AACORN_MHD_USE_INTERNAL_POLLING_THREAD, (int)MHD_USE_INTERNAL_POLLING_THREAD);
SAME(AACORN_MHD_ALLOW_SUSPEND_RESUME, (int)MHD_ALLOW_SUSPEND_RESUME);
SAME(AACORN_MHD_USE_AUTO, (int)MHD_USE_AUTO);
SAME(AACORN_MHD_OPTION_END, (int)MHD_OPTION_END);
SAME(AACORN_MHD_OPTION_CONNECTION_MEMORY_LIMIT, (int)MHD_OPTION_CONNECTION_MEMORY_LIMIT);
SAME(AACORN_MHD_OPTION_CONNECTION_LIMIT, (int)MHD_OPTION_CONNECTION_LIMIT);
SAME(AACORN_MHD_OPTION_CONNECTION_TIMEOUT, (int)MHD_OPTION_CONNECTION_TIMEOUT);
SAME(AACORN_MHD_OPTION_NOTIFY_COMPLETED, (int)MHD_OPTION_NOTIFY_COMPLETED);
SAME(AACORN_MHD_OPTION_URI_LOG_CALLBACK, (int)MHD_OPTION_URI_LOG_CALLBACK);
SAME(AACORN_MHD_OPTION_LISTEN_SOCKET, (int)MHD_OPTION_LISTEN_SOCKET);
SAME(AACORN_MHD_OPTION_ARRAY, (int)MHD_OPTION_ARRAY);
SAME(AACORN_MHD_OPTION_NOTIFY_CONNECTION, (int)MHD_OPTION_NOTIFY_CONNECTION);
SAME(AACORN_MHD_OPTION_STRICT_FOR_CLIENT, (int)MHD_OPTION_STRICT_FOR_CLIENT);
SAME(AACORN_MHD_HEADER_KIND, (int)MHD_HEADER_KIND);
SAME(AACORN_MHD_INFO_CLIENT_ADDRESS, (int)MHD_CONNECTION_INFO_CLIENT_ADDRESS);
SAME(AACORN_MHD_INFO_CONNECTION_FD, (int)MHD_CONNECTION_INFO_CONNECTION_FD);
SAME(AACORN_MHD_INFO_SOCKET_CONTEXT, (int)MHD_CONNECTION_INFO_SOCKET_CONTEXT);
SAME(AACORN_MHD_INFO_REQUEST_HEADER_SIZE, (int)MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
SAME(AACORN_MHD_CONNECTION_STARTED, (int)MHD_CONNECTION_NOTIFY_STARTED);
SAME(AACORN_MHD_CONNECTION_CLOSED, (int)MHD_CONNECTION_NOTIFY_CLOSED);
SAME(AACORN_MHD_SIZE_UNKNOWN, MHD_SIZE_UNKNOWN);
SAME(AACORN_MHD_END_OF_STREAM, MHD_CONTENT_READER_END_OF_STREAM);
SAME(AACORN_MHD_END_WITH_ERROR, MHD_CONTENT_READER_END_WITH_ERROR);

SAME(sizeof(aacorn_mhd_option), sizeof(struct MHD_OptionItem));
SAME(offsetof(aacorn_mhd_option, option), offsetof(struct MHD_OptionItem, option));
SAME(offsetof(aacorn_mhd_option, value), offsetof(struct MHD_OptionItem, value));
SAME(offsetof(aacorn_mhd_option, pointer), offsetof(struct MHD_OptionItem, ptr_value));
SAME(offsetof(union MHD_ConnectionInfo, connect_fd), 0);
SAME(offsetof(union MHD_ConnectionInfo, client_addr), 0);
SAME(offsetof(union MHD_ConnectionInfo, socket_context), 0);
SAME(offsetof(union MHD_ConnectionInfo, header_size), 0);

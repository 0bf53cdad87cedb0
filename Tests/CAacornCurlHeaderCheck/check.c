/*
 * Compares what CAacornCurl declares with libcurl's own header files. It need only compile:
 *
 *   cc -fsyntax-only -Werror -I Sources/CAacornCurl/include Tests/CAacornCurlHeaderCheck/check.c
 */
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

#include "../HeaderCheck.h"
#include "CAacornCurl.h"

#define SAME_FUNCTION(result, name, parameters) \
  SAME_TYPE(__typeof__(((aacorn_curl_functions *)0)->name), __typeof__(&curl_##name));
AACORN_CURL_FUNCTIONS(SAME_FUNCTION)

SAME_VALUES(AACORN_CURL_, CURLOPT_,
    SSLVERSION, HTTPPROXYTUNNEL, SSL_VERIFYPEER, SSL_VERIFYHOST, NOSIGNAL, TCP_NODELAY,
    CONNECT_ONLY, CONNECTTIMEOUT_MS, TCP_KEEPALIVE, TCP_KEEPIDLE, TCP_KEEPINTVL, SSL_ENABLE_ALPN,
    SUPPRESS_CONNECT_HEADERS, URL, PROXY, ERRORBUFFER, CAINFO, CAPATH, ABSTRACT_UNIX_SOCKET,
    WRITEFUNCTION);
#if LIBCURL_VERSION_NUM >= 0x075700
SAME_VALUE(AACORN_CURL_QUICK_EXIT, CURLOPT_QUICK_EXIT);
#endif
SAME_VALUES(AACORN_CURL_, CURLINFO_, HTTP_CONNECTCODE, ACTIVESOCKET);
SAME_VALUES(AACORN_CURL_, CURLE_,
    OK, UNSUPPORTED_PROTOCOL, COULDNT_RESOLVE_PROXY, COULDNT_RESOLVE_HOST, COULDNT_CONNECT,
    OUT_OF_MEMORY, OPERATION_TIMEDOUT, SSL_CONNECT_ERROR, PEER_FAILED_VERIFICATION,
    SSL_CACERT_BADFILE, AGAIN);
SAME_VALUES(AACORN_CURL_, CURL_, GLOBAL_ALL, WAIT_POLLIN, ERROR_SIZE);
SAME_VALUE(AACORN_CURL_PROXY_HANDSHAKE, CURLE_PROXY);
SAME_VALUE(AACORN_CURL_MESSAGE_DONE, CURLMSG_DONE);
SAME_VALUE(AACORN_CURL_SSLVERSION_TLSV1_2, CURL_SSLVERSION_TLSv1_2);

SAME_VALUE(sizeof(curl_socket_t), sizeof(int));
SAME_VALUE(sizeof(aacorn_curl_wait_entry), sizeof(struct curl_waitfd));
SAME_PLACE(aacorn_curl_wait_entry, struct curl_waitfd, events, events);
SAME_PLACE(aacorn_curl_wait_entry, struct curl_waitfd, ready_events, revents);
SAME_VALUE(sizeof(aacorn_curl_message), sizeof(CURLMsg));
SAME_PLACE(aacorn_curl_message, CURLMsg, easy, easy_handle);
SAME_PLACE(aacorn_curl_message, CURLMsg, data.result, data.result);

#ifndef AACORN_CCURL_H
#define AACORN_CCURL_H
#endif

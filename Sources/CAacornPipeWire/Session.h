#ifndef AACORN_CPIPEWIRE_SESSION_H
#define AACORN_CPIPEWIRE_SESSION_H

#include "CAacornPipeWire.h"

struct aacorn_pw_session {
  const struct aacorn_pw_library *library;
  aacorn_pw_session_events events;
  void *user;
  void *thread_loop;
  void *context;
  /// The connection; NULL if there is none.
  void *core;
  void *registry;
  struct aacorn_spa_hook core_hook;
  struct aacorn_spa_hook registry_hook;
  /// The objects that need more details than the registry reports.
  struct aacorn_pw_bound *bound;
  int sequence;
  int rounds_left;
};

/// Removes a listener if it is in a list.
static inline void aacorn_pw_unhook(struct aacorn_spa_hook *hook) {
  if (hook->link.prev != NULL) {
    hook->link.prev->next = hook->link.next;
    hook->link.next->prev = hook->link.prev;
  }
  if (hook->removed != NULL) hook->removed(hook);
  *hook = (struct aacorn_spa_hook){0};
}

#endif

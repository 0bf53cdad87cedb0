// Two threads use the ring, the anchor and a counter of the product, compiled for this processor. Exits with 1 and a
// message if a number is lost, torn or out of order.
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

void *make_shared(void);
bool write_numbers(void *shared, int64_t first, int64_t count);
int64_t read_numbers(void *shared, int64_t first, int64_t count);
void store_anchor(void *shared, int64_t number);
int64_t load_anchor(void *shared);
int64_t add_one(void *shared);

enum { TOTAL = 2000000 };

static void *write_all(void *shared) {
  for (int64_t next = 0, size = 1; next < TOTAL; size = size % 23 + 1) {
    int64_t count = size < TOTAL - next ? size : TOTAL - next;
    while (!write_numbers(shared, next, count)) sched_yield();
    next += count;
    store_anchor(shared, next);
    add_one(shared);
  }
  return 0;
}

int main(void) {
  void *shared = make_shared();
  pthread_t writer;
  if (pthread_create(&writer, 0, write_all, shared)) return 2;
  int64_t wrong = 0, torn = 0, last = 0, turns = 0;
  for (int64_t next = 0, size = 1; next < TOTAL; size = size % 17 + 1) {
    int64_t count = size < TOTAL - next ? size : TOTAL - next, result;
    while ((result = read_numbers(shared, next, count)) < 0) sched_yield();
    wrong += result;
    next += count;
    int64_t number = load_anchor(shared);
    torn += number < last;
    last = number;
    turns++;
    add_one(shared);
  }
  pthread_join(writer, 0);
  int64_t writes = 0;
  for (int64_t next = 0, size = 1; next < TOTAL; size = size % 23 + 1) {
    next += size < TOTAL - next ? size : TOTAL - next;
    writes++;
  }
  int64_t lost = writes + turns + 1 - add_one(shared);
  if (load_anchor(shared) != TOTAL) torn++;
  if (wrong || torn || lost) {
    printf("%lld wrong numbers, %lld torn anchors, %lld lost additions\n", (long long)wrong, (long long)torn,
           (long long)lost);
    return 1;
  }
  return 0;
}

// What Debian 12's archives want of a glibc newer than 2.28. third_party.sh compiles it, link.sh puts it into what is linked for
// manylinux_2_28. All of it is hidden: other modules of a process see the C library's own.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

// glibc 2.32 sets it while there is one thread, and libstdc++ then counts references without atomic instructions.
char __libc_single_threaded = 0;

// The time of day at which a clock will say `until`, if nobody sets the time of day before.
static struct timespec time_of_day(clockid_t clock, const struct timespec* until) {
  struct timespec now, real;
  clock_gettime(clock, &now);
  clock_gettime(CLOCK_REALTIME, &real);
  real.tv_sec += until->tv_sec - now.tv_sec;
  real.tv_nsec += until->tv_nsec - now.tv_nsec;
  if (real.tv_nsec < 0) {
    real.tv_nsec += 1000000000;
    --real.tv_sec;
  } else if (real.tv_nsec >= 1000000000) {
    real.tv_nsec -= 1000000000;
    ++real.tv_sec;
  }
  return real;
}

// Of glibc 2.30. As libstdc++ waits without them: by the time of day.
int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock, const struct timespec* until) {
  const struct timespec real = time_of_day(clock, until);
  return pthread_cond_timedwait(condition, mutex, &real);
}

int pthread_rwlock_clockrdlock(pthread_rwlock_t* lock, clockid_t clock, const struct timespec* until) {
  const struct timespec real = time_of_day(clock, until);
  return pthread_rwlock_timedrdlock(lock, &real);
}

// Debian's archives are compiled for programs, which may address variables of the C library directly. In a shared object they address
// these, by names that third_party.sh gives them.
FILE* gannet_stdin;
FILE* gannet_stdout;
FILE* gannet_stderr;
char** gannet_environ;
char* gannet_tzname[2];
long gannet___timezone;

__attribute__((constructor(101))) static void copy_variables(void) {
  gannet_stdin = stdin;
  gannet_stdout = stdout;
  gannet_stderr = stderr;
  gannet_environ = environ;
  tzset();
  gannet_tzname[0] = tzname[0];
  gannet_tzname[1] = tzname[1];
  gannet___timezone = timezone;
}

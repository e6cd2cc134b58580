// What Debian 12's archives want of a glibc newer than 2.28. third_party.sh compiles it, link.sh puts it into what is linked for
// manylinux_2_28. All of it is hidden: other modules of a process see the C library's own.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

// glibc 2.32 sets it while there is one thread, and libstdc++ then counts references without atomic instructions.
char __libc_single_threaded = 0;

// Of glibc 2.30. As libstdc++ does it without: the wait is by the real time, and its caller looks at the clock again.
int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock, const struct timespec* until) {
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
  return pthread_cond_timedwait(condition, mutex, &real);
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

/* A wall clock that a test sets, also while a process runs: LD_PRELOAD this, and name in THROUGHLINE_TEST_CLOCK a file with
 * three numbers: a moment of the real clock, the moment shown then (both in nanoseconds since 1970), and how many times
 * as fast the shown one goes. Clocks that only measure (CLOCK_MONOTONIC) are left alone, as on a machine whose time is set. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define SECOND 1000000000LL

static long long shown(long long real) {
    long long from, at, speed;
    char text[100];
    const char *name = getenv("THROUGHLINE_TEST_CLOCK");
    int file = name ? open(name, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0) return real;
    ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    if (length <= 0) return real;
    text[length] = 0;
    if (sscanf(text, "%lld %lld %lld", &from, &at, &speed) != 3) return real;
    return at + (real - from) * speed;
}

static struct timespec now(void) {
    struct timespec real;
    syscall(SYS_clock_gettime, CLOCK_REALTIME, &real);
    long long at = shown(real.tv_sec * SECOND + real.tv_nsec);
    return (struct timespec){at / SECOND, at % SECOND};
}

int clock_gettime(clockid_t clock, struct timespec *answer) {
    if (clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE) return syscall(SYS_clock_gettime, clock, answer);
    *answer = now();
    return 0;
}

int gettimeofday(struct timeval *restrict answer, void *restrict zone) {
    struct timespec at = now();
    (void)zone;
    *answer = (struct timeval){at.tv_sec, at.tv_nsec / 1000};
    return 0;
}

time_t time(time_t *answer) {
    time_t at = now().tv_sec;
    if (answer) *answer = at;
    return at;
}

//! What a process that stays frees goes back to the system. The allocator would keep it, in a part for each thread: a server
//! that works in bursts would hold what its largest burst took.

/// More parts than threads that work at once only hold memory apart.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const PARTS: libc::c_int = 2;
/// Larger pieces are taken from the system one by one, and given back.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const LARGE: libc::c_int = 256 * 1024;

/// To be called before there are threads.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[expect(
    unsafe_code,
    reason = "the allocator of the system is told by a call of its own, which touches no memory of ours"
)]
pub(crate) fn give_back() {
    for (what, value) in
        [(libc::M_ARENA_MAX, PARTS), (libc::M_MMAP_THRESHOLD, LARGE), (libc::M_TRIM_THRESHOLD, LARGE)]
    {
        // SAFETY: `mallopt` takes two numbers; one that it does not know is refused and changes nothing.
        let taken = unsafe { libc::mallopt(what, value) };
        if taken == 0 {
            tracing::debug!(what, value, "the allocator does not take this setting");
        }
    }
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(crate) fn give_back() {}

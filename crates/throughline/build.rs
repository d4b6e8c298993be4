//! How the program is linked, and what is built into it.

#[path = "build/dashboard.rs"]
mod dashboard;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=build");
    link();
    dashboard::build();
}

fn link() {
    let of_target = |name: &str| std::env::var(format!("CARGO_CFG_TARGET_{name}")).unwrap_or_default();
    if of_target("OS") == "linux" && of_target("ENV") == "gnu" {
        // At a fixed address nothing has to be relocated when it starts, which every hook would pay for.
        println!("cargo:rustc-link-arg-bins=-no-pie");
    }
}

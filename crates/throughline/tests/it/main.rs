//! The real binary, seen from outside: what it prints, how it exits, what it leaves on the disk.

#![expect(clippy::unwrap_used, reason = "what a test cannot go on without, it may insist on")]

mod bench;
mod carry;
mod cli;
mod code;
mod config;
mod damage;
mod demo;
mod docs;
mod doctor;
mod embedding;
mod eval;
mod export_import;
mod fixture;
mod fuzz;
mod hold;
mod hook;
mod import;
mod install;
mod isolation;
mod jobs;
mod knowledge;
mod log;
mod mcp;
mod memory;
mod memory_files;
mod memory_help;
mod memory_processes;
mod memory_show;
mod model;
mod one_memory;
mod orient;
mod pgvector;
mod pipeline_kills;
mod processes;
mod project;
mod queries;
mod redaction;
mod search;
mod serve;
mod session;
mod task;
mod tidy;
mod wrong_input;

#!/usr/bin/env node
// Starts the program of this platform's package. Nothing is downloaded: npm has chosen it by `os` and `cpu`.
'use strict';

const { spawn } = require('node:child_process');

const platform = `${process.platform}-${process.arch}`;
const name = process.platform === 'win32' ? 'throughline.exe' : 'throughline';

let program;
try {
  program = require.resolve(`@throughline/cli-${platform}/bin/${name}`);
} catch {
  console.error(
    `throughline: the package @throughline/cli-${platform} is not installed.\n` +
      'Either there is no build for this platform, or optional dependencies were left out (--omit=optional, or a lock file from\n' +
      'another platform). Install again without that, or build from source: cargo install --git, see the README.',
  );
  process.exit(1);
}

const child = spawn(program, process.argv.slice(2), { stdio: 'inherit', windowsHide: true });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  // The terminal sends it to the child as well; here it only must not end us first.
  process.on(signal, () => signal !== 'SIGINT' && child.kill(signal));
}
child.on('error', (error) => {
  console.error(`throughline: ${program} does not start: ${error.message}`);
  process.exit(1);
});
child.on('exit', (code, signal) => (signal ? process.kill(process.pid, signal) : process.exit(code ?? 1)));

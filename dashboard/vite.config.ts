// How the dashboard is built: hashed files, nothing inlined, so that the page needs no exception in its security policy.
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const server = process.env['THROUGHLINE_SERVER'] ?? 'http://127.0.0.1:7420';

export default defineConfig({
  plugins: [react()],
  build: {
    assetsInlineLimit: 0,
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    license: { fileName: 'licenses.md' },
  },
  server: { proxy: { '/api': { target: server, ws: true } } },
});

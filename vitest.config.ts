import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.{ts,tsx}', 'bench/**/*.test.ts'],
    environment: 'node',
    testTimeout: 20_000,
    hookTimeout: 20_000,
    // One core less would be left idle while sockets and terminals are waited for.
    maxWorkers: '100%',
    // Files of one worker share what they import: to load it anew for each took a third of all the time. No test may leave
    // anything behind.
    isolate: false,
    env: { CI: '', NO_COLOR: '', FORCE_COLOR: '0' },
    reporters: ['default', './src/testing/closing-line.ts'],
  },
})

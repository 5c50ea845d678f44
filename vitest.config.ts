import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts', 'src/**/*.test.{ts,tsx}', 'bench/**/*.test.ts'],
    environment: 'node',
    globalSetup: ['test/support/build-once.ts'],
    setupFiles: ['test/support/fixed-property-seed.ts'],
    testTimeout: 20_000,
    hookTimeout: 20_000,
    // One core less would be left idle while sockets and terminals are waited for; one more gains nothing.
    maxWorkers: availableParallelism(),
    // Files of one worker share what they import: to load it anew for each took a third of all the time. No test may leave
    // anything behind.
    isolate: false,
    // Most of what a test makes is gone at its end: with room for it, nobody has to carry it along.
    execArgv: ['--max-semi-space-size=64'],
    env: { CI: '', NO_COLOR: '', FORCE_COLOR: '0' },
    reporters: ['default', './test/support/closing-line.ts'],
  },
})

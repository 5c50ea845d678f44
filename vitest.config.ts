import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { LongFilesFirst } from './test/support/long-files-first.ts'
import { pollTimeoutMs } from './test/support/poll-timeout.ts'

export default defineConfig({
  test: {
    include: [
      'test/**/*.test.ts',
      'src/**/*.test.{ts,tsx}',
      'bench/**/*.test.ts',
      'bin/**/*.test.ts',
    ],
    exclude: ['test/nightly/**', 'test/tools/**', '**/node_modules/**'],
    environment: 'node',
    globalSetup: ['test/support/tested-build.ts'],
    setupFiles: ['test/support/fixed-property-seed.ts', 'test/support/poll-timeout-of-vi.ts'],
    // Only what hangs takes so long: a machine that is busy with something else may be five times as slow.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // What is observed comes at once, but on a busy machine.
    expect: { poll: { interval: 20, timeout: pollTimeoutMs } },
    // One more than cores: tests wait for sockets, terminals and processes a quarter of the time.
    maxWorkers: availableParallelism() + 1,
    tags: [
      {
        name: 'slow',
        description:
          'takes seconds: real time, many processes, long days. npm run test:all runs it',
      },
      {
        name: 'nightly',
        description:
          'takes many seconds and hardly breaks alone: the file says why. npm run nightly runs it',
      },
    ],
    sequence: { sequencer: LongFilesFirst },
    // Test files of one worker share their modules: loading them per file took a third of the time. No test may leave
    // state behind.
    isolate: false,
    // Most objects of a test are garbage at its end: a large young generation saves copying them.
    execArgv: [
      '--max-semi-space-size=64',
      `--import=${new URL('test/support/load-tsx.ts', import.meta.url).href}`,
    ],
    // Node itself loads the sources and removes their types, which is faster and needs no source maps. No test mocks a
    // module.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    env: {
      // As the built command has it: React's development build takes twice as long for a frame.
      NODE_ENV: 'production',
      CI: '',
      NO_COLOR: '',
      FORCE_COLOR: '0',
      // Sessions of tests are not listed beside those of the person who runs them.
      XDG_STATE_HOME: join(tmpdir(), `sparring-state-${process.pid}`),
    },
    reporters: ['default', './test/support/closing-line.ts'],
  },
})

/** The tests of `npm run nightly`: `test/nightly/`, and those of pages in Chromium, which are skipped without their tool. */
import { defineConfig, mergeConfig } from 'vitest/config'
import usual from './vitest.config.ts'

export default mergeConfig(
  { ...usual, test: { ...usual.test, include: [], exclude: [] } },
  defineConfig({
    test: {
      include: [
        'test/nightly/**/*.test.ts',
        'src/terminal/page/session/report-page.test.ts',
        'src/terminal/cli/run/reporters/html.test.ts',
        'src/certify/report/html.test.ts',
      ],
      exclude: ['**/node_modules/**'],
      // Compilers and package managers as processes, side by side.
      testTimeout: 300_000,
      hookTimeout: 300_000,
    },
  }),
)

/** The tests as `npm run mutation` runs them in a scratch copy, with one worker. */
import { defineConfig } from 'vitest/config'
import usual from './vitest.config.ts'

export default defineConfig({
  // The copy shares its packages with the checkout, not its caches.
  cacheDir: '.cache',
  test: {
    ...usual.test,
    maxWorkers: 1,
    // What hangs is not waited for as long as in a run that must never fail by chance.
    testTimeout: 20_000,
    // Unlike Node, Vite keeps what it has transformed for the next run.
    experimental: {},
    fsModuleCache: true,
    fsModuleCachePath: '.cache/modules',
  },
})

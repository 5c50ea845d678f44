/** What takes too long for every run: a long day among four, more storms, every row of the bench. `npm run soak`. */
import { defineConfig, mergeConfig } from 'vitest/config'
import usual from './vitest.config.ts'

export default mergeConfig(
  { ...usual, test: { ...usual.test, include: [] } },
  defineConfig({
    test: {
      include: ['src/session-four.test.ts', 'src/invariants/dense.test.ts', 'bench/bench.test.ts'],
      env: { SPARRING_SOAK: '1' },
    },
  }),
)

/**
 * What takes too long for every run: a long day among four, more storms, every row of the bench; and all properties once
 * more, on values that nobody has seen yet. `npm run soak`.
 */
import { globSync, readFileSync } from 'node:fs'
import { defineConfig, mergeConfig } from 'vitest/config'
import usual from './vitest.config.ts'

const properties = globSync('{src,test}/**/*.test.ts').filter((file) =>
  readFileSync(file, 'utf8').includes("from 'fast-check'"),
)

export default mergeConfig(
  { ...usual, test: { ...usual.test, include: [] } },
  defineConfig({
    test: {
      include: [
        'src/session/four-counterparts.test.ts',
        'src/invariants/fuzz.test.ts',
        'bench/bench.test.ts',
        ...properties,
      ],
      env: { SPARRING_SOAK: '1' },
    },
  }),
)

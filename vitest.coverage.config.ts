/** All tests of a change, with what each executes of the product: for `npm run mutation -- --coverage`. */
import { defineConfig } from 'vitest/config'
import usual from './vitest.config.ts'

export default defineConfig({
  test: {
    ...usual.test,
    exclude: [...(usual.test?.exclude ?? []), 'bench/**', 'test/mutation/**'],
    setupFiles: ['test/mutation/record-coverage.ts', usual.test?.setupFiles ?? []].flat(),
    // Counting slows down what is run most often.
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
})

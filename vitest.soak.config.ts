/**
 * The tests that take too long for every run: a long day with four counterparts, recordings in real time, longer
 * fuzzing, large bodies through the proxy, every row of the bench, and all property tests with fresh random seeds.
 * `npm run soak`.
 */
import { globSync, readFileSync } from 'node:fs'
import { defineConfig, mergeConfig } from 'vitest/config'
import usual from './vitest.config.ts'

const propertyTests = globSync('{src,test}/**/*.test.ts').filter((file) =>
  readFileSync(file, 'utf8').includes("from 'fast-check'"),
)

export default mergeConfig(
  { ...usual, test: { ...usual.test, include: [] } },
  defineConfig({
    test: {
      include: [
        'src/session/four-counterparts.test.ts',
        'src/session/recording-clocks.test.ts',
        'src/invariants/fuzz.test.ts',
        'src/demo/fuzz.test.ts',
        'src/edge/proxy/transparency.test.ts',
        'src/cli/run/starved.soak.test.ts',
        'src/exploration/campaign/campaign.soak.test.ts',
        'src/session/replay/minimise-storm.soak.test.ts',
        'src/cli/minimise/minimise-start.soak.test.ts',
        'test/foreign/minimise.soak.test.ts',
        'bench/bench.test.ts',
        'test/foreign/noise.test.ts',
        'test/examples.test.ts',
        'test/kubernetes/indices.test.ts',
        'test/scenarios-correct-variants.test.ts',
        'test/scenarios-rules.test.ts',
        'test/scenarios-defects.test.ts',
        'test/golden/journals.test.ts',
        'src/scenario/from-recording/scenario-script.test.ts',
        'src/session/session.test.ts',
        'src/edge/customer-mixed.test.ts',
        'src/edge/indoor-mixed.test.ts',
        'src/edge/loyalty-mixed.test.ts',
        'src/edge/ordering-mixed.test.ts',
        'src/edge/openapi-run.test.ts',
        'src/counterparts/delivery-platform.test.ts',
        'src/traffic/difference/side-by-side/compare-recordings.test.ts',
        'src/invariants/judge/batching.test.ts',
        'src/cli/redaction-proof.test.ts',
        'src/session/replay/minimise.test.ts',
        ...propertyTests,
      ],
      env: { SPARRING_SOAK: '1' },
    },
  }),
)

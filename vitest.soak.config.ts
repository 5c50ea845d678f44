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
        'src/core/session/four-counterparts.test.ts',
        'src/core/session/recording-clocks.test.ts',
        'src/core/session/contract.test.ts',
        'src/core/session/opendelivery-v2-evening.test.ts',
        'src/core/rules/invariants/fuzz.test.ts',
        'src/core/rules/invariants/v1.test.ts',
        'src/demo/fuzz.test.ts',
        'src/replay/proxy/transparency.test.ts',
        'src/terminal/service/starved.soak.test.ts',
        'src/sparring/mcp/paths.test.ts',
        'src/core/runtime/both-faces.test.ts',
        'src/explore/campaign/campaign.soak.test.ts',
        'src/explore/campaign/campaign.test.ts',
        'src/explore/campaign/role-campaigns.test.ts',
        'src/explore/batch/crash.test.ts',
        'src/explore/cli/merge.test.ts',
        'src/explore/session/session-threads.test.ts',
        'src/replay/playback/replay/minimise-storm.soak.test.ts',
        'src/replay/cli/minimise/minimise-start.soak.test.ts',
        'test/foreign/minimise.soak.test.ts',
        'bench/bench.test.ts',
        'test/foreign/noise.test.ts',
        'test/examples.test.ts',
        'test/scenarios.test.ts',
        'test/scenarios-correct-variants.test.ts',
        'test/scenarios-rules.test.ts',
        'test/scenarios-defects.test.ts',
        'test/golden/journals.test.ts',
        'src/replay/from-recording/scenario-script.test.ts',
        'src/core/session/session.test.ts',
        'src/core/runtime/customer-mixed.test.ts',
        'src/core/runtime/indoor-mixed.test.ts',
        'src/core/runtime/loyalty-mixed.test.ts',
        'src/core/runtime/ordering-mixed.test.ts',
        'src/core/runtime/openapi/traffic.test.ts',
        'src/core/partners/counterparts/delivery-platform.test.ts',
        'src/replay/difference/compare-recordings.test.ts',
        'src/core/rules/invariants/judge/batching.test.ts',
        'src/terminal/cli/kill.test.ts',
        'src/terminal/cli/redaction-proof.test.ts',
        'src/replay/playback/replay/minimise.test.ts',
        ...propertyTests,
      ],
      env: { SPARRING_SOAK: '1' },
    },
  }),
)

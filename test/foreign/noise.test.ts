// @module-tag nightly
/**
 * Foreign services have tickets, receipts, ids and clocks of their own: replayed against itself, none of them differs,
 * without a rule. In a soak at the recorded speed and with 400 ms of jitter.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import {
  compareFailures,
  countFailures,
} from '../../src/core/traffic/recording/failure-comparison.ts'
import type { ReplayReport } from '../../src/core/traffic/recording/replay-report.ts'
import { deviationsOf, replayForeign } from '../support/foreign-replay.ts'
import { foreignStories, storyName } from '../support/foreign-stories.ts'
import { isSoak } from '../support/soak.ts'

const folder = mkdtempSync(join(tmpdir(), 'sparring-noise-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const stories = foreignStories.map((story) => ({ name: storyName(story), story }))

/** The first and the last ticket in the answers of the service. */
function tickets({ exchanges }: ReplayReport): readonly number[] {
  const numbers = exchanges.flatMap(({ live }) =>
    [...(live?.reply?.body ?? '').matchAll(/"T-(\d+)"/g)].map(([, number]) => Number(number)),
  )
  return [Math.min(...numbers), Math.max(...numbers)]
}

const slowest = 120_000
const slowestInSoak = 900_000

describe.skipIf(isSoak)('as fast as it goes', () => {
  test.each(stories.filter(({ story }) => story.service !== 'fastify' && !story.isPaced))(
    '$name differs in nothing, and again in nothing when it kept its state',
    { timeout: slowest },
    async ({ name, story }) => {
      const state = join(mkdtempSync(join(folder, name)), 'state.json')
      const first = await replayForeign(story, { state, seed: 1 })
      expect(deviationsOf(first)).toEqual([])
      const second = await replayForeign(story, { state, seed: 2 })
      expect(deviationsOf(second)).toEqual([])
      const [[, last = 0], [next = 0]] = [tickets(first), tickets(second)]
      // The tickets of the second replay count on.
      expect(next).toBe(last + 1)
      const { again, ...others } = countFailures(compareFailures(first))
      expect(again).toBeDefined()
      expect(others).toEqual({})
    },
  )
})

describe.runIf(isSoak)('at its own speed', () => {
  test.each(stories)(
    '$name differs in nothing, with 400 ms of jitter, and when it kept its state',
    { timeout: slowestInSoak },
    async ({ name, story }) => {
      const state = join(mkdtempSync(join(folder, name)), 'state.json')
      for (const seed of [1, 2]) {
        const report = await replayForeign(story, {
          state,
          seed,
          jitterMs: 400,
          pace: { mode: 'original' },
        })
        expect(deviationsOf(report)).toEqual([])
        expect(report.exchanges.length).toBeGreaterThan(150)
      }
    },
  )
})

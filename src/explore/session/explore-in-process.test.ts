// @module-tag slow
/** What `explore` refuses, and the channel that it takes. */
import { expect, test } from 'vitest'
import { writtenWorkloads } from '../../../test/support/written-workloads.ts'
import { explore } from './explore.ts'
import type { ExploreOptions } from './explore-options.ts'

const as = 'software-service'
/** A service that never acts. */
const subject = () => Promise.resolve(new Response())

test.each<readonly [string, Partial<ExploreOptions>, string]>([
  ['no subject', { subject: undefined as never }, 'subject is neither a function nor a URL. Give'],
  ['no number of runs', { maxRuns: Number.NaN }, 'maxRuns is NaN. Give it as a whole number'],
  ['a negative number of runs', { maxRuns: -1 }, 'maxRuns is -1. Give it as a whole number'],
  ['no runs', { maxRuns: 0 }, 'maxRuns is 0. Give it as a whole number'],
])('%s: a problem says what to give', async (_what, wrong, sentence) => {
  await expect(explore({ as, subject, ...wrong })).rejects.toThrow(
    `exploring your service: ${sentence}`,
  )
})

const counterparts = { 'ordering-application': { channel: 'webhook' } } as const
const workloads = writtenWorkloads(as, ['takeout'])
const small = { as, subject, workloads, maxRuns: 1 } as const

test('events are handed over by the channel of the counterpart, where channel says nothing', async () => {
  const { state } = await explore({ ...small, counterparts })
  expect([...state.coverage.keys()]).toContain('event CREATED CREATED webhook')
})

test('channel stands before it, and is named where the service took part in nothing', async () => {
  await expect(explore({ ...small, counterparts, channel: 'polling' })).rejects.toThrow(
    'since your service took part in none; events were handed over by polling. See that',
  )
})

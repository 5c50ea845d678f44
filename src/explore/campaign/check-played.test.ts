/** A campaign that found nothing counts only where something was looked at. */
import { expect, test } from 'vitest'
import type { CampaignRecord } from './campaign-record.ts'
import { CampaignState } from './campaign-state.ts'
import { checkPlayed } from './check-played.ts'

const batch = (times: number): CampaignRecord => ({
  type: 'batch',
  schedules: 2,
  coverage: {},
  premises: { 'SE-1': times },
  advice: {},
  tookMs: 1000,
  pace: {},
})
const schedule = (index: number, more: { readonly cutShort?: true } = {}): CampaignRecord => ({
  type: 'schedule',
  index,
  strategy: 'dense',
  hash: `f00d${index}`,
  workload: 'delivery',
  faults: 1,
  exercised: [],
  signature: 's',
  broken: [],
  inconclusive: [],
  ...more,
})
const cutShort = (index: number) => schedule(index, { cutShort: true })

const check = (records: readonly CampaignRecord[], isPart = false) => {
  const state = new CampaignState()
  for (const record of records) state.apply(record)
  return () => checkPlayed(state, { workloads: 1, isPart, channel: 'polling' })
}

test.each([
  ['no fault was tried', [batch(1)], 'the time was over before any fault was tried'],
  [
    'no rule was exercised',
    [batch(0), schedule(0)],
    'in 2 runs no rule was exercised, since your service took part in none; events were handed over by polling.',
  ],
  [
    'every schedule was cut short',
    [batch(1), cutShort(0), cutShort(1)],
    'the time was over before any of 2 schedules ended: nothing was broken by then, and what must come in the end was judged in none of them.',
  ],
] as const)('a campaign in which %s is refused', (_what, records, sentence) => {
  expect(check(records)).toThrow(`exploring your service: ${sentence}`)
  expect(check(records)).toThrow(expect.objectContaining({ exit: 2 }))
  // The whole is judged when its parts are merged.
  expect(check(records, true)).not.toThrow()
})

test('one schedule that was played to its end is enough', () => {
  expect(check([batch(1), cutShort(0), schedule(1)])).not.toThrow()
})

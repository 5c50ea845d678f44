// @module-tag slow
/**
 * No clause is red without a mistake: Sparring itself as a right service under random faults, in each notation and form of
 * paths and events; a few schedules here, hundreds in a soak.
 */
import { expect, test } from 'vitest'
import { clauseIds } from '../src/core/protocol/clauses.ts'
import { exploreSparringAs } from './support/explore-role.ts'
import { isSoak, runsFor } from './support/soak.ts'

type Settings = Omit<Parameters<typeof exploreSparringAs>[1] & {}, 'only' | 'seed' | 'maxRuns'>

const variants: readonly (readonly ['crm' | 'delivery-platform', string, Settings])[] = [
  ['crm', 'the notation of flows', { conduct: { customer: { notation: 'flow' } } }],
  [
    'crm',
    'ids and events of its own form',
    {
      conduct: {
        customer: { eventTarget: 'binding', eventEnvelope: 'flat', ids: 'own', list: 'array' },
        loyalty: { eventBody: 'flat', redemptionBody: 'customer' },
      },
    },
  ],
  [
    'crm',
    'batches, and lists with names',
    { conduct: { customer: { eventTarget: 'flow', wrapper: 'batch', list: 'named' } } },
  ],
  ['crm', 'another dialect', { dialect: 'opendelivery-v2' }],
  [
    'delivery-platform',
    'plain events, named by their status',
    {
      conduct: {
        logistics: { eventNames: 'status', eventPayload: 'plain', receipts: 'empty' },
      },
    },
  ],
  [
    'delivery-platform',
    'paths with ids of deliveries',
    { conduct: { logistics: { lookupByDeliveryId: true, names: 'standard' } } },
  ],
  ['delivery-platform', 'another dialect', { dialect: 'opendelivery-v2' }],
]
/** `npm test` tries one of each role. */
const quickly = ['the notation of flows', 'plain events, named by their status']

test.each(variants.filter(([, about]) => isSoak || quickly.includes(about)))(
  'a right %s with %s breaks no clause',
  async (role, _, settings) => {
    const { buckets, state } = await exploreSparringAs(role, {
      ...settings,
      seed: 2000,
      maxRuns: runsFor(3, 100),
    })
    const red = buckets.filter(({ rule }) => clauseIds.has(rule))
    expect(red.map(({ rule, failure }) => `${rule}: ${failure.because}`)).toEqual([])
    expect(state.premises.get('CLAUSES') ?? 0).toBeGreaterThan(0)
  },
)

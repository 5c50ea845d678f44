/** What a replay of a part proves about a failure that is looked for. */
import { expect, test } from 'vitest'
import { sampleExchange } from '../../../test/support/sample-exchange.ts'
import type {
  FailureSignature,
  DriverName,
  ReplayReport,
} from '../../core/traffic/recording/replay-report.ts'
import { trialOutcome } from './replay-failure.ts'

/** A replay in which the service answers an event of another order otherwise than it did, and SE-7 breaks for o1. */
function wentAnotherWay(driver: DriverName): ReplayReport {
  const webhook = (status: number) =>
    sampleExchange(1, {
      operation: 'receiveOrderEvent',
      orderId: 'o2',
      reply: { status, headers: [] },
    })
  return {
    recording: 'storm.rec.ndjson',
    driver,
    seed: 1,
    exchanges: [
      {
        standing: 'changed',
        recorded: { ...webhook(204), recordId: 'r1' },
        live: webhook(422),
        differences: [],
      },
    ],
    counts: {},
    strategies: {},
    unused: [],
    conflicts: [],
    map: [],
    failedRules: [{ invariant: 'SE-7', because: 'confirmed unread', orderId: 'o1' }],
  }
}

const whole = { classes: new Map([['r1', 2]]), extras: new Set<string>() }
const failedRule: FailureSignature = { kind: 'invariant', name: 'SE-7', order: 'o1' }

test.each([
  ['partner', 'fail'],
  ['client', 'unresolved'],
] as const)(
  'as %s, an invariant that breaks while the service answers otherwise elsewhere: %s',
  (driver, outcome) => {
    const looked = { signature: failedRule, culprit: 'r1', whole }
    expect(trialOutcome(wentAnotherWay(driver), looked)).toBe(outcome)
  },
)

test('by decisions, an invariant that breaks for another order is another failure', () => {
  const looked = { signature: { ...failedRule, order: 'o2' }, culprit: 'r1', whole }
  expect(trialOutcome(wentAnotherWay('partner'), looked)).toBe('pass')
})

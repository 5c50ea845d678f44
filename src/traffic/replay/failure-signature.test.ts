/** The failure signature and the exit code of a replay. */
import { compact } from '../../compact.ts'
import { expect, test } from 'vitest'
import { sampleExchange } from '../../../test/support/sample-exchange.ts'
import type { Difference } from '../difference/difference.ts'
import { defaultRule } from '../difference/rule-book.ts'
import { replayExitCode } from './exit-code.ts'
import { failureSignature } from './failure-signature.ts'
import type { BrokenInvariant, ReplayedExchange } from './replay-report.ts'
import type { Standing } from '../recording/standing.ts'

const difference: Difference = {
  side: 'reply',
  where: '/body/items/12/quantity',
  kind: 'value',
  recorded: 1,
  live: 2,
  rule: defaultRule,
  accepted: false,
}
const noise: Difference = { ...difference, where: '/body/createdAt', accepted: true }

const replayed = (standing: Standing, more: Partial<ReplayedExchange> = {}): ReplayedExchange => ({
  standing,
  recorded: { ...sampleExchange(1), recordId: 'r1' },
  live: sampleExchange(9),
  differences: [],
  ...more,
})
const report = (
  exchanges: readonly ReplayedExchange[],
  broken: readonly BrokenInvariant[] = [],
  first?: number,
) => ({
  exchanges,
  broken,
  ...compact({ first }),
})
const broken: BrokenInvariant = {
  invariant: 'orders.no-call-after-cancelled',
  because: 'it called',
}

test('the signature of the first difference has operation, standing, place without list positions and status class', () => {
  const changed = replayed('changed', { differences: [noise, difference] })
  expect(failureSignature(report([replayed('same'), changed], [broken], 1))).toEqual({
    kind: 'difference',
    operation: 'getOrder',
    standing: 'changed',
    where: '/reply/body/items/*/quantity',
    statusClass: 2,
  })
})

test('without a difference it is the broken invariant, else a reply that fails and was recorded as successful', () => {
  const failing = replayed('noise', {
    live: sampleExchange(9, { reply: { status: 503, headers: [] } }),
  })
  expect(failureSignature(report([failing], [broken]))).toEqual({
    kind: 'invariant',
    name: broken.invariant,
  })
  expect(failureSignature(report([failing]))).toEqual({
    kind: 'answer',
    operation: 'getOrder',
    status: 503,
  })
  expect(failureSignature(report([replayed('same'), replayed('noise')]))).toBeUndefined()
})

test.each<readonly [readonly Standing[], number]>([
  [[], 0],
  [['same', 'noise'], 0],
  [['same', 'changed'], 1],
  [['missing', 'error'], 1],
  [['error', 'missing'], 3],
  [['auth'], 3],
  [['blocked', 'unresolved'], 4],
  [['unresolved', 'extra'], 1],
  [['late'], 1],
])('standings %j give exit code %i', (standings, exit) => {
  expect(replayExitCode(report(standings.map((each) => replayed(each))))).toBe(exit)
})

test('a broken invariant alone gives exit code 1', () => {
  expect(replayExitCode(report([replayed('same')], [broken]))).toBe(1)
})

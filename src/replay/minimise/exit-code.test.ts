/** The exit code of a replay. */
import { expect, test } from 'vitest'
import { sampleExchange } from '../../../test/support/sample-exchange.ts'
import type { Standing } from '../../core/traffic/recording/standing.ts'
import type { FailedRule, ReplayedExchange } from '../../core/traffic/recording/replay-report.ts'
import { replayExitCode } from './failure-signature.ts'

const replayed = (standing: Standing): ReplayedExchange => ({
  standing,
  recorded: { ...sampleExchange(1), recordId: 'r1' },
  live: sampleExchange(9),
  differences: [],
})
const report = (
  exchanges: readonly ReplayedExchange[],
  failedRules: readonly FailedRule[] = [],
) => ({ exchanges, failedRules })
const failedRule: FailedRule = {
  invariant: 'orders.no-call-after-cancelled',
  because: 'it called',
}

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

test('a failed rule alone gives exit code 1', () => {
  expect(replayExitCode(report([replayed('same')], [failedRule]))).toBe(1)
})

test('nothing compared of a recording that has calls of the service gives exit code 3', () => {
  expect(replayExitCode({ ...report([]), unused: ['r1'] })).toBe(3)
  expect(replayExitCode({ ...report([]), unused: [] })).toBe(0)
  expect(replayExitCode({ ...report([replayed('same')]), unused: ['r2'] })).toBe(0)
  expect(replayExitCode({ ...report([], [failedRule]), unused: ['r1'] })).toBe(1)
})

/** Near misses of growing pauses after 503: what is a backoff, and what is certainly none. */
import { expect, test } from 'vitest'
import { sampleExchange } from '../../../../test/support/sample-exchange.ts'
import { judgeCheck } from '../../judge/judge-checks.ts'
import { createTrace } from '../../../core/rules/checks/trace.ts'
import { clientRetryChecks } from '../../../core/rules/checks/transport/client-retries.ts'

const check = clientRetryChecks.find(({ clauses }) => clauses.includes('TRN-STA-12'))

/** Calls that fail twice and then succeed, each with these pauses between its attempts. */
function outcomeOf(pauses: readonly (readonly [first: number, second: number])[]): string {
  if (!check) throw new Error('there is no check of TRN-STA-12')
  let seq = 0
  const exchanges = pauses.flatMap(([first, second], call) => {
    const begin = call * 60_000
    return [begin, begin + first, begin + first + second].map((startedAt, attempt) =>
      sampleExchange(++seq, {
        startedAt,
        tookMs: 0,
        operation: 'confirmOrder',
        request: { method: 'POST', url: `http://x/orders/${call}/confirm`, headers: [] },
        reply: { status: attempt < 2 ? 503 : 202, headers: [], body: '' },
      }),
    )
  })
  const note = (name: string, after: number) => ({
    procedure: 'unavailable',
    name,
    text: '',
    after,
  })
  const trace = createTrace({
    role: 'software-service',
    speaks: 'v2',
    capabilities: ['orders'],
    exchanges,
    steps: {},
    notes: [note('begins', 0), note('ends', seq)],
    skipped: {},
  })
  return judgeCheck(check, trace).outcome
}

test.each([
  ['doubled', [[200, 400]], 'passed'],
  [
    'half as long again, with what the machine adds',
    [
      [250, 350],
      [240, 360],
    ],
    'passed',
  ],
  [
    'random within growing bounds, once shorter',
    [
      [180, 170],
      [90, 390],
    ],
    'passed',
  ],
  ['equal, of one call: it may be chance', [[1000, 1000]], 'warning'],
  [
    'equal, of two calls',
    [
      [1000, 1000],
      [1010, 990],
    ],
    'failed',
  ],
  [
    'equal on a busy machine',
    [
      [321, 279],
      [217, 193],
    ],
    'failed',
  ],
  ['two of 50 ms', [[50, 50]], 'failed'],
] as const)('[TRN-STA-12] pauses that are %s: %j %s', (_, pauses, outcome) => {
  expect(outcomeOf(pauses)).toBe(outcome)
})

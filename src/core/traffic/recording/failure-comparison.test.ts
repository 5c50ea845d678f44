/** What became of the failures of a recording, exchange by exchange and as sentences. */
import { expect, test } from 'vitest'
import { compact } from '../../base/compact.ts'
import { sampleExchange } from '../../../../test/support/sample-exchange.ts'
import type { Exchange } from '../exchange.ts'
import type { RecordedExchange } from './recorded-exchange.ts'
import type { Standing } from './standing.ts'
import { compareFailures, countFailures, failureSentences } from './failure-comparison.ts'
import { judgeExchange } from '../../../replay/minimise/judge-exchange.ts'
import type { ReplayedExchange } from './replay-report.ts'

type Answer = number | string | undefined

const refused = { code: 'ECONNREFUSED', message: 'connect ECONNREFUSED' }

/** An answer is a status, or the code of a network failure. */
function exchange(seq: number, answer: number | string): RecordedExchange {
  const { reply: _reply, ...request } = sampleExchange(seq)
  const outcome: Partial<Exchange> =
    typeof answer === 'number'
      ? { reply: { status: answer, headers: [] } }
      : { failure: { ...refused, code: answer } }
  return { ...request, ...outcome, recordId: `r${seq}` }
}

let seq = 0
function replayed(then: Answer, now: Answer, standing: Standing = 'same'): ReplayedExchange {
  seq++
  return {
    standing,
    differences: [],
    ...compact({
      recorded: then === undefined ? undefined : exchange(seq, then),
      live: now === undefined ? undefined : exchange(seq, now),
    }),
  }
}

const outcomes = (
  exchanges: readonly ReplayedExchange[],
  driver: 'client' | 'partner' = 'client',
) => compareFailures({ exchanges, driver }).map(({ index, outcome }) => [index, outcome])
const sentences = (exchanges: readonly ReplayedExchange[]) =>
  failureSentences(countFailures(compareFailures({ exchanges, driver: 'client' })))

test('a failure comes again, is gone, takes another form, or is new', () => {
  expect(
    outcomes([
      replayed(202, 202),
      replayed(500, 500),
      replayed(500, 503, 'changed'),
      replayed(500, 202, 'gone'),
      replayed(409, 500, 'changed'),
      replayed('ECONNREFUSED', 'ETIMEDOUT'),
      replayed('ECONNREFUSED', 202, 'gone'),
      replayed('ECONNRESET', 409, 'changed'),
      replayed(202, 409, 'changed'),
      replayed(undefined, 404, 'extra'),
      replayed(202, undefined, 'error'),
    ]),
  ).toEqual([
    [1, 'again'],
    [2, 'other'],
    [3, 'gone'],
    [4, 'other'],
    [5, 'again'],
    [6, 'gone'],
    [7, 'other'],
    [8, 'new'],
    [9, 'new'],
    [10, 'new'],
  ])
})

test('it comes again only with the same status and error code', () => {
  const withCode = (status: number, code: string): RecordedExchange => ({
    ...exchange(1, status),
    reply: { status, headers: [], body: JSON.stringify({ error: { code } }) },
  })
  const recorded = withCode(409, 'INSUFFICIENT_POINTS')
  const outcomeOf = (live: Exchange) =>
    outcomes([{ standing: 'changed', differences: [], recorded, live }])
  expect(outcomeOf(withCode(409, 'INSUFFICIENT_POINTS'))).toEqual([[0, 'again']])
  expect(outcomeOf(withCode(409, 'INVALID_STATUS'))).toEqual([[0, 'other']])
  expect(outcomeOf(withCode(404, 'ACCOUNT_NOT_FOUND'))).toEqual([[0, 'other']])
})

test('what the replay did not reach is not gone; a failing call that is not made any more is', () => {
  const exchanges = [
    replayed(500, undefined, 'blocked'),
    replayed(500, undefined, 'noise'),
    replayed(409, undefined, 'missing'),
  ]
  expect(outcomes(exchanges).map(([, outcome]) => outcome)).toEqual([
    'unplayed',
    'unplayed',
    'gone',
  ])
  expect(outcomes(exchanges, 'partner').map(([, outcome]) => outcome)).toEqual([
    'unplayed',
    'gone',
    'gone',
  ])
})

test('a retry that was not made any more is not gone while the others still fail', () => {
  const eventIds = ['e-1']
  const retry = ({ recorded, ...rest }: ReplayedExchange): ReplayedExchange => ({
    ...rest,
    ...compact({ recorded: recorded && { ...recorded, eventIds } }),
  })
  const left = retry(replayed(500, undefined, 'noise'))
  expect(outcomes([retry(replayed(500, 500)), left], 'partner')).toEqual([
    [0, 'again'],
    [1, 'unplayed'],
  ])
  expect(outcomes([retry(replayed(500, 202, 'gone')), left], 'partner')).toEqual([
    [0, 'gone'],
    [1, 'gone'],
  ])
})

test('our own 501, an open request and a request that is sent twice are no further failures', () => {
  const twice = replayed(500, 500)
  const open = {
    ...replayed('OPEN', 202),
    recorded: { ...exchange(90, 'OPEN'), open: true },
  } as const
  const missed = { ...replayed(undefined, 501, 'extra'), strategy: 'miss' } as const
  expect(outcomes([twice, twice, open, missed])).toEqual([[0, 'again']])
})

test('an answer that was edited to a failure is none of the recording', () => {
  const answered = { ...replayed(409, 409), strategy: 'exact' } as const
  const edits = [{ part: { kind: 'status' }, value: '409', was: '202' }] as const
  const edited = { ...answered, recorded: { ...exchange(seq, 409), edits } }
  expect(outcomes([edited, { ...answered, recorded: exchange(++seq, 409) }])).toEqual([
    [1, 'again'],
  ])
})

test('the sentences say how many of which kind', () => {
  const again = Array.from({ length: 6 }, () => replayed(500, 500))
  expect(sentences([replayed(202, 202)])).toEqual([])
  expect(sentences(again)).toEqual(['the 6 failures of the recording came again (6 5xx)'])
  expect(sentences([replayed('ECONNREFUSED', 202)])).toEqual([
    'the failure of the recording is gone (1 without an answer)',
  ])
  expect(sentences([...again, replayed('ETIMEDOUT', 202), replayed(409, 202)])).toEqual([
    'of the 8 failures of the recording 6 came again (6 5xx), 2 are gone (1 without an answer, 1 4xx)',
  ])
  expect(sentences([replayed(202, 409), replayed(200, 500)])).toEqual([
    '2 failures are new (1 5xx, 1 4xx)',
  ])
})

test('a request that was under way when the recording ended differs in nothing', () => {
  const recorded = { ...exchange(91, 'OPEN'), open: true } as const
  const live = exchange(92, 202)
  const judged = judgeExchange({ recorded, live, differences: [], conflicts: [] })
  expect(judged).toEqual({
    standing: 'noise',
    because: 'it was still under way when the recording ended',
  })
})

test('a call whose answer is not recorded is no failure, whatever it is answered now; what fails now is one', () => {
  const { reply: _reply, ...unanswered } = sampleExchange(1)
  const recorded = { ...unanswered, recordId: 'r1' }
  for (const status of [202, 404]) {
    const live = exchange(1, status)
    const differences = [
      {
        side: 'reply',
        where: '/status',
        kind: 'value',
        rule: { at: '$', compare: { as: 'equal' }, from: 'default', reason: '' },
        accepted: false,
      },
    ] as const
    const verdict = judgeExchange({ recorded, live, differences, conflicts: [] })
    expect(verdict).toEqual({
      standing: 'noise',
      because: 'the recording does not hold its answer',
    })
    expect(outcomes([{ ...verdict, recorded, live, differences: [] }])).toEqual(
      status === 202 ? [] : [[0, 'new']],
    )
  }
})

test('a call whose answer is not recorded differs where it gets none now, and not between two such recordings', () => {
  const recorded = { ...exchange(93, 'NO_REPLY'), open: true } as const
  const judge = (live: RecordedExchange) =>
    judgeExchange({ recorded, live, differences: [], conflicts: [] })
  expect(judge(exchange(94, 'ECONNREFUSED')).standing).toBe('error')
  expect(judge(exchange(95, 'NO_REPLY')).standing).toBe('same')
})

/** Clauses as a session judges them: by single messages, as they come, and by the same assertions as a certification. */
import { describe, expect, test } from 'vitest'
import { sampleExchange } from '../../../../test/support/sample-exchange.ts'
import type { Exchange } from '../../traffic/exchange.ts'
import type { Verdict } from '../invariants/verdict.ts'
import { answersOf, atSteps, each, every, hasStatus, notice, observation } from './assertion.ts'
import { checks } from './catalogue.ts'
import { type Check, ruleOfCheck } from './check.ts'
import { ClauseJudge, liveChecks } from './clause-judge.ts'
import { eachMoment, ofTrace } from './live.ts'
import type { Observed } from './trace.ts'

const onBug = (error: unknown): never => {
  throw error
}

/** A read of an order at an Ordering Application. */
const read = (seq: number, status: number, more: Partial<Exchange> = {}): Exchange =>
  sampleExchange(seq, {
    from: { role: 'software-service', party: 'sparring' },
    to: { role: 'ordering-application', party: 'subject' },
    reply: { status, headers: [], body: '{}' },
    ...more,
  })

const check = (assertion: Check['assertion'], more: Partial<Check> = {}): Check => ({
  clauses: ['ORD-GEN-04'],
  roles: ['ordering-application'],
  procedures: ['order-life'],
  assertion,
  remedy: 'Answer 200.',
  ...more,
})

function judged(of: Check, ...exchanges: readonly Exchange[]): readonly Verdict[] {
  const judge = new ClauseJudge({
    checks: [of],
    role: 'ordering-application',
    speaks: 'v2',
    dialect: undefined,
    onBug,
  })
  for (const exchange of exchanges) judge.exchange(exchange, { began: 1000 * exchange.seq })
  return judge.verdicts()
}

const answers = each(answersOf('getOrder', 'getManifest'), hasStatus(200))

test('a clause that was not kept is one verdict, with its sentence, its remedy and the exchanges', () => {
  const [failed, kept] = judged(check(answers), read(1, 200), read(2, 404), read(3, 404))
  expect(failed).toMatchObject({
    id: 'ORD-GEN-04',
    outcome: 'failed',
    sentence: 'Must answer 200.',
    remedy: 'Answer 200.',
    premises: 3,
    violations: 2,
    findings: [{ because: 'it answered 404, not 200. Seen 2 times.', at: 2000 }],
  })
  expect(failed?.findings[0]?.evidence.map(({ seq }) => seq)).toEqual([2, 3])
  expect(kept).toMatchObject({ id: 'CLAUSES', outcome: 'not-exercised', clauses: [] })
})

test('clauses that were kept are one verdict, which names them', () => {
  expect(judged(check(answers), read(1, 200))).toMatchObject([
    { id: 'CLAUSES', outcome: 'passed', clauses: ['ORD-GEN-04'], premises: 1 },
  ])
})

test.each([
  [
    'a message that a fault of ours has touched',
    [read(1, 404, { fault: 'error on rsp(getOrder)' })],
  ],
  [
    'a message between two of our own roles',
    [read(1, 404, { to: { role: 'ordering-application', party: 'sparring' } })],
  ],
  ['a path that the service does not have', [read(1, 404, { operation: 'getManifest' })]],
  ['another operation', [read(1, 404, { operation: 'pollingEvents' })]],
])('%s blames nobody', (_, exchanges) => {
  expect(judged(check(answers), ...exchanges)).toMatchObject([
    { id: 'CLAUSES', outcome: 'not-exercised' },
  ])
})

test.each([
  ['that is only advised', check(answers, { level: 'SHOULD' })],
  ['that the documents leave open', check(answers, { clauses: ['ORD-UND-04'] })],
  ['that is broken by a notice', check(each(answersOf('getOrder'), () => notice('it may')))],
])('a clause %s by a single message is neither broken nor kept', (_, of) => {
  expect(judged(of, read(1, 404))).toMatchObject([{ id: 'CLAUSES', clauses: [] }])
})

test('what the documents advise about an entity is advice', () => {
  const fold = { begin: () => ({ take: (observed: Observed) => [observed] }) }
  const courtesy = eachMoment(fold, function* (observed) {
    yield observation([observed], notice('it closes an account that is not paid'))
  })
  const [verdict] = judged(check(courtesy), read(1, 200))
  expect(verdict).toMatchObject({ outcome: 'failed', violations: 0, findings: [{ advice: true }] })
})

describe('what a session does not judge', () => {
  test.each([
    ['the steps of a procedure', each(atSteps('order-life/read'), hasStatus(200))],
    ['the whole trace', ofTrace(answers)],
  ])('%s', (_, assertion) => {
    expect(liveChecks([check(assertion)], 'ordering-application')).toEqual([])
  })

  test('what of several assertions is of single messages is judged', () => {
    const both = check(every(each(atSteps('order-life/read'), hasStatus(201)), answers))
    expect(judged(both, read(1, 200))).toMatchObject([{ id: 'CLAUSES', outcome: 'passed' }])
  })
})

test('a fold is fed once with each message, whatever number of clauses asks for it', () => {
  const fed: number[] = []
  const fold = {
    begin: () => {
      let reads = 0
      const take = (observed: Observed) => {
        fed.push(observed.exchange.seq)
        return [{ observed, reads: ++reads }]
      }
      return { take }
    },
  }
  const third = eachMoment(fold, function* ({ observed, reads }) {
    yield observation([observed], reads > 2 && 'it is the third')
  })
  const [failed] = judged(check(every(third, third)), read(1, 200), read(2, 200), read(3, 200))
  expect(fed).toEqual([1, 2, 3])
  expect(failed).toMatchObject({ premises: 6, violations: 2 })
})

test('the rules of clauses name their clause first, and say what must be done in one form', () => {
  const wrong = checks
    .map(ruleOfCheck)
    .filter(({ id, clauses, sentence }) => id !== clauses[0] || !/^Must [a-z].*\.$/.test(sentence))
  expect(wrong.map(({ sentence }) => sentence)).toEqual([])
})

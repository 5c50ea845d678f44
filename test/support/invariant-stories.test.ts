/** The text of cases of invariants: what its lines stand for, and which mistakes in it are refused. */
import { expect, test } from 'vitest'
import { parseInvariantCases } from './invariant-stories.ts'

test('a case has a rule, clauses, a situation, options of the harness, and a finding for each defect', () => {
  const [first, second] = parseInvariantCases(`
    SE-3 [ORD-CAN-02, ORD-EVR-01] when CANCELLED comes
      with { channel: webhook, faults: [{ fail: { operation: getOrder, burst: 4 } }] }
      play order TAKEOUT; 500
      timers-outlive-orders: o1 (409) … 1## s, #+ times
        => POST /a  409; GET /b & GET /c x2; "  401"
      never-resumes - advice: it =>

    PO-1 [ORD-OPS-01] when a poll fails
      no-poll-timeout o2: late => GET /b`)
  expect(first).toMatchObject({ id: 'SE-3', clauses: 'ORD-CAN-02, ORD-EVR-01' })
  expect(first?.when).toBe('when CANCELLED comes')
  expect(first?.story).toMatchObject({
    channel: 'webhook',
    faults: [{ fail: { operation: 'getOrder', burst: 4 } }],
  })
  expect(first?.caught).toEqual({
    'timers-outlive-orders': {
      because: /o1 \(409\).*1\d\d s, \d+ times/,
      lines: ['POST /a  409', 'GET /b', 'GET /c', 'GET /b', 'GET /c', '  401'],
    },
    'never-resumes': { slot: null, advice: true, because: /it/, lines: [] },
  })
  expect(second?.caught).toEqual({
    'no-poll-timeout': { slot: 'o2', because: /late/, lines: ['GET /b'] },
  })
})

test.each([
  ['SE-3 [ORD-CAN-02] when it comes\nnever-resume: x => y', 'there is no defect never-resume'],
  ['play order TAKEOUT', 'no case begins before'],
  [
    'SE-3 [ORD-CAN-02] when it comes\nplay order TAKEOUT\nSE-4 [ORD-CAN-02] whenever it comes',
    'not "SE-4 [ORD-CAN-02] whenever it comes"',
  ],
])('%j is refused', (text, message) => {
  expect(() => parseInvariantCases(text)).toThrow(message)
})

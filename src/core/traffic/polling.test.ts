import { compact } from '../base/compact.ts'
import { expect, test } from 'vitest'
import { sampleExchange } from '../../../test/support/sample-exchange.ts'
import { isIdlePoll } from './polling.ts'

const answered = (status: number, body?: string) =>
  isIdlePoll(
    sampleExchange(1, {
      operation: 'pollingEvents',
      reply: { status, headers: [], ...compact({ body }) },
    }),
  )

test('a poll is idle with an empty body or list; a body that is not a list is not idle', () => {
  expect([answered(204), answered(200, '[]'), answered(200, ' [ ]\n')]).toEqual([true, true, true])
  expect(answered(200, '{"events":[]}')).toBe(false)
  expect(answered(200, '<html>')).toBe(false)
  expect(answered(200, '[{"eventId":"e1"}]')).toBe(false)
  expect(answered(503, '[]')).toBe(false)
})

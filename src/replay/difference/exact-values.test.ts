/** What two recordings must not be said to share: numbers that a double rounds alike, and instants in another form. */
import { expect, test } from 'vitest'
import { sampleExchange } from '../../../test/support/sample-exchange.ts'
import type { RecordedExchange } from '../../core/traffic/recording/recorded-exchange.ts'
import { compareRecordings } from './compare-recordings.ts'
import { createRuleBook } from './protocol-rules.ts'

/** A polling answer, or the answer about one order. */
const answering = (body: string, operation: RecordedExchange['operation'] = 'getOrder') => ({
  ...sampleExchange(1, {
    ...(operation === undefined ? {} : { operation }),
    reply: { status: 200, headers: [['content-type', 'application/json']], body },
  }),
  recordId: 'r1',
})

/** The differences of two answers, as they would be written. */
function differences(recorded: string, live: string, operation?: RecordedExchange['operation']) {
  const { exchanges } = compareRecordings(
    { exchanges: [answering(recorded, operation)] },
    { exchanges: [answering(live, operation)] },
    createRuleBook(),
  )
  return exchanges.flatMap((each) =>
    each.differences.flatMap(({ accepted, where, recorded: then, live: now }) =>
      accepted ? [] : [`${where} ${JSON.stringify(then)} ${JSON.stringify(now)}`],
    ),
  )
}

test('numbers that one double stands for are others, and are told as they are written (RFC 8259)', () => {
  expect(
    differences(
      '{"id":"o1","partnerId":4634343214213523454}',
      '{"id":"o1","partnerId":4634343214213523455}',
    ),
  ).toEqual(['/body/partnerId 4634343214213523454 4634343214213523455'])
  expect(differences('{"n":9007199254740993}', '{"n":9007199254740992}')).toEqual([
    '/body/n 9007199254740993 9007199254740992',
  ])
  expect(differences('{"n":0.10000000000000000001}', '{"n":0.1}')).toEqual([
    '/body/n 0.10000000000000000001 0.1',
  ])
  expect(differences('{"list":[1e400,2]}', '{"list":[1e401,2]}')).toEqual([
    '/body/list/0 1e400 1e401',
  ])
})

test('a time in seconds is a time, however many digits follow its point', () => {
  const at = (seconds: string): string => `{"id":"o1","at":${seconds}}`
  expect(differences(at('1795442243.8251798'), at('1795442243.96214377'))).toEqual([])
  expect(differences(at('1795442243.8251798'), at('1795442243962.14377'))).toEqual([
    '/body/at 1795442243.8251798 1795442243962.14377',
  ])
})

test('an event of a poll keeps the digits of its numbers', () => {
  const poll = (partnerId: string): string =>
    `[{"eventId":"e1","eventType":"CREATED","orderId":"o1","partnerId":${partnerId}}]`
  expect(
    differences(poll('4634343214213523454'), poll('4634343214213523455'), 'pollingEvents'),
  ).toEqual(['/body/0/partnerId 4634343214213523454 4634343214213523455'])
})

test('the same number in another spelling is no difference, nor are ids that are numbered anew', () => {
  expect(
    differences('{"n":1.50,"m":9007199254740993}', '{"n":1.5,"m":9007199254740993.0}'),
  ).toEqual([])
  expect(differences('{"n":29.899999999999998579}', '{"n":29.9}')).toEqual([])
  expect(
    differences('{"messageId":4634343214213523454}', '{"messageId":7634343219999523999}'),
  ).toEqual([])
})

test.each([
  ['2026-11-20T12:00:00', 'without its offset'],
  ['2026-11-20 12:00:00Z', 'with a blank for T'],
  ['2026-11-20T12:00:00+0000', 'with an offset without its colon'],
])('the time %s is another one %s', (text) => {
  const at = (time: string): string => `{"createdAt":"2026-11-20T12:00:00Z","updatedAt":"${time}"}`
  expect(differences(at('2026-11-20T12:00:00Z'), at(text))).toHaveLength(1)
  expect(
    differences('{"note":"closed at 2026-11-20T12:00:00Z"}', `{"note":"closed at ${text}"}`),
  ).toHaveLength(1)
  expect(differences(at('2026-11-20T12:00:00Z'), at('2026-11-20T09:00:20.5-03:00'))).toEqual([])
})

test('text is no number, and seconds are no milliseconds, whatever the tolerance', () => {
  const at = (time: string): string => `{"createdAt":"2026-11-20T12:00:00Z","updatedAt":${time}}`
  expect(differences(at('"2026-11-20T12:00:00Z"'), at('1795176000000'))).toHaveLength(1)
  expect(differences(at('1795176000'), at('1795176000000'))).toHaveLength(1)
  expect(differences(at('1795176000'), at('"1795176000"'))).toHaveLength(1)
  expect(differences(at('1795176000'), at('1795176009'))).toEqual([])
  expect(differences('{"pickupEtaInMinutes":12}', '{"pickupEtaInMinutes":"12"}')).toHaveLength(1)
})

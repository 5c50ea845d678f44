/** A flag that does not apply to a driver is rejected, with the drivers that it applies to. */
import { expect, test } from 'vitest'
import type { DriverName } from '../../../core/traffic/recording/replay-report.ts'
import type { ReplayFlags } from './flags.ts'
import { sampleExchange } from '../../../../test/support/sample-exchange.ts'
import { parseOnlyFilter, rejectForeignFlags } from './flag-values.ts'

const rejected: readonly (readonly [DriverName, Partial<ReplayFlags>, string])[] = [
  [
    'client',
    { until: 'all' },
    'reading --until: it is for --driver server, and here what was recorded',
  ],
  ['client', { idle: '30s' }, 'say --driver server'],
  ['client', { subject: 'http://127.0.0.1:1' }, 'reading --subject'],
  ['server', { 'call-timeout': '5s' }, 'say --driver client'],
  [
    'server',
    { twice: true },
    'it is for --driver client or --driver partner, and here your service calls',
  ],
  [
    'partner',
    { 'on-miss': '404' },
    'it is for --driver client or --driver server, and here the partner',
  ],
  ['partner', { until: 'all' }, 'say --driver server'],
]

test.each(rejected)('driver %s rejects %j', (driver, flags, sentence) => {
  expect(() => rejectForeignFlags({ recording: 'a', ...flags }, driver)).toThrow(sentence)
})

test.each(['client', 'server', 'partner'] as const)(
  'flags for every driver are accepted by %s',
  (driver) => {
    const flags = {
      recording: 'a',
      to: 'http://127.0.0.1:1',
      speed: 'asap',
      seed: 1,
      json: true,
    } as const
    expect(() => rejectForeignFlags(flags, driver)).not.toThrow()
  },
)

/** Their events are of two orders, and the second has one alone. */
function polledEvents() {
  const event = (eventId: string, orderId: string) => ({ eventId, orderId, eventType: 'CREATED' })
  const { orderId: _, params: __, ...rest } = sampleExchange(1)
  const polled = (seq: number, ...events: readonly ReturnType<typeof event>[]) => ({
    ...rest,
    seq,
    recordId: `r${seq}`,
    operation: 'pollingEvents' as const,
    eventIds: events.map(({ eventId }) => eventId),
    request: { method: 'GET', url: 'http://127.0.0.1/v2/events:polling', headers: [] },
    reply: { status: 200, headers: [], body: JSON.stringify(events) },
  })
  const acknowledged = (seq: number, ...eventIds: readonly string[]) => ({
    ...rest,
    seq,
    recordId: `r${seq}`,
    operation: 'acknowledgeEvents' as const,
    eventIds,
    request: { method: 'POST', url: 'http://127.0.0.1/v2/events/acknowledgment', headers: [] },
    reply: { status: 202, headers: [] },
  })
  return [
    polled(1, event('e1', 'order-a'), event('e2', 'order-b')),
    acknowledged(2, 'e1', 'e2'),
    polled(3, event('e3', 'order-b')),
    acknowledged(4, 'e3'),
    { ...sampleExchange(5, { orderId: 'order-a' }), recordId: 'r5' },
  ]
}

test.each([
  ['order-a', [1, 2, 5]],
  ['order-b', [1, 2, 3, 4]],
  ['order-c', []],
  ['order-b acknowledgment', [2, 4]],
  ['!order-b', [5]],
] as const)('--only %s finds the orders of events too', (only, expected) => {
  const found = polledEvents().filter(parseOnlyFilter(only))
  expect(found.map(({ seq }) => seq)).toEqual(expected)
})

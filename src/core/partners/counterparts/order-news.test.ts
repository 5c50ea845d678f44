import { expect, test } from 'vitest'
import { transcript } from '../../../../test/support/transcript.ts'
import type { DecisionContext } from '../../engine/decision.ts'
import { forwardOrderNews } from './order-news.ts'

test('[LOY-EVR-01] only order events are forwarded to Loyalty; other event names, also of Object members, are not', () => {
  const { world, settings } = transcript().engine
  const context = { world, settings } as DecisionContext
  const newsOf = (eventType: string): unknown =>
    forwardOrderNews(
      {
        kind: 'customer.heard',
        key: eventType,
        eventType,
        occurredAt: '2026-01-05T15:00:00Z',
        customerId: 'c',
        orderId: 'o',
      },
      context,
    ).map(({ command }) => ('news' in command ? command.news : command.kind))
  for (const strange of ['constructor', 'toString', '__proto__', 'customer.created'])
    expect(newsOf(strange)).toEqual([])
  expect(newsOf('order.completed')).toEqual(['completed'])
})

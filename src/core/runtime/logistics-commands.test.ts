/**
 * Every Logistics command that counterparts put on the agenda can be entered, edited and planned again by an operator.
 */
import { expect, test } from 'vitest'
import { CommandBody } from '../engine/command.ts'
import { openSession } from '../session/open-session.ts'

test('every command of Logistics that occurs in a busy day passes the control API’s validation', async () => {
  await using session = await openSession({
    clock: 'virtual',
    listen: false,
    capabilities: { indoor: false, customer: false },
    counterparts: {
      'ordering-application': { behaviour: 'hostile', orders: { every: 500, limit: 40 } },
      'software-service': { deliveries: true },
      'delivery-platform': { behaviour: 'hostile' },
    },
  })
  await session.settle()
  const planned = session
    .facts()
    .flatMap(({ fact }) => (fact.kind === 'agenda.planned' ? [fact.item.command] : []))
    .filter(({ kind }) => kind.startsWith('delivery.') || kind.startsWith('shipment.'))
  expect(new Set(planned.map(({ kind }) => kind)).size).toBeGreaterThan(9)
  for (const command of planned)
    expect(CommandBody.safeParse(command)).toMatchObject({ success: true })
})

import { expect, test } from 'vitest'
import { channelNames, Configuration } from '../../core/session-api/configuration/schema.ts'
import { orderStatuses, orderTypes } from '../../core/protocol/orders/order.ts'
import { channelChoices, clockNames, orderTypeNames, statusNames } from './name-lists.ts'

test('the name lists of help equal those of the schemas, in their order', () => {
  expect(channelChoices).toEqual(channelNames)
  expect(orderTypeNames).toEqual(orderTypes)
  expect(statusNames).toEqual(orderStatuses)
  for (const clock of clockNames) expect(Configuration.parse({ clock }).clock).toBe(clock)
})

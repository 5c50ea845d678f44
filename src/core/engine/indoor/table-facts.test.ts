import { expect, test } from 'vitest'
import { apply } from '../fact.ts'
import { createWorld } from '../world.ts'

test('only FISCAL_ISSUED and FISCAL_ERROR set the fiscal outcome; any other event name, also of an Object member, does not', () => {
  const world = createWorld()
  const fiscalAfter = (eventType: string) => {
    const table = { tableId: 't', accountId: 't' }
    apply(world, { kind: 'table.heard', eventId: eventType, eventType, table }, 0)
    return world.indoor.guest.tables.get('t')?.fiscal
  }
  for (const strange of ['constructor', 'toString', '__proto__', 'ACCOUNT_OPENED'])
    expect(fiscalAfter(strange)).toBeUndefined()
  expect(fiscalAfter('FISCAL_ERROR')).toBe('error')
  expect(fiscalAfter('FISCAL_ISSUED')).toBe('issued')
})

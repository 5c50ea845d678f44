/** The CRM as a host of customer data, without a session: what it takes, it applies. */
import { expect, test } from 'vitest'
import { CustomerInput } from '../protocol/customer/customer.ts'
import type { Entry } from '../protocol/customer/intake.ts'
import { transcript } from '../../test/support/transcript.ts'
import { customerHost } from './customer-host.ts'

const customer = (index: number): Entry => ({
  entity: 'customer',
  record: CustomerInput.parse({ identifier: { type: 'external_id', value: `app:${index}` } }),
})

test('[CUS-RUL-01] what comes at once is applied one by one, even where nobody keeps to a limit', () => {
  const told = transcript({
    conduct: { customer: { enforceLimits: false } },
    reactors: [customerHost('prompt')],
  })
  told.given({
    kind: 'customer.ingest',
    intake: Array.from({ length: 1500 }, (_, index) => customer(index)),
    from: 'ordering-application',
  })
  while (told.engine.take()) continue
  expect(told.engine.world.customer.crm.customers.size).toBe(1500)
})

/** The CRM as host of customer data, without a session: every accepted record is applied. */
import { expect, test } from 'vitest'
import { CustomerInput } from '../../protocol/customer/customer.ts'
import type { IngestEntry } from '../../protocol/customer/ingest-batch.ts'
import { transcript } from '../../../../test/support/transcript.ts'
import { customerHost } from './customer-host.ts'

const customer = (index: number): IngestEntry => ({
  entity: 'customer',
  record: CustomerInput.parse({ identifier: { type: 'external_id', value: `app:${index}` } }),
})

test('[CUS-RUL-01] records of one batch are applied one by one, even when no limit is enforced', () => {
  const host = transcript({
    conduct: { customer: { enforceLimits: false } },
    reactors: [customerHost('prompt')],
  })
  host.given({
    kind: 'customer.ingest',
    intake: Array.from({ length: 1500 }, (_, index) => customer(index)),
    from: 'ordering-application',
  })
  while (host.engine.take()) continue
  expect(host.engine.world.customer.crm.customers.size).toBe(1500)
})

// @module-tag slow
/** What guests of an Ordering Application are asked to do: each sentence begins with the call that is named beside it. */
import { expect, test } from 'vitest'
import { certifyCounterpart } from '../../../../test/support/certified-counterpart.ts'
import { checks } from '../../../core/rules/checks/catalogue.ts'
import type { ServiceAction } from '../../judge/procedure.ts'

test('[IND-RUL-02] a bill that is asked for is a pre-close first, and closed behind it', async () => {
  const role = 'ordering-application'
  const asked: ServiceAction[] = []
  await certifyCounterpart({
    role,
    checks: checks.filter(
      ({ roles, procedures }) =>
        roles.includes(role) &&
        procedures.every((each) => ['guest-visit', 'guest-repeated-events'].includes(each)),
    ),
    refuses(action) {
      asked.push(action)
      return false
    },
  })
  const bills = asked.flatMap((each) =>
    each.kind === 'other' && each.instruction.startsWith('Ask for the bill') ? [each] : [],
  )
  expect(bills).toHaveLength(3)
  for (const { operation, command } of bills)
    expect([operation, command]).toMatchObject(['preCloseAccount', { trigger: 'pre-close' }])
})

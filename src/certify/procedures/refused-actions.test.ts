// @module-tag slow
/** What could not be done at a service is no fact that it has to announce: every note is of what was brought about. */
import { expect, test } from 'vitest'
import { certifyCounterpart } from '../../../test/support/certified-counterpart.ts'
import { checks } from '../../core/rules/checks/catalogue.ts'
import { factProcedures } from '../../core/rules/checks/customer/facts.ts'

/** Procedures that have facts brought about at the service, and write them down. */
const noting = [...factProcedures, 'own-cancellation', 'loyalty-suspension', 'loyalty-expiry']

test.each(['crm', 'ordering-application'] as const)(
  '[CUS-EVT-03, CUS-EVT-08, CUS-GEN-09, ORD-CAN-01] a %s at which nothing can be done is blamed for nothing',
  async (role) => {
    const ofNotes = checks.filter(
      (check) =>
        check.roles.includes(role) && check.procedures.some((name) => noting.includes(name)),
    )
    const { results, trace } = await certifyCounterpart({
      role,
      checks: ofNotes,
      refuses: ({ kind }) => kind !== 'create-order',
    })
    expect(Object.values(trace.skipped)).toContain('it cannot be done')
    expect(
      results
        .filter(({ outcome }) => outcome === 'failed' || outcome === 'warning')
        .map(({ clause, problems }) => `${clause}: ${problems[0]?.text}`),
    ).toEqual([])
  },
)

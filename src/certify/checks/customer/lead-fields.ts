/** Checks of the fields of leads: CUS-LED. */
import type { Check } from '../../judge/check.ts'
import { isText, optional } from '../../judge/assertion.ts'
import { ofCustomer } from './assertions.ts'
import { eachRecord, isBinding } from './record-assertions.ts'

const leadRows = [
  ['CUS-LED-01', 'id', 'required'],
  ['CUS-LED-02', 'source', 'required'],
  ['CUS-LED-03', 'status', 'required'],
  ['CUS-LED-04', 'customerRef', 'optional'],
] as const

export const leadFieldChecks: readonly Check[] = leadRows.map(
  ([clause, field, presence]): Check => ({
    clauses: [clause],
    ...ofCustomer,
    procedures: ['customer-operations', 'own-leads'],
    assertion: eachRecord(
      'lead',
      ({ record }) => presence === 'required' || Object.hasOwn(record, field),
      (shared) => {
        const { record } = shared
        if (!Object.hasOwn(record, field))
          return isBinding(shared) ? `a lead that it sends has no ${field}` : undefined
        const problem = optional(`/${field}`, isText)(record)
        return problem === undefined ? undefined : `a lead is wrong at ${problem}`
      },
    ),
    remedy: `Give each lead its ${field} as a text.`,
  }),
)

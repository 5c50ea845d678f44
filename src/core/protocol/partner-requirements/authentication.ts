/** What every partner requires of token requests and of the list of merchants. */
import { merchantStatuses } from '../auth/merchants.ts'
import { oneOf, text } from './expectation.ts'
import { type PartnerRequirement, requirementsOf } from './requirement.ts'

export const authenticationRequirements: readonly PartnerRequirement[] = [
  ...requirementsOf({ operations: ['issueToken'], clauses: ['AUT-UND-03'], source: 'T2' }, [
    { at: 'grant_type', expects: text },
  ]),
  ...requirementsOf({ operations: ['listMerchants'], clauses: ['AUT-UND-02'], source: 'T4' }, [
    {
      of: 'query',
      at: 'status',
      expects: oneOf('a status of a merchant', merchantStatuses),
      optional: true,
    },
  ]),
]

/** What every partner requires of token requests and of the list of merchants. */
import { merchantStatuses } from '../auth/merchants.ts'
import { oneOf, text } from './expectation.ts'
import { type PartnerRequirement, mayHave, mustHave, requirementsOf } from './requirement.ts'

export const authenticationRequirements: readonly PartnerRequirement[] = [
  ...requirementsOf('T2', ['AUT-UND-03'], ['issueToken'])(mustHave('grant_type', text)),
  ...requirementsOf(
    'T4',
    ['AUT-UND-02'],
    ['listMerchants'],
  )(mayHave('status', oneOf('a status of a merchant', merchantStatuses), { of: 'query' })),
]

/** What every partner requires of requests of Indoor. */
import { accountEventTypes } from '../indoor/events.ts'
import { operationModes } from '../indoor/labels.ts'
import { transferTypes } from '../indoor/bodies.ts'
import { isUnknownRecord } from '../unknown-record.ts'
import { dateTime, decimal, jsonObject, oneOf, text } from './expectation.ts'
import { type PartnerRequirement, mayHave, mustHave, requirementsOf } from './requirement.ts'

export const indoorRequirements: readonly PartnerRequirement[] = [
  ...requirementsOf('N4', ['IND-OPS-08', 'IND-UND-03'], ['createPayment'], {
    when: {
      says: 'unless conduct.indoor.paymentBody is price',
      isOfConduct: true,
      holds: (_payment, { indoor }) => indoor.paymentBody === 'standard',
    },
  })(mustHave('amount', decimal), mustHave('methodInfo', jsonObject)),
  ...requirementsOf('N7', ['IND-OPS-07', 'IND-UND-03'], ['transferAccountContent'])(
    mustHave('transferType', oneOf('a type of transfer', transferTypes), {
      // A transfer that names its target by targetAccountId has the documents' form.
      when: { says: 'with target', holds: ({ target }) => isUnknownRecord(target) },
    }),
    mustHave('target.operationMode', oneOf('an operation mode', operationModes)),
    mustHave('target.identifier', text),
  ),
  ...requirementsOf('N11', ['IND-UND-05'], ['receiveAccountEvent'])(
    mustHave('eventType', oneOf('an event of an account', accountEventTypes)),
    mustHave('occurredAt', dateTime),
    mayHave('payload', jsonObject),
  ),
]

/** What every partner requires of requests of Indoor. */
import { accountEventTypes } from '../indoor/events.ts'
import { operationModes } from '../indoor/labels.ts'
import { transferTypes } from '../indoor/bodies.ts'
import { isUnknownRecord } from '../unknown-record.ts'
import { dateTime, decimal, jsonObject, oneOf, text } from './expectation.ts'
import { type PartnerRequirement, may, must, requirementsOf } from './requirement.ts'

export const indoorRequirements: readonly PartnerRequirement[] = [
  ...requirementsOf('N4', ['IND-OPS-08', 'IND-UND-03'], ['createPayment'], {
    when: {
      says: 'unless conduct.indoor.paymentBody is price',
      isOfConduct: true,
      holds: (_payment, { indoor }) => indoor.paymentBody === 'standard',
    },
  })(must('amount', decimal), must('methodInfo', jsonObject)),
  ...requirementsOf('N7', ['IND-OPS-07', 'IND-UND-03'], ['transferAccountContent'])(
    must('transferType', oneOf('a type of transfer', transferTypes), {
      // A transfer that names its target by targetAccountId has the documents' form.
      when: { says: 'with target', holds: ({ target }) => isUnknownRecord(target) },
    }),
    must('target.operationMode', oneOf('an operation mode', operationModes)),
    must('target.identifier', text),
  ),
  ...requirementsOf('N11', ['IND-UND-05'], ['receiveAccountEvent'])(
    must('eventType', oneOf('an event of an account', accountEventTypes)),
    must('occurredAt', dateTime),
    may('payload', jsonObject),
  ),
]

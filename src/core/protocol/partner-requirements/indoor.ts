/** What every partner requires of requests of Indoor. */
import { accountEventTypes } from '../indoor/events.ts'
import { operationModes } from '../indoor/labels.ts'
import { transferTypes } from '../indoor/bodies.ts'
import { isUnknownRecord } from '../unknown-record.ts'
import { dateTime, decimal, jsonObject, oneOf, text } from './expectation.ts'
import { type PartnerRequirement, requirementsOf } from './requirement.ts'

export const indoorRequirements: readonly PartnerRequirement[] = [
  ...requirementsOf(
    {
      operations: ['createPayment'],
      when: {
        says: 'unless conduct.indoor.paymentBody is price',
        isOfConduct: true,
        holds: (_payment, { indoor }) => indoor.paymentBody === 'standard',
      },
      clauses: ['IND-OPS-08', 'IND-UND-03'],
      source: 'N4',
    },
    [
      { at: 'amount', expects: decimal },
      { at: 'methodInfo', expects: jsonObject },
    ],
  ),
  ...requirementsOf(
    {
      operations: ['transferAccountContent'],
      clauses: ['IND-OPS-07', 'IND-UND-03'],
      source: 'N7',
    },
    [
      {
        at: 'transferType',
        expects: oneOf('a type of transfer', transferTypes),
        // A transfer that names its target by targetAccountId has the documents' form.
        when: { says: 'with target', holds: ({ target }) => isUnknownRecord(target) },
      },
      { at: 'target.operationMode', expects: oneOf('an operation mode', operationModes) },
      { at: 'target.identifier', expects: text },
    ],
  ),
  ...requirementsOf(
    { operations: ['receiveAccountEvent'], clauses: ['IND-UND-05'], source: 'N11' },
    [
      { at: 'eventType', expects: oneOf('an event of an account', accountEventTypes) },
      { at: 'occurredAt', expects: dateTime },
      { at: 'payload', expects: jsonObject, optional: true },
    ],
  ),
]

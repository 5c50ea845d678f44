/** What every partner requires of requests of Customer, with Reviews and Loyalty. */
import { batchKeys, type RecordKind, recordsOfBatch } from '../customer/batch.ts'
import { customerEventTypes } from '../customer/events.ts'
import { originChannels } from '../customer/related-order.ts'
import { loyaltyEventTypes } from '../loyalty/events.ts'
import { isUnknownRecord } from '../unknown-record.ts'
import { date, dateTime, type Expectation, oneOf, text } from './expectation.ts'
import { type PartnerRequirement, type RequiredPart, requirementsOf } from './requirement.ts'

const eachRecord = (kind: RecordKind): RequiredPart => ({
  of: (body) => recordsOfBatch(body, batchKeys[kind]),
  members: [batchKeys[kind].one, batchKeys[kind].many, 'items', ''],
})

/** An event, wrapped or flat. */
const event: RequiredPart = {
  of: (body) =>
    isUnknownRecord(body) && isUnknownRecord(body['event'])
      ? [{ path: ['event'], value: body['event'] }]
      : [{ path: [], value: body }],
  members: ['event', ''],
}

/** Events that the public standard has and the documents have not. */
const publicCustomerEvents = [
  'order.cancelled',
  'order.delivered',
  'cart.abandoned',
  'customer.consent.updated',
] as const

const publicLoyaltyEvents = [
  'loyalty.points.earned',
  'loyalty.cashback.earned',
  'loyalty.redemption.created',
  'loyalty.coupon.used',
  'loyalty.tier.changed',
  'loyalty.points.adjusted',
  'loyalty.points.expired',
  'loyalty.coupon.expired',
  'loyalty.coupon.cancelled',
] as const

const contactTypes = oneOf('a type of contact', ['phone', 'email', 'other'])

const ratingValue: Expectation = {
  says: 'a number, a text, or true or false',
  fits: (value) => ['number', 'string', 'boolean'].includes(typeof value),
  schema: { type: ['number', 'string', 'boolean'] },
}

export const customerRequirements: readonly PartnerRequirement[] = [
  ...requirementsOf(
    {
      operations: ['upsertCustomers', 'ingestCustomer'],
      within: eachRecord('customer'),
      clauses: ['CUS-UND-05'],
      source: 'C1',
    },
    [
      { at: 'contacts.*.type', expects: contactTypes },
      { at: 'birthDate', expects: date, optional: true },
    ],
  ),
  ...requirementsOf(
    {
      operations: ['upsertLeads', 'ingestLead'],
      within: eachRecord('lead'),
      clauses: ['CUS-UND-05'],
      source: 'C13',
    },
    [{ at: 'contact.type', expects: contactTypes }],
  ),
  ...requirementsOf(
    {
      operations: ['createReviews', 'ingestReview'],
      within: eachRecord('review'),
      clauses: ['REV-UND-01'],
      source: 'C3',
    },
    [
      {
        at: 'ratings.*.method',
        expects: oneOf('a rating method', ['stars', 'nps', 'binary', 'score', 'other']),
        optional: true,
      },
      { at: 'ratings.*.value', expects: ratingValue, optional: true },
      { at: 'customerIdentifier.type', expects: text },
      { at: 'customerIdentifier.value', expects: text },
      { at: 'createdAt', expects: dateTime, optional: true },
    ],
  ),
  ...requirementsOf(
    {
      operations: [
        'receiveCustomerEvent',
        'receiveCustomerEventByFlow',
        'receiveCustomerEventByBinding',
      ],
      within: event,
      clauses: ['CUS-EVO-01'],
      source: 'C15',
    },
    [
      {
        at: 'eventType',
        expects: oneOf('an event of Customer', [...customerEventTypes, ...publicCustomerEvents]),
      },
    ],
  ),
  ...requirementsOf(
    {
      operations: ['listOrders', 'getOrdersForCRM'],
      clauses: ['CUS-UND-04'],
      source: 'C10',
    },
    [
      {
        of: 'query',
        at: 'originChannel',
        expects: oneOf('a channel', originChannels),
        optional: true,
      },
    ],
  ),
  ...requirementsOf(
    {
      operations: ['createLoyaltyRedemption'],
      when: {
        says: 'unless conduct.loyalty.redemptionBody is customer',
        isOfConduct: true,
        holds: (_redemption, { loyalty }) => loyalty.redemptionBody === 'account',
      },
      clauses: ['LOY-UND-05'],
      source: 'C6',
    },
    [{ at: 'accountId', expects: text }],
  ),
  ...requirementsOf(
    {
      operations: ['receiveLoyaltyEvent', 'receiveLoyaltyEventByFlow'],
      within: event,
      clauses: ['LOY-UND-06'],
      source: 'C16',
    },
    [
      {
        at: 'eventType',
        expects: oneOf('an event of Loyalty', [...loyaltyEventTypes, ...publicLoyaltyEvents]),
      },
    ],
  ),
]

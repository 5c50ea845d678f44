/** What every partner requires of requests of Customer, with Reviews and Loyalty. */
import { batchKeys, type RecordKind, recordsOfBatch } from '../customer/batch.ts'
import { customerEventTypes } from '../customer/events.ts'
import { originChannels } from '../customer/related-order.ts'
import { loyaltyEventTypes } from '../loyalty/events.ts'
import { isUnknownRecord } from '../unknown-record.ts'
import { date, dateTime, type Expectation, oneOf, text } from './expectation.ts'
import {
  type PartnerRequirement,
  type RequiredPart,
  mayHave,
  mustHave,
  requirementsOf,
} from './requirement.ts'

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
  ...requirementsOf('C1', ['CUS-UND-05'], ['upsertCustomers', 'ingestCustomer'], {
    within: eachRecord('customer'),
  })(mustHave('contacts.*.type', contactTypes), mayHave('birthDate', date)),
  ...requirementsOf('C13', ['CUS-UND-05'], ['upsertLeads', 'ingestLead'], {
    within: eachRecord('lead'),
  })(mustHave('contact.type', contactTypes)),
  ...requirementsOf('C3', ['REV-UND-01'], ['createReviews', 'ingestReview'], {
    within: eachRecord('review'),
  })(
    mayHave(
      'ratings.*.method',
      oneOf('a rating method', ['stars', 'nps', 'binary', 'score', 'other']),
    ),
    mayHave('ratings.*.value', ratingValue),
    mustHave('customerIdentifier.type', text),
    mustHave('customerIdentifier.value', text),
    mayHave('createdAt', dateTime),
  ),
  ...requirementsOf(
    'C15',
    ['CUS-EVO-01'],
    ['receiveCustomerEvent', 'receiveCustomerEventByFlow', 'receiveCustomerEventByBinding'],
    { within: event },
  )(
    mustHave(
      'eventType',
      oneOf('an event of Customer', [...customerEventTypes, ...publicCustomerEvents]),
    ),
  ),
  ...requirementsOf(
    'C10',
    ['CUS-UND-04'],
    ['listOrders', 'getOrdersForCRM'],
  )(mayHave('originChannel', oneOf('a channel', originChannels), { of: 'query' })),
  ...requirementsOf('C6', ['LOY-UND-05'], ['createLoyaltyRedemption'], {
    when: {
      says: 'unless conduct.loyalty.redemptionBody is customer',
      isOfConduct: true,
      holds: (_redemption, { loyalty }) => loyalty.redemptionBody === 'account',
    },
  })(mustHave('accountId', text)),
  ...requirementsOf('C16', ['LOY-UND-06'], ['receiveLoyaltyEvent', 'receiveLoyaltyEventByFlow'], {
    within: event,
  })(
    mustHave(
      'eventType',
      oneOf('an event of Loyalty', [...loyaltyEventTypes, ...publicLoyaltyEvents]),
    ),
  ),
]

/** The choices that the protocol leaves open in Customer with its module Reviews, each with its default. */
import { z } from 'zod'
import { Duration } from '../duration.ts'
import { identifierTypes } from './identifier.ts'
import { strictObject } from '../../base/lazy-object.ts'
import { eitherStatus, onOrOff, filledText, wholeNumber, oneWord } from '../setting.ts'

const isOn = onOrOff(true)

/** Which parts of Customer a session exchanges (CUS-GEN-05). */
export const offers = ['all', 'core-only', 'reviews-only', 'loyalty-only'] as const

/** Wire shapes of a customer: fields of the overview, of the binding, of both (union), or typed lists. */
export const customerShapes = ['union', 'overview', 'binding', 'lists'] as const
export type CustomerShape = (typeof customerShapes)[number]

const limit = (value: number, max: number) => wholeNumber(1, max, value)

export const CustomerConduct = strictObject(() => ({
  offers: oneWord(offers, 'all').describe(
    'everything, core customer data alone, Reviews alone, or Loyalty alone (CUS-GEN-05)',
  ),
  areas: z
    .strictObject({
      customers: isOn.describe('customer profiles'),
      leads: isOn.describe('leads'),
      orders: isOn.describe('orders of customers'),
      events: isOn.describe('relationship events'),
    })
    .prefault({})
    .describe('the areas of core customer data; Reviews and Loyalty are capabilities’ switches'),
  notation: oneWord(['binding', 'flow'], 'binding').describe(
    'the paths that we call: /v1/customer/…:ingest or /customers (CUS-TEN-03)',
  ),
  ordersAtSharedBase: onOrOff(false).describe(
    'POST /orders is called even where Customer and Orders share a base (CUS-TEN-02)',
  ),
  requiredFields: oneWord(['either', 'overview', 'binding'], 'either').describe(
    'what a customer must have: identifier, the seven of the binding, or either set',
  ),
  customerShape: oneWord(customerShapes, 'union').describe(
    'how we write a customer: overview and binding together, either, or typed lists',
  ),
  statusField: filledText('status').describe(
    'the field that carries a customer’s status (CUS-UND-03)',
  ),
  identifier: oneWord(['auto', ...identifierTypes], 'auto').describe(
    'the type of identifier that the Ordering Application gives its customers',
  ),
  orderShape: oneWord(['orders', 'reduced'], 'orders').describe(
    'how we write an order in customer context: the Orders shape, or the reduced one',
  ),
  reviewShape: oneWord(['ratings', 'rating'], 'ratings').describe(
    'how we write a review: a list of ratings, or one number (REV-UND-01)',
  ),
  leadStatus: filledText('new').describe('the stage of a lead that we capture'),
  ratingValue: oneWord(['number', 'text'], 'number').describe(
    'how we write a rating in a list: 5 or "5", which a partner may read strictly',
  ),
  wrapper: oneWord(['wrapped', 'bare', 'batch'], 'wrapped').describe(
    'a single record is sent under its key, as it is, or as several are (CUS-UND-05)',
  ),
  batch: oneWord(['plural', 'items', 'array'], 'plural').describe(
    'several records are sent under the plural key, under items, or as an array',
  ),
  list: oneWord(['items', 'named', 'pagination', 'array'], 'items').describe(
    'how a page is answered: {items, page, pageSize, total}, the array under the name of its resource, with a pagination block, or bare (CUS-UND-04)',
  ),
  receipt: oneWord(['none', 'accepted'], 'none').describe(
    'the body of a 202: none, or {status: ACCEPTED, correlationId} (CUS-PAY-01)',
  ),
  processing: Duration.optional().describe(
    'the time between an ingest’s 202 and its effect; the behaviour’s when absent (CUS-RUL-01)',
  ),
  duplicate: eitherStatus(202, 409, 202).describe(
    'answer to an ingest that brings nothing new (CUS-TEN-06)',
  ),
  staleWrite: eitherStatus(409, 202, 409).describe(
    'answer to a customer with an older updatedAt than its last one; 202 fills gaps only',
  ),
  ids: oneWord(['given', 'own'], 'given').describe(
    'the CRM takes over a customer’s id where it is free, or always makes its own',
  ),
  firstOrder: onOrOff(true).describe('a lead becomes active with its first order (CUS-UND-03)'),
  eventTarget: oneWord(['webhook', 'binding', 'flow'], 'webhook').describe(
    'where our events go: the configured webhook, /v1/customer/events, or /events',
  ),
  eventEnvelope: oneWord(['wrapped', 'flat'], 'wrapped').describe(
    'an event is sent as {event: {…}}, or flat with id and customerIdentifier',
  ),
  eventIdField: z
    .union([z.string().min(1), z.literal(false)])
    .default('eventId')
    .describe('the field of event that carries its id; false for none (CUS-UND-07)'),
  eventAnswer: z
    .strictObject({
      webhook: eitherStatus(204, 202, 204).describe('of an event that came by webhook'),
      binding: eitherStatus(202, 204, 202).describe(
        'of an event that came by the operation of the binding',
      ),
    })
    .prefault({})
    .describe('answer to an event on the flow’s paths, and on the binding’s (CUS-TEN-05)'),
  draftReviews: isOn.describe('ingestReview, a draft, is served (REV-BND-01)'),
  declaredNames: oneWord(['map', 'binding', 'both'], 'map').describe(
    'operations are declared by the map’s names or the binding catalog’s (CUS-TEN-04)',
  ),
  modeField: filledText('integrationModes').describe(
    'the field of our manifest that says push and pull (CUS-UND-01)',
  ),
  supportsBatchGet: isOn.describe('more than one record on a page (LIM-CUS-04)'),
  supportsBatchPost: isOn.describe('more than one record in an ingest (LIM-CUS-04)'),
  maxBatchSize: limit(100, 500).describe('records in one ingest at most (LIM-CUS-01)'),
  maxGetPeriodDays: limit(30, 3660).describe('days that a query may span (LIM-CUS-02)'),
  requestsPerSecond: limit(100, 100_000).describe(
    'requests of one client in a second (LIM-CUS-03)',
  ),
  maxPayloadSizeKb: limit(1024, 10_240).describe('kilobytes of a body at most'),
  enforceLimits: isOn.describe('what exceeds a limit that is declared is refused (LIM-UND-01)'),
  collect: Duration.default(2000).describe(
    'how long the Ordering Application collects what is new before it pushes',
  ),
  pullEvery: Duration.default(30_000).describe('the pause between two pulls of the CRM'),
  pageSize: limit(50, 500).describe('records that the CRM asks for at once'),
}))
export type CustomerConduct = z.infer<typeof CustomerConduct>

/** The four areas of core customer data (CUS-GEN-03). */
export type CustomerArea = keyof CustomerConduct['areas']

/** Whether a session exchanges an area of core customer data. Events do not depend on `offers`. */
export const hasArea = ({ offers: offer, areas }: CustomerConduct, area: CustomerArea): boolean =>
  areas[area] && (area === 'events' || offer === 'all' || offer === 'core-only')

/** Whether a module is offered; its capability switch may still turn it off. */
export const hasModule = (
  { offers: offer }: CustomerConduct,
  name: 'reviews' | 'loyalty',
): boolean => offer === 'all' || offer === `${name}-only`

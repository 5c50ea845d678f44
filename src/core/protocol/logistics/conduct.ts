/** Session options for what the protocol leaves open in Logistics, each with its default. */
import { z } from 'zod'
import { Duration } from '../duration.ts'
import { errorShapes } from '../errors.ts'
import { eventVocabularies } from './events.ts'
import { deliveryStatuses } from './status.ts'
import { strictObject } from '../../base/lazy-object.ts'
import { onOrOff, oneWord } from '../setting.ts'

/** Field names in what we send: the documents', the public standard's, or both side by side. */
const names = ['both', 'documents', 'standard'] as const

const optionalFields = ['courier', 'price', 'eta', 'trackingUrl'] as const

export const LogisticsConduct = strictObject(() => ({
  names: oneWord(names, 'both').describe(
    'names in our bodies: pickup and price, origin and deliveryFee, or both (LOG-UND-02)',
  ),
  receipts: oneWord(['deliveryId', 'empty', 'delivery'], 'deliveryId').describe(
    'bodies of 202: {deliveryId} for a creation, none, or the delivery (LOG-UND-05)',
  ),
  eventNames: oneWord(eventVocabularies, 'steps').describe('names of delivery events (LOG-UND-06)'),
  eventPayload: oneWord(['full', 'plain'], 'full').describe(
    'a delivery event with everything known, or six fields (LOG-UND-06)',
  ),
  errorBody: z
    .enum(errorShapes)
    .optional()
    .describe('shape of an error body of Logistics, where it is not that of the others'),
  withheldFields: z
    .array(z.enum(optionalFields))
    .default([])
    .describe('optional fields that our deliveries do without (LOG-FLD-05 to 08)'),
  trackingUrl: z
    .string()
    .optional()
    .describe('tracking URL with {orderId} in it; the delivery itself when absent'),
  cancelInTransit: oneWord(['refuse', 'cancel', 'fail'], 'refuse').describe(
    'a cancel in IN_TRANSIT: refused, or taken and CANCELLED or FAILED (LOG-TEN-01)',
  ),
  problemStatuses: z
    .array(z.enum(deliveryStatuses))
    .default(['IN_TRANSIT'])
    .describe('statuses in which a problem report is taken (LOG-OPS-07)'),
  problemCodes: oneWord(['any', 'listed'], 'any').describe(
    'codes of a problem report: any, or those of the public standard',
  ),
  unrecoverableProblems: z
    .array(z.string())
    .default([])
    .describe('codes of problems that end in FAILED whatever else is said (LOG-RUL-03)'),
  renewAfterEnd: onOrOff(true).describe(
    'a creation after CANCELLED or FAILED makes a new delivery (LOG-UND-04)',
  ),
  lookupByDeliveryId: onOrOff(false).describe(
    'paths also take the delivery id in place of orderId (LOG-TEN-02)',
  ),
  areasWithoutService: z
    .array(z.string())
    .default([])
    .describe('cities, neighbourhoods or postal code beginnings where nothing is delivered'),
  mostKm: z.number().positive().default(20).describe('the longest way that is delivered'),
  mostOpen: z
    .int()
    .min(1)
    .default(500)
    .describe('open deliveries from which on nothing more is available'),
  uncovered: oneWord(['accept', 'refuse'], 'accept').describe(
    'a creation where nothing is available: taken all the same, or 422',
  ),
  publishedFields: onOrOff(false).describe(
    'our bodies have what the public standard requires besides: totals, payments, events, times',
  ),
  unavailable: oneWord(['flag', 'refuse'], 'flag').describe(
    'where nothing is available: a 200 that says so, or 422 (LOG-FLD-09)',
  ),
  progressBodies: oneWord(['empty', 'dated'], 'empty').describe(
    'our calls for collected and delivered: without fields, or with the time',
  ),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .default('BRL')
    .describe('currency of fees'),
  baseFee: z.int().min(0).default(500).describe('the fee of every delivery, in minor units'),
  feePerKm: z.int().min(0).default(150).describe('the fee of a kilometre, in minor units'),
  kmPerHour: z
    .number()
    .positive()
    .default(25)
    .describe('what an ETA takes a courier’s speed to be'),
  handling: Duration.default(600_000).describe('the time of a delivery besides the way itself'),
  loadTime: Duration.default(30_000).describe('the time that each open delivery adds to an ETA'),
  pace: z
    .number()
    .positive()
    .max(100_000)
    .default(60)
    .describe('how many times faster than in the street couriers ride, and ETAs count'),
}))
export type LogisticsConduct = z.infer<typeof LogisticsConduct>

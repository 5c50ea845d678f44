/**
 * Dialect options (`conduct` in the configuration): every choice that the protocol leaves open, with a default taken
 * from the specification or from real partners. A partner's dialect is a set of these options, so they are plain data.
 */
import { z } from 'zod'
import { CustomerConduct } from './customer/conduct.ts'
import { dialectSettings } from './dialects/settings.ts'
import { Duration, ClockShift } from './duration.ts'
import { type ErrorCode, errorShapes, protocolErrors } from './errors.ts'
import { IndoorConduct } from './indoor/conduct.ts'
import { LogisticsConduct } from './logistics/conduct.ts'
import { LoyaltyConduct } from './loyalty/conduct.ts'
import { furtherOperationNames } from './orders/details.ts'
import { orderEventTypes } from './orders/events.ts'
import { translationSettings } from './translation/settings.ts'
import { V1Conduct } from './v1/conduct.ts'
import { strictObject } from '../base/lazy-object.ts'
import { signatureNames, webhookAccesses } from './signature.ts'
import { eitherStatus, filledText, oneWord, onOrOff, wholeNumber } from './setting.ts'
import { credentialModels, grantTypes } from './discovery/manifest.ts'
import { merchantLists } from './auth/merchants.ts'
import { scopePreferences } from './auth/scopes.ts'
import { tokenUnits } from './auth/token.ts'

/** Dialect options of authentication; part of `conduct`. */
const authSettings = () => ({
  grantTypes: z
    .array(z.enum(grantTypes))
    .min(1)
    .default(['client_credentials'])
    .describe('ways to a token that are declared and served (AUT-CRE-03)'),
  consent: oneWord(['granted', 'denied'], 'granted').describe(
    'the outcome of GET /oauth/authorize, without a person',
  ),
  clientIdGeneration: z
    .array(z.enum(credentialModels))
    .min(1)
    .optional()
    .describe('credentials per application or per merchant; by the clients there are when absent'),
  tokenLife: Duration.default(3_600_000).describe('how long a token lives'),
  tokenUnit: oneWord(tokenUnits, 'seconds').describe(
    'how expires_in is written: seconds from now, or an epoch in milliseconds',
  ),
  tokenGrant: filledText('client_credentials').describe(
    'what grant_type is called that asks for a token with client credentials',
  ),
  tokenRequest: oneWord(['form', 'json'], 'form').describe('how we ask for a token (AUT-UND-03)'),
  tokenScopes: onOrOff(true).describe(
    'our token requests name the scopes that we need (AUT-UND-03)',
  ),
  scopesAsked: strictObject(() => ({
    logistics: oneWord(scopePreferences, 'fine').describe('for Logistics'),
    crm: oneWord(scopePreferences, 'domain').describe('for Customer and Loyalty'),
  }))
    .prefault({})
    .describe('scopes that we ask for where a domain has finer ones (AUT-TEN-01, AUT-TEN-03)'),
  strict: onOrOff(false).describe(
    'take and ask for only the finer scope of an operation, where it has one',
  ),
  merchantList: oneWord(merchantLists, 'paged').describe(
    'body of GET /merchants: { merchants, pagination }, or an array (AUT-UND-02)',
  ),
})

// Dialect options of discovery; part of `conduct`.

/** How much a counterpart's manifest is asked for. */
const manifestDemands = ['when-present', 'require', 'trust'] as const

const discoverySettings = () => ({
  manifest: oneWord(manifestDemands, 'when-present').describe(
    'the manifest of a counterpart: `when-present` reads it and goes on without one that is not there (a GET answered with anything but a manifest, a redirect, 429 or 5xx other than 501), with a warning; `require` makes no call before it is valid (DIS-GEN-02); `trust` never reads it. One that is there and wrong is always refused',
  ),
  publishManifest: oneWord(['valid', 'hidden', 'invalid', 'other-version'], 'valid').describe(
    'our manifest is served, hidden (404), served without what it must have, or of an unknown version',
  ),
  manifestNotation: oneWord(['array', 'keyed'], 'array').describe(
    'notation of capabilities in our manifest (DIS-TEN-01)',
  ),
  participantIds: oneWord(['names', 'uuids'], 'names').describe(
    'the participant id in our manifest: the name of the role, or a UUID of its own',
  ),
  manifestMaxAge: Duration.default(60_000).describe('Cache-Control max-age of the manifest'),
  ordersEndpoint: onOrOff(true).describe(
    'the orders block of our manifest names its endpoint (DIS-UND-01)',
  ),
  extensions: z
    .array(z.string())
    .default([])
    .describe('extensions of Orders that our manifest names (DIS-FLD-07)'),
  compatibility: z
    .string()
    .optional()
    .describe('the statement of compatibility in our manifest; none when it is empty (DIS-FLD-09)'),
  merchantBlock: onOrOff(false).describe(
    'our manifest says of Merchant, which we do not host, that it is not supported',
  ),
})

const refusalStatus = z.union([z.literal(409), z.literal(422)])

/**
 * Retry plans of real partners, by name: the pauses in ms before each further send of a webhook that was not answered
 * with 2xx (fields.md, 2.5).
 */
export const webhookRetryPlans = {
  /** 1, 2, 4 … s; seven sends in all. */
  exponential: [1000, 2000, 4000, 8000, 16_000, 32_000],
  /** From 30 s, growing; dropped after 15 minutes. */
  'quarter-hour': [30_000, 60_000, 120_000, 240_000, 450_000],
  /** Growing pauses; dropped after 30 minutes. */
  'half-hour': [1000, 4000, 16_000, 64_000, 256_000, 600_000, 858_000],
  /** Three further sends within 21 s. */
  'three-more': [1000, 5000, 15_000],
  /** One further send after a minute. */
  'one-more': [60_000],
  never: [],
} as const satisfies Record<string, readonly number[]>
export type WebhookRetryPlan = keyof typeof webhookRetryPlans
const errorCodes = Object.keys(protocolErrors) as [ErrorCode, ...ErrorCode[]]
const planNames = Object.keys(webhookRetryPlans) as [WebhookRetryPlan, ...WebhookRetryPlan[]]

export const Conduct = strictObject(() => ({
  errorBody: oneWord(errorShapes, 'wrapped').describe(
    'shape of an error body: the documents’ {error:{…}}, or a partner’s',
  ),
  errorCodes: z
    .partialRecord(z.enum(errorCodes), z.string().min(1))
    .default({})
    .describe('other names for our error codes, for a partner who has them (ORD-UND-13)'),
  invalidTransition: z
    .strictObject({
      orders: refusalStatus.default(409).describe('in Orders'),
      indoor: refusalStatus.default(409).describe('in Indoor'),
      logistics: refusalStatus.default(422).describe('in Logistics'),
    })
    .prefault({})
    .describe('status for a transition that is in no row (ORD-UND-04)'),
  passedTarget: z
    .union([z.literal(202), refusalStatus])
    .default(202)
    .describe('answer to a call whose target the order has passed (ORD-UND-05)'),
  earlyItemCancel: refusalStatus
    .default(422)
    .describe('status for an item cancel before confirmation (ORD-UND-11)'),
  deliveredNeedsDispatch: onOrOff(false).describe(
    'a DELIVERY order must be IN_DELIVERY before delivered (ORD-TRA-07)',
  ),
  earlyCancellation: oneWord(['accept', 'refuse'], 'accept').describe(
    'a cancellation request before confirmation (ORD-TEN-01)',
  ),
  emptyPoll: eitherStatus(204, 200, 204).describe(
    'a poll with nothing pending: 204, or 200 with [] (ORD-UND-09)',
  ),
  pollBatch: wholeNumber(1, 1000, 100).describe('events in one poll answer at most (LIM-UND-02)'),
  acknowledgment: oneWord(['any', 'eventIds', 'v1'], 'any').describe(
    'acknowledgment bodies taken: any shape of the field, {eventIds} only, or V1’s only',
  ),
  unknownAcknowledgment: oneWord(['ignore', 'refuse'], 'ignore').describe(
    'an acknowledgment of an unknown event: taken, or 404',
  ),
  signature: oneWord(signatureNames, 'hmac-sha256-hex').describe(
    'how webhooks are signed: X-App-Signature over the raw body in an encoding; over URL, sorted query and canonical body, and then on every call (`hmac-sha256-request-base64`); didi-header-sign, the MD5 of body and secret (`md5-hex`); or not at all, with a token in its place (`none`)',
  ),
  webhookAccess: oneWord(webhookAccesses, 'auto').describe(
    'a webhook carries a token besides its signature (`bearer`), the signature alone (`signature`), or a token where the receiver offers one (`auto`): its manifest says so or, without a manifest, its token endpoint issues one. Our own roles ask for a token unless it is `signature`. Without a signature it is always `bearer`',
  ),
  webhookRetry: z
    .union([z.enum(planNames), z.array(Duration).max(50)])
    .default('exponential')
    .describe('pauses before each further send of a webhook, by name or given'),
  webhookDisableAfter: z
    .int()
    .min(1)
    .max(1000)
    .optional()
    .describe(
      'an endpoint whose webhooks failed so many times in a row is switched off; never when absent',
    ),
  disabledWebhooks: oneWord(['kept', 'dropped'], 'kept').describe(
    'what becomes of the events for an endpoint that is switched off: kept until it is switched on, or dropped from that channel',
  ),
  webhookEnableAfter: Duration.optional().describe(
    'an endpoint that was switched off is tried again so much later with all that was kept, and is off again at the next failure; only `events enable-webhooks` switches it on when absent',
  ),
  bodies: oneWord(['lenient', 'strict'], 'lenient').describe(
    'a body or a filter that the documents leave open and every partner refuses, such as a cancellation without a code: `lenient` takes it and gives advice in the log, `strict` refuses it',
  ),
  unlistedMethod: eitherStatus(404, 405, 404).describe(
    'answer to a method that a path does not list (TRN-UND-02)',
  ),
  requestIdMemory: Duration.default(86_400_000).describe(
    'how long a mutation is known by its X-Request-Id (TRN-UND-03)',
  ),
  unsupportedEvents: z
    .array(z.enum(orderEventTypes))
    .default([])
    .describe('events that the Ordering Application declares unsupported and never emits'),
  withheldOperations: z
    .array(z.enum(['sendOrderTracking', 'partialItemCancellation']))
    .default([])
    .describe('optional operations that are neither declared nor served'),
  furtherOperations: z
    .array(z.enum(furtherOperationNames))
    .default([])
    .describe(
      'operations of the public standard that the documents do not have, and our Ordering Application serves all the same',
    ),
  cancellationOutcome: onOrOff(true).describe(
    'CANCELLATION_REQUEST_ACCEPTED or DENIED is emitted (ORD-TEN-02)',
  ),
  confirmWithin: Duration.optional().describe(
    'an order that is not confirmed so long after its creation is cancelled by the Ordering Application; never when absent, since the documents name no time',
  ),
  clockSkew: ClockShift.default(0)
    .describe(
      'how far the clock of our side is ahead of yours, or behind it with a minus: the Date of answers, createdAt of the events of orders, an epoch in expires_in',
    )
    .meta({ example: '-5m' }),
  requestsPerMinute: z
    .int()
    .min(0)
    .default(0)
    .describe('requests a client may make in a minute before 429; 0 for no limit (LIM-UND-03)'),
  ...authSettings(),
  ...discoverySettings(),
  ...dialectSettings(),
  ...translationSettings(),
  indoor: IndoorConduct.prefault({}).describe('Indoor'),
  logistics: LogisticsConduct.prefault({}).describe('Logistics'),
  customer: CustomerConduct.prefault({}).describe('Customer and Reviews'),
  loyalty: LoyaltyConduct.prefault({}).describe('Loyalty'),
  v1: V1Conduct.prefault({}).describe('V1 of the protocol'),
})).refine(
  ({ grantTypes: grants }) =>
    !grants.includes('authorization_code') || grants.includes('client_credentials'),
  { path: ['grantTypes'], message: 'authorization_code needs client_credentials beside it' },
)
export type Conduct = z.infer<typeof Conduct>
/** Protocol options as written, before defaults. */
export type ConductInput = z.input<typeof Conduct>

/** The pauses of a session's retry plan, in milliseconds. */
export const webhookRetryPausesMs = (plan: Conduct['webhookRetry']): readonly number[] =>
  typeof plan === 'string' ? webhookRetryPlans[plan] : plan

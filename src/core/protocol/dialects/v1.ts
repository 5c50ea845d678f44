/** Partners who have not migrated: V1.7.0 as specified, and what implementations of V1 do differently. */
import { defineDialect } from './dialect.ts'

/** A partner who has not migrated: V1.7.0 as specified (fields.md, section 4). */
export const v1 = defineDialect({
  name: 'v1',
  summary: 'V1.7.0: its paths, events, order shape, handshake and errors',
  conduct: {
    speaks: 'v1',
    manifest: 'trust',
    errorBody: 'problem',
    invalidTransition: { orders: 422 },
    passedTarget: 422,
    acknowledgment: 'v1',
    acknowledgmentLimit: 100,
    unknownAcknowledgment: 'refuse',
    clientIdGeneration: ['by_merchant'],
    webhookAccess: 'signature',
  },
  protocol: { scopePrefix: 'od', version: 'v1.7.0' },
  webhookPath: '/v1/newEvent',
  beyond: [
    'menus and merchants (/v1/merchant): onboarding, updates and status are accepted and have no effect',
    'deliveries (/v1/logistics), and the webhook that announces the customer’s code (/v1/confirmationCode)',
  ],
})

/** Keeta’s Open Delivery API, built on V1.5 (fields.md, 4.6 and 2.5). */
export const keeta = defineDialect({
  ...v1,
  name: 'keeta',
  summary: 'V1.5 with credentials per software, JSON token requests and base64 signatures',
  conduct: {
    ...v1.conduct,
    clientIdGeneration: ['by_app'],
    tokenGrant: 'app_level_token',
    tokenRequest: 'json',
    signature: 'hmac-sha256-base64',
    // A webhook that is not answered within 5 s is sent three more times, 5 s apart.
    answerTimeout: 5000,
    webhookRetry: [5000, 5000, 5000],
    confirmWithin: 300_000,
  },
  protocol: { ...v1.protocol, version: 'v1.5.0' },
  notSettled: [
    'signatures: its documents sign every request over URL, sorted query and canonical body, others its webhooks’ raw body alone; conduct.signature: hmac-sha256-request-base64 signs as its documents say',
  ],
  beyond: [
    ...v1.beyond,
    'merchants authorize an application by a webhook of their own',
    'events of refunds; encrypted customer data',
  ],
})

/** 99Food’s V1 (fields.md, 4.6): its own base path, one token per shop. */
export const food99 = defineDialect({
  ...v1,
  name: '99food',
  summary: 'V1 under /v4/opendelivery, one token per shop',
  conduct: {
    ...v1.conduct,
    basePath: '/v4/opendelivery/v1',
    paths: { issueToken: '/v4/opendelivery/oauth/token' },
    answerTimeout: 6000,
  },
  notSettled: [
    'signatures: some clients expect the MD5 of body and secret in didi-header-sign in place of X-App-Signature; conduct.signature: md5-hex sends that',
  ],
  beyond: [
    ...v1.beyond,
    'client ids are {app_id}_{app_shop_id}: configure them as clients',
    'an application that is not allow-listed gets 404 for everything',
    'numeric ids that are longer than a JSON number holds',
  ],
})

/** Pedizap’s V1 (fields.md, 4.6). */
export const pedizap = defineDialect({
  ...v1,
  name: 'pedizap',
  summary: 'V1 with polling at /v1/events, problem+json errors and tokens of six hours',
  conduct: {
    ...v1.conduct,
    paths: {
      pollEventsV1: '/v1/events',
      setOrderDetailsV1: '/v1/orders/{orderId}',
      validateCodeV1: '/v1/orders/{orderId}/validateCode/{deliveryCode}',
    },
    // 202, 400 and 401 are the documented answers.
    unknownAcknowledgment: 'ignore',
    errorBody: 'problem+json',
    tokenLife: 21_600_000,
  },
})

/** Loocal’s V1-style server (fields.md, 4.6): a new eventId for the same event in every poll. */
export const loocal = defineDialect({
  ...v1,
  name: 'loocal',
  summary: 'V1 with fresh event ids in every poll, 200 [] when empty, 100 acknowledged at once',
  conduct: {
    ...v1.conduct,
    paths: { issueToken: '/api/authentication/oauth/token' },
    pollEventIds: 'fresh',
    emptyPoll: 200,
  },
  channel: 'polling',
  beyond: [
    ...v1.beyond,
    'a city that is an object, other names of totals',
    'PUT /orders/{id}/cancellation in place of requestCancellation',
  ],
})

/** Cardapio Web’s V1, as its clients use it (fields.md, 4.6 and 2.5). */
export const cardapioWeb = defineDialect({
  ...v1,
  name: 'cardapio-web',
  summary: 'V1 whose clients acknowledge with [{ eventId }] and poll once a minute',
  conduct: { ...v1.conduct, acknowledgment: 'any', acknowledgmentBody: 'eventId-objects' },
  channel: 'polling',
  pollEvery: 60_000,
  notSettled: [
    'signatures: some clients expect a token and no signature; conduct.signature: none sends that',
  ],
  beyond: [...v1.beyond, 'a rate limit whose error has “retry” in its title'],
})

/** Delivery Direto’s subset of V1 (fields.md, 4.6). */
export const deliveryDireto = defineDialect({
  ...v1,
  name: 'delivery-direto',
  summary: 'V1 without deliveries, tokens of six hours',
  conduct: { ...v1.conduct, tokenLife: 21_600_000 },
  beyond: [...v1.beyond, 'several fields of its orders are missing'],
})

/** A hub with webhooks only, no polling, such as menuGo (fields.md, 4.6). */
export const pushHub = defineDialect({
  ...v1,
  name: 'push-hub',
  summary: 'V1 by webhook alone; an event of an unknown type is 400',
  conduct: { ...v1.conduct, unknownEvents: 'refuse' },
  channel: 'webhook',
  beyond: v1.beyond,
})

/** A host whose router does not match the literal colon of /events:polling (fields.md, 4.6). */
export const edgeRouter = defineDialect({
  ...v1,
  name: 'edge-router',
  summary: 'V1 on a router for which the colon of a path must be written as %3A',
  conduct: { ...v1.conduct, colon: 'encoded' },
  channel: 'polling',
  beyond: v1.beyond,
})

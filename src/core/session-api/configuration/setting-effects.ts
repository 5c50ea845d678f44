/**
 * What a changed setting does to a session that runs: it takes effect at once (`now`), or with the next start (`restart`). A
 * setting of a group is one of the words behind its name; a test walks the schema, so that a new one must be put here.
 */
import type { SettingChange } from '../../engine/session/setting-change.ts'
import { isUnknownRecord } from '../../protocol/unknown-record.ts'
import type { Configuration } from './schema.ts'

interface GroupEffects {
  /** Read each time that it is needed. */
  readonly now?: string
  /** It decides what listens, who plays, what is served or declared, or it was used up at the start. */
  readonly restart?: string
}

/**
 * What no listener, route or file depends on can change: habits, answers, limits, tolerances, what orders are made of.
 */
const settingEffects: Readonly<Record<string, GroupEffects>> = {
  '': {
    now: 'merchants menu faults',
    restart:
      'seed clock origin speed host publicUrl allowedHosts tls port clients dialect contract',
  },
  protocol: { restart: 'name scopePrefix version' },
  subject: { restart: 'role url replicas ca probe effects' },
  'subject.webhooks': { restart: 'orders accounts delivery customer loyalty' },
  'subject.credentials': { restart: 'clientId clientSecret merchants redirectUris' },
  'subject.asks': { restart: 'cancellation order' },
  'counterparts.ordering-application': {
    now: 'behaviour processing concludeAfter deliveries courierEvents',
    restart: 'port publicUrl url channel',
  },
  'counterparts.ordering-application.credentials': { restart: 'clientId clientSecret' },
  'counterparts.ordering-application.orders': { now: 'every limit mix' },
  'counterparts.software-service': {
    now: 'behaviour pollEvery',
    restart: 'port publicUrl url deliveries',
  },
  'counterparts.software-service.credentials': { restart: 'clientId clientSecret' },
  'counterparts.delivery-platform': {
    now: 'behaviour',
    restart: 'port publicUrl url trackingMode others',
  },
  'counterparts.delivery-platform.credentials': { restart: 'clientId clientSecret' },
  'counterparts.crm': { now: 'behaviour', restart: 'port publicUrl url mode' },
  'counterparts.crm.credentials': { restart: 'clientId clientSecret' },
  capabilities: { restart: 'orders indoor logistics customer reviews loyalty' },
  conduct: {
    now:
      'emptyBodies errorBody errorCodes passedTarget earlyItemCancel deliveredNeedsDispatch earlyCancellation emptyPoll pollBatch ' +
      'acknowledgment unknownAcknowledgment bodies signature webhookAccess webhookRetry unlistedMethod requestIdMemory ' +
      'cancellationOutcome confirmWithin clockSkew webhookDisableAfter webhookEnableAfter disabledWebhooks tokenLife tokenUnit strict publishManifest manifestNotation manifestMaxAge compatibility ' +
      'pollEventIds acknowledgmentLimit acknowledgmentBody',
    restart:
      'unsupportedEvents withheldOperations furtherOperations requestsPerMinute grantTypes consent clientIdGeneration tokenGrant ' +
      'tokenRequest tokenScopes participantIds merchantList manifest ordersEndpoint extensions merchantBlock speaks basePath paths ' +
      'unknownEvents colon answerTimeout statuses requestIds translations',
  },
  'conduct.invalidTransition': { now: 'orders indoor logistics' },
  'conduct.scopesAsked': { restart: 'logistics crm' },
  'conduct.indoor': {
    now: 'invoiceIssuer invoiceIssueMoment fiscalOnClosed fiscalDelay fiscalOutcome courtesy overpayment unlockInUse omittedEvents eventDetails eventAnswer',
    restart:
      'usesAccountId accountLookup lockedOrder mirrorItemCancel accountShape accountPaths accountNaming paymentBody',
  },
  'conduct.logistics': {
    now:
      'receipts eventPayload withheldFields trackingUrl cancelInTransit problemStatuses problemCodes ' +
      'errorBody publishedFields unrecoverableProblems renewAfterEnd lookupByDeliveryId unavailable progressBodies areasWithoutService mostKm mostOpen uncovered currency ' +
      'baseFee feePerKm kmPerHour handling loadTime pace',
    restart: 'names eventNames',
  },
  'conduct.customer': {
    now:
      'requiredFields batch list receipt processing duplicate staleWrite firstOrder eventEnvelope draftReviews ' +
      'collect pullEvery pageSize ratingValue',
    restart:
      'offers notation ordersAtSharedBase customerShape statusField identifier orderShape reviewShape leadStatus wrapper ' +
      'ids eventTarget eventIdField declaredNames modeField supportsBatchGet supportsBatchPost maxBatchSize ' +
      'maxGetPeriodDays requestsPerSecond maxPayloadSizeKb enforceLimits',
  },
  'conduct.customer.areas': { restart: 'customers leads orders events' },
  'conduct.customer.eventAnswer': { now: 'webhook binding' },
  'conduct.loyalty': {
    now: 'enrollment pointsPerOrder pointsLife expiringSoon couponLife insufficientBalance blockedMovement couponRollback',
    restart: 'programs rewards redemptionBody eventBody',
  },
  'conduct.loyalty.enrolledMay': { now: 'earn redeem use-coupon' },
  'conduct.v1': {
    now: 'lastEvent originatorCancel repeated deliveredBy lifecycle',
    restart: 'merchantStubs',
  },
  'conduct.v1.sends': { now: 'preparing delivered pickedUp tracking' },
  tolerances: {
    now: 'converge grace pollGap webhook tries coolDown reads inFlight',
    restart: 'on',
  },
  tracing: { restart: 'on otlp headers' },
  recording: { restart: 'file redact unsafe keepBinary fsync' },
}

export type SettingEffect = keyof GroupEffects

interface ClassifiedSetting {
  readonly path: readonly string[]
  readonly effect: SettingEffect
}

const words = (text: string | undefined): readonly string[] => text?.split(' ') ?? []

export const classifiedSettings = (): readonly ClassifiedSetting[] =>
  Object.entries(settingEffects).flatMap(([group, effects]) => {
    const above = group === '' ? [] : group.split('.')
    return (['now', 'restart'] as const).flatMap((effect) =>
      words(effects[effect]).map((name) => ({ path: [...above, name], effect })),
    )
  })

/** The effect of the setting at a path, or above it; undefined where there is none. */
export function settingEffectAt(path: readonly string[]): SettingEffect | undefined {
  const isAbove = (above: readonly string[]): boolean =>
    above.every((name, index) => path[index] === name)
  return classifiedSettings().find((each) => isAbove(each.path))?.effect
}

const valueAt = (settings: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (group, name) => (isUnknownRecord(group) ? group[name] : undefined),
    settings,
  )

export interface ChangedSetting extends SettingChange {
  readonly effect: SettingEffect
}

/** The settings in which two configurations differ, each with its new value. */
export const changedSettings = (
  before: Configuration,
  after: Configuration,
): readonly ChangedSetting[] =>
  classifiedSettings().flatMap(({ path, effect }) => {
    const value = valueAt(after, path)
    if (JSON.stringify(value) === JSON.stringify(valueAt(before, path))) return []
    return [{ path, effect, ...(value === undefined ? {} : { value }) }]
  })

/** What the configuration has where these changes are made: the changes that undo them. */
export const settingsAt = (
  configuration: Configuration,
  changes: readonly SettingChange[],
): readonly SettingChange[] =>
  changes.map(({ path }) => {
    const value = valueAt(configuration, path)
    return value === undefined ? { path } : { path, value }
  })

function withValueAt(group: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value
  const { [name]: here, ...others } = isUnknownRecord(group) ? group : {}
  const inner = withValueAt(here, rest, value)
  return inner === undefined ? others : { ...others, [name]: inner }
}

/** The configuration with changed settings. */
export const withSettings = (
  configuration: Configuration,
  changes: readonly SettingChange[],
): Configuration =>
  changes.reduce<unknown>(
    (whole, { path, value }) => withValueAt(whole, path, value),
    configuration,
  ) as Configuration
